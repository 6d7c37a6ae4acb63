// The script: what the agent does, as data. Every option with its default and meaning; an unknown one is refused, so that
// no test believes in a behaviour that never happens. Where a time or a number is wanted, `[low, high]` draws one
// evenly each time; chances are from 0 to 1. All draws come from `seed`. A time that is null lasts until the agent is
// told by SIGUSR2 to go on: startMs, loadingMs, busyAtStartMs, busyMs, redrawMs, and `ms` of events.

import { readFileSync } from 'node:fs';
import { makeDraw } from '../person.mjs';

export const DEFAULTS = {
  seed: 1,

  // Start
  /** In line mode, printing `startLines`. */
  startMs: 0,
  startLines: ['booting', 'waiting for input from db', '> quoted', 'Ready.', '$ ', 'How can I help you today?', '> '],
  /** Key by key and with paste frames on, but no composer yet: whatever comes is lost. */
  loadingMs: 0,
  /** Names or maps of dialogs.mjs, asked one after the other before it is ready. */
  dialogs: [],
  busyAtStartMs: 0,
  /** Ask for paste frames (DECSET 2004). */
  pasteMode: true,
  /** Ask the terminal what it is, as many interfaces do. */
  queries: false,

  // Composer
  ghost: '',
  isGhostFaint: true,
  /** `{ lines, chars, style: 'numbered' | 'chars' | 'about' }` or null. */
  collapse: { lines: 10, chars: 1000, style: 'numbered' },
  /** Chance that an Enter is read and ignored. */
  swallowEnter: 0,
  /** That many Enters are ignored first, for certain. */
  swallowFirst: 0,
  /** An Enter sooner after a paste is something else: see `soonEnter`. */
  enterGapMs: 0,
  /** 'newline', 'ignored', or 'placeholder': sends the words of the placeholder in place of the paste. */
  soonEnter: 'newline',
  /** A draft that begins with / opens a menu, in which Enter chooses. */
  hasMenu: true,

  // Screen
  /** How long after a change the screen is drawn. */
  redrawMs: 0,
  isFullRedraw: false,
  colours: 256,
  /** The composer's frame is drawn as faint as ghost text is. */
  isFrameFaint: false,
  /** Redraws of everything per second, though nothing changed. */
  stormPerSecond: 0,

  // Turns
  busyMs: 250,
  /** While busy: a line with seconds and `esc to interrupt`; without it a busy agent looks idle. */
  spinner: true,
  spinnerText: 'Working',
  /** What becomes of an Enter while busy: 'queue', 'steer', or 'lose'. */
  whileBusy: 'queue',
  /** Whether any program's byte while busy counts as harm. */
  busyHarms: false,
  /** The answer; `{n}` is the number of the turn. */
  reply: 'Done ({n}).',
  /** Answers with everything it was given. */
  echo: false,
  /** More lines it says in each turn, for instance in-band commands; `{word}` is the word that they need. */
  says: [],
  /** Over that time the answer comes word by word, redrawn each time; 0: at once. */
  streamMs: 0,
  /** Chance of the true reply code, and how much later it comes. */
  ack: 0,
  ackDelayMs: 0,
  /** 'whole', 'terminal' (the screen breaks it inside the code) or 'agent' (the agent breaks it and indents). */
  ackLine: 'whole',
  /** Says every false acknowledgement and marker it can think of. */
  fakeAcks: false,
  /** Chance that a turn asks for approval, and how that closes by itself. */
  approval: 0,
  approvalClosesAfterMs: null,

  // Ends
  /** `{ nth, afterBytes }` of a paste in which it dies by KILL, or null. */
  dieInPaste: null,
  /** Ends after that many turns (0: never) with `exitStatus`, or goes on as a shell. */
  exitAfterTurns: 0,
  exitStatus: 0,
  exitTo: 'end',
  /** Printed after its screen is gone. */
  lastWords: [],
  /** The shell after it: 'cooked' (line mode) or 'readline' (key by key with paste frames on, as bash has it). */
  shellStyle: 'readline',
  ignoresTerm: false,

  /** `{ on, nth, afterMs, do, … }`: see events.mjs. */
  events: [],

  // Evidence it leaves itself
  sessionId: 'tui-session',
  /** A JSON lines file: `{"type":"user","text"}`, `{"type":"assistant","text"}`, `{"type":"system","text"}` from hooks. */
  transcript: null,
  transcriptDelayMs: 0,
  /** `{ prompt, sessionStart }`: a list (program and arguments) or a text for sh. */
  hooks: {},
  hookTimeoutMs: 10_000,
  /** Leaves the hook's standard input open after the payload, as some agents do. */
  hookKeepsStdinOpen: false,
};

/** From JSON, or a file with JSON. `wild` in it is a seed from which everything not said is drawn. */
export function readScript(argument = '{}') {
  const { wild, ...given } = JSON.parse(
    argument.trimStart().startsWith('{') ? argument : readFileSync(argument, 'utf8'),
  );
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(DEFAULTS, name));
  if (unknown.length > 0) throw new Error(`unknown options: ${unknown.join(', ')}`);
  return { ...DEFAULTS, ...(wild === undefined ? {} : wildScript(wild)), ...given };
}

/** The commands of a settings file in Claude's layout. */
export function readHooks(file) {
  const { hooks = {} } = JSON.parse(readFileSync(file, 'utf8'));
  const command = (event) => hooks[event]?.[0]?.hooks?.[0]?.command;
  return { sessionStart: command('SessionStart'), prompt: command('UserPromptSubmit') };
}

export function makeDraws(seed) {
  const draw = makeDraw(seed);
  const draws = {
    number: (value) => (Array.isArray(value) ? value[0] + draw() * (value[1] - value[0]) : value),
    chance: (probability) => draw() < probability,
    pick: (list) => list[Math.floor(draw() * list.length)],
    code: () => Array.from({ length: 4 }, () => draws.pick('ABCDEFGHJKLMNPQRSTUVWXYZ23456789')).join(''),
  };
  return draws;
}

/** A difficult but honest agent: everything it shows is true, and in the end a patient program can reach it. */
export function wildScript(seed) {
  const draws = makeDraws(seed);
  const maybe = (probability, value, otherwise) => (draws.chance(probability) ? value : otherwise);
  const between = (low, high) => Math.round(draws.number([low, high]));
  const events = [];
  if (draws.chance(0.2)) events.push({ on: 'ready', afterMs: between(0, 600), do: 'busy', ms: between(200, 1500) });
  if (draws.chance(0.2)) events.push({ on: 'ready', afterMs: between(0, 900), do: 'cooked', ms: between(100, 900) });
  if (draws.chance(0.15)) events.push({ on: 'paste', afterMs: between(0, 500), do: 'freeze', ms: between(100, 2000) });
  if (draws.chance(0.15))
    events.push({ on: 'idle', do: 'dialog', dialog: { name: 'update', closesAfterMs: between(200, 1500) } });
  const dialog = (name) => ({
    name,
    preselected: draws.pick(['yes', 'no']),
    first: draws.pick(['yes', 'no']),
    closesAfterMs: between(200, 2000),
  });
  return {
    seed,
    startMs: maybe(0.6, between(0, 2000), 0),
    loadingMs: maybe(0.4, between(0, 800), 0),
    dialogs: [
      ...maybe(0.3, [dialog('trust')], []),
      ...maybe(0.15, [dialog(draws.pick(['onboarding', 'unheard']))], []),
    ],
    busyAtStartMs: maybe(0.3, between(100, 2000), 0),
    ghost: maybe(0.4, 'Try "fix the failing test"', ''),
    collapse: draws.pick([null, DEFAULTS.collapse, { lines: 2, chars: 400, style: draws.pick(['chars', 'about']) }]),
    swallowEnter: maybe(0.5, 0.33, 0),
    enterGapMs: maybe(0.4, between(20, 250), 0),
    soonEnter: draws.pick(['newline', 'ignored']),
    redrawMs: maybe(0.4, [0, draws.pick([100, 600, 3000])], 0),
    isFullRedraw: draws.chance(0.3),
    colours: draws.pick([16, 256]),
    stormPerSecond: maybe(0.15, 20, 0),
    busyMs: [50, draws.pick([200, 1500])],
    whileBusy: draws.pick(['queue', 'steer']),
    echo: draws.chance(0.3),
    streamMs: maybe(0.4, [50, 600], 0),
    ack: draws.pick([0, 0.5, 1]),
    ackDelayMs: maybe(0.3, [0, 2000], 0),
    ackLine: draws.pick(['whole', 'terminal', 'agent']),
    fakeAcks: draws.chance(0.3),
    approval: maybe(0.2, 0.5, 0),
    approvalClosesAfterMs: [200, 1500],
    events,
  };
}
