// The module in the place of an extension while its set-up is measured. An extension is a function that is given an object, by which it
// answers to events, brings tools and sends messages. Written for 0.87. Plain JavaScript without backticks.

export const RECORDED = `
// They may change what they are given, or return it changed.
const CHANGING = ['before_agent_start', 'context', 'context_with_system', 'tool_result', 'input', 'before_provider_request'];
// Called all the time, and not for the model.
const FREQUENT = ['message_start', 'message_update', 'message_end', 'tool_execution_start', 'tool_execution_update', 'tool_execution_end'];

export default async function (pi) {
  const found = await watched({ event: 'loaded' }, () => import(ORIGINAL));
  const own = found.default;
  const start = typeof own === 'function' ? own : own && own.default;
  const answering = (event, handler) => (about, context) => {
    const look = (result) => textsIn(result === undefined && CHANGING.includes(event) ? about : result);
    return watched({ event, look, isFrequent: FREQUENT.includes(event) }, () => handler(about, context));
  };
  const ways = {
    on: (event, handler) => pi.on(event, answering(event, handler)),
    registerTool: (tool) => {
      brings({ tools: [tool.name] });
      return pi.registerTool(tool);
    },
    sendMessage: (message, ...rest) => {
      said('sendMessage', textsIn(message));
      return pi.sendMessage(message, ...rest);
    },
    sendUserMessage: (content, ...rest) => {
      said('sendUserMessage', textsIn({ content }));
      return pi.sendUserMessage(content, ...rest);
    },
  };
  const get = (target, key) => {
    if (Object.hasOwn(ways, key)) return ways[key];
    const value = target[key];
    return typeof value === 'function' ? value.bind(target) : value;
  };
  await watched({ event: 'loaded' }, () => start(new Proxy(pi, { get })));
}
`;
