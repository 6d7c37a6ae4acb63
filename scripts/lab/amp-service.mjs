// Amp's service as far as its terminal needs it, on loopback: an account, a thread, and the agent's loop, which Amp runs on
// the service's side. It answers as a model of ours does (`next`, `requests`, `isAnswering`), so that the same
// scenes can be played. Pieced together from what the program asks for and from what is known of it in public; other versions may
// ask for more.

import { createServer } from 'node:http';
import { wait } from './agent-terminal.mjs';
import { acceptSocket } from './web-socket.mjs';

const THREAD = 'T-019c9763-b1ae-729d-90aa-f59938ce912e';
const KEYS = { ownerUserId: 'user_1', userId: 'user_1', wsToken: 'dummy', poolName: 'pool' };
const USER = {
  id: 'user_1',
  email: 'dev@example.com',
  username: 'dev',
  firstName: 'Dev',
  lastName: 'Eloper',
  emailVerified: true,
  createdAt: '2026-01-01T00:00:00.000Z',
  features: [],
  team: null,
};
/** Longer than a scene looks at it. */
const TOOL_MS = 5000;
const DONE = { kind: 'text', text: 'Done.' };
/** Results by the method that is asked for; of any other `{}`. */
const RESULTS = {
  getUserInfo: USER,
  listAgentModes: [],
  listAutomations: { automations: [] },
  loadPlugins: [],
  loadSkills: { sources: [] },
  notices: [],
  splashDispatch: null,
};

/** Starts it. `refusesThreads`: no thread can be made, as when the connection is lost. */
export async function startAmpService({ port, refusesThreads = false }) {
  const sockets = new Set();
  const steps = [];
  const given = [];
  const waiting = [];
  let current;
  let count = 0;

  const tell = (method, params) => {
    for (const socket of sockets) socket.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  };
  const state = (name) => tell('agent_state', { state: name, agentMode: 'medium' });
  const number = () => {
    count += 1;
    return count;
  };
  const makeId = (kind) => `${kind}-${String(number()).padStart(22, '0')}`;
  const add = (message) => tell('message_added', { message: { threadId: THREAD, ...message }, seq: number() });
  const addAnswer = (messageId, content) =>
    add({ messageId, role: 'assistant', content, state: { type: 'complete', stopReason: 'end_turn' } });

  /** One answer of the model; resolves with whether it is asked again. */
  async function play(step, turn) {
    if (step.kind === 'slow') {
      await wait(step.delayMs);
      return !turn.isCancelled && play(step.step, turn);
    }
    const messageId = makeId('M');
    if (step.kind === 'call') {
      const [{ name, input }] = step.calls;
      const toolUse = makeId('TU');
      addAnswer(messageId, [{ type: 'tool_use', id: toolUse, name, input, complete: true }]);
      state('running_tools');
      // Nothing is run: the terminal shows what the service says of it.
      await wait(TOOL_MS);
      if (turn.isCancelled) return false;
      const run = { status: 'done', result: { output: '', exitCode: 0 } };
      add({ messageId: makeId('M'), role: 'user', content: [{ type: 'tool_result', toolUseID: toolUse, run }] });
      return true;
    }
    const pieces = step.kind === 'stream' ? step.pieces : [step.text];
    state('streaming');
    for (const piece of pieces) {
      if (turn.isCancelled) return false;
      const blocks = [{ type: 'text', text: piece }];
      tell('delta', { messageId, threadId: THREAD, role: 'assistant', state: { type: 'streaming' }, blocks });
      await wait(step.delayMs ?? 0);
    }
    if (!turn.isCancelled) addAnswer(messageId, [{ type: 'text', text: pieces.join('') }]);
    return false;
  }

  async function answer(message) {
    const turn = { isCancelled: false };
    current = turn;
    add(message);
    state('working');
    do given.push({ isMain: true });
    while (await play(steps.shift() ?? DONE, turn));
    // Cancelled, the next one may have begun.
    if (current !== turn) return;
    current = undefined;
    const next = waiting.shift();
    if (next === undefined) state('idle');
    else await answer(next);
  }

  const acts = {
    executor_connect: ({ clientId }) =>
      tell('executor_connected', {
        executorId: clientId,
        registeredToolCount: 0,
        guidanceInventory: [],
        resumeBootstrap: true,
      }),
    client_append_user_msg: ({ messageId, content }) => {
      const message = { messageId, role: 'user', content };
      if (current === undefined) void answer(message);
      else waiting.push(message);
    },
    client_cancel: () => {
      if (current !== undefined) current.isCancelled = true;
      current = undefined;
      state('idle');
    },
  };

  const server = createServer(async (request, response) => {
    for await (const _ of request);
    const { pathname, search } = new URL(request.url, 'http://localhost');
    const isThread = pathname === '/api/thread-actors' && !refusesThreads;
    const result = RESULTS[search.slice(1)];
    response.setHeader('content-type', 'application/json');
    if (pathname === '/api/internal')
      response.end(JSON.stringify({ ok: true, result: result === undefined ? {} : result }));
    else if (isThread) response.end(JSON.stringify({ ...KEYS, threadId: THREAD, threadVersion: 0 }));
    else response.end(JSON.stringify(pathname === '/api/user-actor-credentials' ? KEYS : {}));
  });
  const open = new Set();
  server.on('upgrade', (request, raw) => {
    open.add(raw);
    raw.once('close', () => open.delete(raw));
    const socket = acceptSocket(request, raw, (text) => {
      if (text === 'ping') return socket.send('pong');
      for (const { id, method, params } of [JSON.parse(text)].flat()) {
        acts[method]?.(params);
        if (id !== undefined && method !== undefined)
          socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: { ok: true } }));
      }
    });
    // The account's own socket speaks another language, and is open without a word.
    if (!request.url.startsWith('/actors/gateway/threadActor/')) return;
    sockets.add(socket);
    raw.once('close', () => sockets.delete(socket));
    socket.send('pong');
  });
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    next: (...more) => steps.push(...more),
    requests: () => given,
    isAnswering: () => current !== undefined,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const raw of open) raw.destroy();
      server.closeAllConnections();
      await closed;
    },
  };
}
