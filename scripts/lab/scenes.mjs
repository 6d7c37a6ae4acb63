// The scenes that acts are made of: what is typed, what the model answers, which screens are kept. A scene is driven by
// what the model is told to say, and looks at the screen only as far as it must to go on.

import { fingerprint, wait } from './agent-terminal.mjs';
import {
  ANSWER,
  COMMAND,
  DRAFT,
  LONG_DRAFT,
  PIECES,
  QUOTES,
  SIGN_OFF,
  SIXTY_LINES,
  THREE_LINES,
  WAITING_MS,
} from './words.mjs';

const slow = (delayMs, step) => ({ kind: 'slow', delayMs, step });
const text = (words) => ({ kind: 'text', text: words });
const call = ({ tool, input }) => ({ kind: 'call', calls: [{ name: tool, input }] });

/** Words in the composer that nobody wrote. */
export async function suggestion(stage) {
  const { terminal, model, save } = stage;
  await untilReady(stage);
  save('ready', 'suggestion-fresh', await terminal.settled(1500));
  for (const turn of [1, 2]) {
    model.next(text(ANSWER));
    await ask(stage, `Turn number ${turn}`);
    await answered(stage, turn);
    await terminal.settled(1500);
  }
  const isThere = (screen) => screen.lines[screen.cursor.row].includes('run the linter');
  if ((await terminal.until(isThere, 10_000)) === undefined) throw new Error('nothing was suggested');
  save('ready', 'suggestion-after-turn', await terminal.settled(1000));
  await terminal.type('Also', 40);
  save('ready', 'draft-over-suggestion', await terminal.settled(1000));
}

/** A list that a person opened: nothing may be typed into it. */
export async function menu(stage) {
  const { terminal, save, agent } = stage;
  await begin(stage);
  await terminal.type(agent.menu ?? '/model', 40);
  await terminal.settled(800);
  terminal.enter();
  await wait(1000);
  save('asking', 'menu', await atRest(stage));
}

/** A server that the project brings. */
export async function server({ terminal, save }) {
  if ((await terminal.until((screen) => /MCP server/.test(screen.lines.join('\n')), 15_000)) === undefined)
    throw new Error('nothing was asked');
  save('asking', 'mcp', await terminal.settled(1200));
}

async function untilReady({ terminal, agent }) {
  const seen = await terminal.changes((screen) => agent.ready.test(screen.lines.join('\n')), 30_000);
  return seen;
}

const DRAFTS = [
  ['draft-typed', DRAFT],
  ['draft-long', LONG_DRAFT],
  ['draft-slash', '/'],
  ['draft-shell', '!ls'],
  ['draft-shell-mode', '!'],
  ['draft-file', 'see @'],
];

/** First frames, the empty composer, and drafts of all kinds but those that the agent takes for something else. */
export async function fresh(stage) {
  const { terminal, save } = stage;
  const seen = (await untilReady(stage)).slice(0, -1);
  const chosen = seen.length <= 3 ? seen : [seen[0], seen[Math.floor(seen.length / 2)], seen.at(-1)];
  for (const [index, { screen }] of chosen.entries()) save('starting', `start-${index + 1}`, screen);
  save('ready', 'fresh', await terminal.settled(1500));
  for (const [what, words] of DRAFTS) if (!stage.agent.noDrafts?.includes(what)) await draft(stage, what, words);
}

async function draft({ terminal, save }, name, words) {
  const empty = await terminal.settled(500);
  const before = beforeCursor(empty);
  await terminal.type(words, 20);
  // Of `!` some show nothing but another mode.
  const end = words.replace('!', '').slice(-6);
  const isThere = ({ lines, cursor }) =>
    end === '' ? lines.join() !== empty.lines.join() : lines[cursor.row].includes(end);
  if ((await terminal.until(isThere, 5000)) === undefined) throw new Error(`${name} did not show`);
  save('ready', name, await terminal.settled(1000));
  // A slow agent loses keys: taken back until it looks as before.
  for (let round = 0; round < 12; round += 1) {
    // A mode for commands may stay when its text is gone.
    if (round % 3 === 1) terminal.write('\x1b');
    await wait(300);
    for (let left = Math.min(words.length, 60); left > 0; left -= 1) {
      terminal.write('\x7f');
      await wait(15);
    }
    const now = await terminal.settled(500);
    if (now !== undefined && beforeCursor(now) === before) return;
  }
  throw new Error(`${name} could not be taken back`);
}

/** What stands before the cursor: the same for every empty composer of an agent, whatever hint stands behind it. */
function beforeCursor({ lines, cursor }) {
  return `${cursor.col} ${lines[cursor.row].slice(0, cursor.col)}`;
}

export async function pastes(stage) {
  const { terminal, model, save } = stage;
  await begin(stage);
  terminal.paste(THREE_LINES);
  save('ready', 'pasted-3-lines', await terminal.settled(800));
  model.next(text(ANSWER));
  await submit(stage);
  await answered(stage, 1);
  save('ready', 'after-turn', await terminal.settled(1200));
  terminal.paste(SIXTY_LINES);
  save('ready', 'pasted-60-lines', await terminal.settled(800));
  await terminal.type(' and a word', 20);
  save('ready', 'pasted-60-lines-and-typed', await terminal.settled(800));
  model.next(text(QUOTES));
  await submit(stage);
  await answered(stage, 2);
  save('ready', 'after-long-turn', await terminal.settled(1200));
}

export async function busy(stage) {
  const { terminal, model, save, agent } = stage;
  await begin(stage);
  model.next(slow(WAITING_MS, { kind: 'stream', pieces: PIECES, delayMs: 300 }), text(`Noted. ${SIGN_OFF}`));
  await ask(stage, 'Explain how the parser works');
  const startedAt = performance.now();
  await samples(stage, 'waiting', [300, 1200]);
  await wait(WAITING_MS + 500 - (performance.now() - startedAt));
  await samples(stage, 'streaming', [0, 900, 1200]);
  await terminal.type('Also run the linter', 15);
  await terminal.until(({ lines, cursor }) => lines[cursor.row].includes('the linter'), 3000);
  await samples(stage, 'draft-while-streaming', [200, 2200]);
  terminal.write(agent.queue ?? '\r');
  await samples(stage, 'queued', [300, 500]);
  await answered(stage, 2);
  await terminal.settled(1500);
  save('ready', 'after-queued', await terminal.settled(800));
  model.next({ kind: 'stream', pieces: PIECES, delayMs: 300 });
  await ask(stage, 'Once more please');
  await wait(2500);
  for (const key of agent.interrupt) {
    terminal.write(key);
    await wait(200);
  }
  await wait(800);
  if (model.isAnswering()) throw new Error('it was not interrupted');
  save('ready', 'interrupted', await terminal.settled(500));
}

export async function tools(stage) {
  const { terminal, model, save, recipe, scratch, agent } = stage;
  await begin(stage);
  const isAsked = (screen) => agent.dialog.test(screen.lines.join('\n'));
  model.next(call(agent.command?.(COMMAND) ?? recipe.commandCall(COMMAND)), text(ANSWER));
  await ask(stage, 'Run it');
  if (!agent.asksNothing) {
    if ((await terminal.until(isAsked, 8000)) === undefined) throw new Error('nothing was asked');
    save('asking', 'approve-command', await atRest(stage));
    terminal.enter();
    await terminal.until((screen) => !isAsked(screen), 8000);
  }
  await wait(700);
  await samples(stage, 'tool', [0, 1200]);
  await answered(stage, 2);
  save('ready', 'after-tool', await terminal.settled(1500));
  if (agent.asksNothing) return;
  const edit = recipe.fileCall(`${scratch.project}/notes.txt`, 'one\ntwo\n');
  model.next(call(agent.edit?.(edit) ?? edit), text(ANSWER));
  await ask(stage, 'Write it down');
  if ((await terminal.until(isAsked, 8000)) === undefined) throw new Error('nothing was asked about a file');
  save('asking', 'approve-edit', await atRest(stage));
  terminal.write('\x1b');
  await terminal.settled(1500);
  save('ready', 'after-refusal', await terminal.settled(800));
}

export async function errors(stage) {
  const { terminal, model, save } = stage;
  await begin(stage);
  model.next(text(ANSWER));
  await ask(stage, 'A first turn');
  await answered(stage, 1);
  await terminal.settled(800);
  model.standing({ kind: 'error', status: 401 });
  await ask(stage, 'A turn that is refused');
  await wait(1500);
  save('ready', 'after-401', await terminal.settled(2500, 30_000));
  model.standing({ kind: 'error', status: 429 });
  await ask(stage, 'A turn that is limited');
  await wait(1500);
  // Who shows it has given up; who does not tries again for a long time.
  const shown = await terminal.settled(1500, 4000);
  if (shown) save('ready', 'after-429', shown);
  else await samples(stage, 'retrying-429', [0, 1500]);
}

export async function quotes(stage) {
  const { terminal, model, save } = stage;
  await begin(stage);
  model.next(text(QUOTES));
  await ask(stage, 'What may a screen say?');
  await answered(stage, 1);
  save('ready', 'after-quotes', await terminal.settled(1500));
  model.next({ kind: 'stream', pieces: [QUOTES.slice(0, -SIGN_OFF.length), ...PIECES], delayMs: 300 });
  await ask(stage, 'And while it works?');
  await samples(stage, 'streaming-quotes', [1200, 1200]);
}

/** The mode in which nothing is asked. */
export async function unasked(stage) {
  const { terminal, model, save, recipe } = stage;
  await untilReady(stage);
  save('ready', 'unasked-fresh', await terminal.settled(1500));
  await draft(stage, 'draft-unasked', DRAFT);
  model.next(call(recipe.commandCall(COMMAND)), text(ANSWER));
  await ask(stage, 'Run it');
  await wait(900);
  await samples(stage, 'unasked-tool', [0, 1200]);
  await answered(stage, 2);
  save('ready', 'unasked-after-tool', await terminal.settled(1500));
}

/** A terminal with few colours that answers no question about them. */
export async function plain(stage) {
  const { terminal, model, save } = stage;
  await untilReady(stage);
  save('ready', 'plain-fresh', await terminal.settled(1500));
  await draft(stage, 'draft-plain', DRAFT);
  terminal.paste(THREE_LINES);
  save('ready', 'pasted-plain', await terminal.settled(800));
  model.next(slow(WAITING_MS, { kind: 'stream', pieces: PIECES, delayMs: 200 }));
  await submit(stage);
  await samples(stage, 'plain-waiting', [900]);
  await wait(WAITING_MS);
  await samples(stage, 'plain-streaming', [0]);
  await answered(stage, 1);
  save('ready', 'plain-after-turn', await terminal.settled(1500));
}

/** A dialog may have a sign that blinks about twice a second: the longest rest there is will do. */
export async function atRest({ terminal }) {
  return (await terminal.settled(800, 4000)) ?? (await terminal.settled(400, 4000));
}

export async function begin(stage) {
  await untilReady(stage);
  await stage.terminal.settled(1200);
}

export async function ask(stage, words) {
  await stage.terminal.type(words, 15);
  await stage.terminal.settled(500, 3000);
  await submit(stage);
}

/** Enter; the model was asked, and what that changes is on the screen. */
async function submit({ terminal, model }) {
  const before = fingerprint(terminal.screen());
  const count = turns(model).length;
  terminal.enter();
  await terminal.until((screen) => fingerprint(screen) !== before && turns(model).length > count, 25_000);
}

/** The model was asked so many times, and has said everything. */
export async function answered({ model }, count) {
  const deadline = performance.now() + 30_000;
  while (performance.now() < deadline) {
    if (turns(model).length >= count && !model.isAnswering()) return;
    await wait(50);
  }
  throw new Error(`the model was asked ${turns(model).length} times, not ${count}`);
}

function turns(model) {
  return model.requests().filter((request) => request.isMain);
}

/** Wraps a model so that it can be asked whether an answer is under way: then the agent is at work, whatever it shows. */
export function watched(model) {
  const given = [];
  const watch = (step) => ({
    kind: 'reply',
    reply: (request) => {
      given.push({ request, untilMs: performance.now() + durationMs(step) });
      return step;
    },
  });
  return {
    requests: () => model.requests(),
    next: (...steps) => model.next(...steps.map(watch)),
    standing: (step) => model.standing(step),
    isAnswering: () => given.some(({ request, untilMs }) => request.aborted !== true && performance.now() < untilMs),
  };
}

function durationMs(step) {
  if (step.kind === 'slow') return step.delayMs + durationMs(step.step);
  return step.kind === 'stream' ? step.pieces.length * step.delayMs : 0;
}

/** Screens while it works: each after so many milliseconds, whole frames only. */
export async function samples({ terminal, save }, name, pauses) {
  for (const [index, pauseMs] of pauses.entries()) {
    await wait(pauseMs);
    save('busy', pauses.length === 1 ? name : `${name}-${index + 1}`, await terminal.until(() => true));
  }
}
