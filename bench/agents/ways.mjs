// The ways to get the first text into a real agent, each one cold start: a session of ours by the usual ladder or typed,
// the agent alone with the text as its first prompt (nothing can be quicker: the bound), and the naive way: a pause of
// 3 s, then silence, then the text as plain keys and Enter. What came of it is what the model was given.

import { execFile } from 'node:child_process';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { until } from '../run-to-end.mjs';
import { askedCode, newestTurn, takeSeat } from './seat.mjs';

const PAUSE_MS = 3000;
const SILENCE_MS = 1500;
const LIMIT_MS = 60_000;
/** How long a text that was sent as keys may take to be served. */
const PATIENCE_MS = 6000;
/** A person looks at a question for so long before answering it. */
const LOOK_MS = 8000;
const run = promisify(execFile);

const TRUST = {
  claude: { asked: /Quick safety check/, keys: ['Down', 'Enter'] },
  codex: { asked: /Trust this folder/, keys: ['Enter'] },
  gemini: { asked: /Do you trust/, keys: ['Enter'] },
};

/** An argument that makes it begin to work by itself. */
const FIRST_PROMPT = {
  claude: (text) => [text],
  codex: (text) => [text],
  gemini: (text) => [`--prompt-interactive=${text}`],
};
const BUSY_PROMPT = 'Tell me at length, please.';
const BUSY = {
  kind: 'stream',
  pieces: Array.from({ length: 25 }, (_, index) => `piece-${index} of it. `),
  delayMs: 400,
};

/** At length to the first prompt, whichever text comes first; the code to who asks for it. */
function answerAtLength({ texts }) {
  const turn = newestTurn(texts);
  if (askedCode(turn) !== undefined) return { kind: 'acknowledge' };
  return turn.prompt?.includes(BUSY_PROMPT) ? BUSY : { kind: 'text', text: 'Noted.' };
}

/** What is measured of each agent: name, way, disturbance. */
export const ROWS = [
  { row: 'ladder', way: 'ours' },
  { row: 'typed', way: 'ours', channel: 'typed' },
  { row: 'bound', way: 'bound' },
  { row: 'naive', way: 'naive' },
  { row: 'ladder, trust question', way: 'ours', disturbance: 'trust' },
  { row: 'typed, trust question', way: 'ours', channel: 'typed', disturbance: 'trust' },
  { row: 'naive, trust question', way: 'naive', disturbance: 'trust' },
  { row: 'typed, at work', way: 'ours', channel: 'typed', disturbance: 'work' },
  { row: 'naive, at work', way: 'naive', disturbance: 'work' },
  { row: 'ladder, under load', way: 'ours', disturbance: 'load' },
  { row: 'typed, under load', way: 'ours', channel: 'typed', disturbance: 'load' },
  { row: 'bound, under load', way: 'bound', disturbance: 'load' },
  { row: 'naive, under load', way: 'naive', disturbance: 'load' },
];

/** One start; answers what is kept of it. */
export async function startOnce(agent, { row, way, channel, disturbance }) {
  const [load] = loadavg();
  const seat = await takeSeat(agent, { asks: disturbance === 'trust' ? ['trust'] : [] });
  const burners = disturbance === 'load' ? await burn() : undefined;
  try {
    if (disturbance === 'work') seat.model.standing({ kind: 'reply', reply: answerAtLength });
    const further = disturbance === 'work' ? FIRST_PROMPT[agent](BUSY_PROMPT) : [];
    const launchedAt = Date.now();
    const told = await WAYS[way](seat, { channel, further, disturbance });
    const { first, copies, isPartial, isAsked } = seat.given();
    return {
      agent,
      version: seat.version,
      row,
      at: new Date(launchedAt).toISOString(),
      load: Math.round(load * 100) / 100,
      served: first !== undefined,
      ...(isPartial ? { partial: true } : {}),
      ...(first === undefined ? {} : { servedMs: first.at - launchedAt }),
      copies,
      asked: isAsked,
      ...(disturbance === 'work' ? atWork(seat, first) : {}),
      ...told,
    };
  } finally {
    burners?.end();
    await seat.leave();
  }
}

/** Whether its answer to the first prompt was cut off, and whether our text came before that prompt: an agent may show an
 *  empty composer before it takes the prompt of its launch. */
function atWork(seat, first) {
  const isFirstPrompt = ({ role, text }) => role === 'user' && text.includes(BUSY_PROMPT);
  const working = seat.turns().find(({ texts }) => texts.some(isFirstPrompt));
  return {
    interrupted: working?.aborted === true,
    overtook: first !== undefined && (working === undefined || first.number < working.number),
  };
}

const WAYS = { ours, bound, naive };

async function ours(seat, { channel, further, disturbance }) {
  const flags = channel === undefined ? [] : ['--channel', channel];
  const wait = disturbance === 'trust' ? [] : ['--wait', 'acknowledged'];
  const agentArgs = [...seat.terminalArgs, ...further];
  const ran = await seat.foreword('start', seat.agent, '--detach', ...flags, ...wait, '--', ...agentArgs);
  const harm = disturbance === 'trust' ? await answerOurs(seat) : {};
  const receipt = async () => JSON.parse((await seat.foreword('receipts', '--json')).stdout).receipts?.[0];
  await until(async () => (await receipt())?.proof === 'acknowledged', disturbance === 'trust' ? LIMIT_MS : 2000, 300);
  const { proof, outcome, attempts, channel: used, reason } = (await receipt()) ?? {};
  return {
    ...harm,
    claimed: outcome === 'delivered',
    acknowledged: proof === 'acknowledged',
    attempts,
    channel: used,
    ...(reason === undefined ? {} : { reason }),
    ...(ran.status === 0 ? {} : { status: ran.status }),
  };
}

/** Waits until the session says that a question is in the way, looks whether it stays as it is, then answers it. */
async function answerOurs(seat) {
  const session = async () => JSON.parse((await seat.foreword('sessions', '--json')).stdout).sessions[0];
  const isReported = await until(
    async () => (await session())?.waiting.some(({ reason }) => reason === 'dialog: trust folder'),
    LIMIT_MS,
    300,
  );
  const { tmux } = (await session()) ?? {};
  if (tmux === undefined) return { reported: isReported, dialogTouched: true };
  const tell = (...args) => run('tmux', ['-S', tmux.socket, ...args]);
  const screen = async () =>
    (await tell('capture-pane', '-p', '-t', tmux.session).catch(() => ({ stdout: '' }))).stdout;
  const dialogTouched = !(await staysAsked(seat.agent, screen));
  if (!dialogTouched)
    for (const key of TRUST[seat.agent].keys) await tell('send-keys', '-t', tmux.session, key).then(() => sleep(300));
  return { reported: isReported, dialogTouched };
}

/** Whether the same question stands there, with the same choice, as long as a person looks at it. */
async function staysAsked(agent, screen) {
  const { asked } = TRUST[agent];
  if (!(await until(async () => asked.test(await screen()), LIMIT_MS))) return false;
  await sleep(1500);
  const shown = choiceOf(await screen());
  await sleep(LOOK_MS);
  return choiceOf(await screen()) === shown;
}

/** The lines of the question; a notice may come above it. */
function choiceOf(screen) {
  return screen
    .split('\n')
    .filter((line) => /trust|quit|exit|yes|no\b/i.test(line))
    .join('\n');
}

async function bound(seat) {
  await seat.openAlone([...seat.terminalArgs, ...FIRST_PROMPT[seat.agent](seat.context)]);
  await until(() => seat.given().first !== undefined, LIMIT_MS, 25);
  return {};
}

async function naive(seat, { further, disturbance }) {
  await seat.openAlone([...seat.terminalArgs, ...further]);
  const person = disturbance === 'trust' ? answerAlone(seat) : Promise.resolve({});
  await untilSilent(seat);
  let claimed = true;
  try {
    await seat.tmux('send-keys', '-t', 'agent', '-l', seat.context);
    await seat.tmux('send-keys', '-t', 'agent', 'Enter');
  } catch {
    claimed = false;
  }
  const harm = await person;
  // A text that waits behind an answer of ten seconds is given that time.
  const patience = disturbance === 'work' ? PATIENCE_MS + 12_000 : PATIENCE_MS;
  await until(() => seat.given().first !== undefined, patience);
  await sleep(500);
  return { ...harm, claimed };
}

/** At least the pause, and nothing new on the screen for a while at its end. */
async function untilSilent(seat) {
  const launchedAt = Date.now();
  let shown = '';
  let since = launchedAt;
  while (Date.now() - launchedAt < PAUSE_MS || Date.now() - since < SILENCE_MS) {
    const now = await seat.screen().catch(() => '');
    if (now !== shown) since = Date.now();
    shown = now;
    if (Date.now() - launchedAt > LIMIT_MS) return;
    await sleep(50);
  }
}

async function answerAlone(seat) {
  const screen = () => seat.screen().catch(() => '');
  const dialogTouched = !(await staysAsked(seat.agent, screen)) || !(await seat.isAlone());
  if (!dialogTouched)
    for (const key of TRUST[seat.agent].keys) await seat.tmux('send-keys', '-t', 'agent', key).then(() => sleep(300));
  return { dialogTouched };
}

/** Two busy loops, each a process. */
async function burn() {
  const children = [0, 1].map(() => execFile('sh', ['-c', 'while :; do :; done']));
  await sleep(200);
  return {
    end: () => {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}
