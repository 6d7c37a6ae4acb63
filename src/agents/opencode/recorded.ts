// The module in the place of a plug-in while its set-up is measured. A plug-in is a function that returns hooks; a hook is given an object
// and changes it. Written for 1.18. Plain JavaScript without backticks.

export const RECORDED = `
// Nobody waits for what an event does, and most of them come all the time.
const isFrequent = (type) => !/^session\\.(created|idle|compacted|error)$/.test(type);
// What they change may come up in any request.
const LASTING = ['config', 'tool.definition'];
// They change nothing that a model is given.
const SILENT = ['auth', 'provider', 'chat.params', 'chat.headers', 'permission.ask', 'shell.env', 'dispose'];

function recorded(hooks) {
  const answering = (event, handler) => async (about, output) => {
    if (LASTING.includes(event)) {
      const changed = event === 'config' ? about : output;
      const before = textsIn(changed);
      const result = await watched({ event, isFrequent: true }, () => handler(about, output));
      brings({ texts: added(before, textsIn(changed)) });
      return result;
    }
    const look = () => (SILENT.includes(event) ? [] : textsIn(output));
    return watched({ event, look }, () => handler(about, output));
  };
  // It is not awaited: only what it does at once holds the agent up.
  const told = (handler) => ({ event }) => {
    const about = { event: event.type, isFrequent: isFrequent(event.type) };
    let done;
    watched(about, () => { done = handler({ event }); }).catch(() => undefined);
    if (done && done.catch) done.catch((error) => watched(about, () => { throw error; }).catch(() => undefined));
    return done;
  };
  brings({ tools: Object.keys(hooks.tool || {}) });
  const changed = Object.entries(hooks).flatMap(([event, handler]) =>
    typeof handler !== 'function' ? [] : [[event, event === 'event' ? told(handler) : answering(event, handler)]],
  );
  return Object.assign({}, hooks, Object.fromEntries(changed));
}

// The same object, with other ways for some of its names.
function instead(target, ways, isClass = true) {
  const get = (own, key) => {
    if (Object.hasOwn(ways, key)) return ways[key];
    const value = Reflect.get(own, key);
    return isClass && typeof value === 'function' ? value.bind(own) : value;
  };
  return new Proxy(target, { get });
}

// A message that it sends by itself.
function saying(client) {
  const sends = (name) => (request, ...rest) => {
    said('session.' + name, textsIn((request && (request.body || request)) || {}));
    return client.session[name](request, ...rest);
  };
  return instead(client, {
    get session() {
      return instead(client.session, { prompt: sends('prompt'), promptAsync: sends('promptAsync') });
    },
  });
}

// As the agent does it: one object with an id and a server, or every function.
function startsIn(found) {
  const own = found.default;
  if (typeof own === 'object' && own !== null && ('id' in own || 'server' in own || 'tui' in own)) return [own.server];
  return [...new Set(Object.values(found))].map((one) => (typeof one === 'function' ? one : one.server));
}

async function server(input, options) {
  const given = instead(input, { client: saying(input.client) }, false);
  const found = await watched({ event: 'loaded' }, () => import(ORIGINAL));
  const all = [];
  for (const start of startsIn(found))
    all.push(recorded((await watched({ event: 'loaded' }, () => start(given, options))) || {}));
  return all.length === 1 ? all[0] : joined(all);
}

// Of several plug-ins in one module: each is called, one after the other.
function joined(all) {
  const result = {};
  for (const [name, own] of all.flatMap((hooks) => Object.entries(hooks))) {
    const before = result[name];
    if (typeof own === 'function' && typeof before === 'function')
      result[name] = async (...given) => {
        await before(...given);
        await own(...given);
      };
    else result[name] = name === 'tool' ? Object.assign({}, before, own) : own;
  }
  return result;
}

export default { id: 'foreword-xray-' + ID, server };
`;
