// A hook as a process: standard input and output, the deadline, and the heavy parts when they are needed. Always ends with
// status 0, and by itself: some agents wait for hours.

import { readSync, writeSync } from 'node:fs';
import { makeRedactor } from '../kernel/redact.ts';
import { type Environment, environment, secretsFromEnv } from '../system/environment.ts';
import { loseClaims } from './claims.ts';
import type { HookPorts, WorkEvent } from './hook-call.ts';
import { type HookInput, runHook } from './run-hook.ts';
import { log, openState } from './state.ts';

/** From the first byte of the payload. The agent waits 1500 ms at most: then foreword-speak.sh ends whatever runs. */
const DEADLINE_MS = 1400;
/** An agent that never sends anything; the timeout of the installed entry usually comes first. */
const SILENCE_MS = 10_000;

export interface HookArguments {
  readonly event: string;
  readonly agent: string;
  /** Given by foreword-hook, together with what it read on descriptor 3. */
  readonly claim?: string | undefined;
  /** The root of the project in which foreword-hook made it. */
  readonly claimedIn?: string | undefined;
  /** The process that called foreword-hook: the agent. */
  readonly caller?: string | undefined;
}

/** What is too heavy for every hook. Each call may throw. */
export type HookComposer = Pick<HookPorts, 'startup' | 'header'>;

/** What keeps the facts of sessions, apart from the composer: the end of each turn needs only this. */
export interface HookKeeper {
  /** `caller` is the process of the agent. */
  keepWork(moment: WorkEvent, caller: string | undefined): Promise<void>;
  textsSince: HookPorts['textsSince'];
}

/** `EVENT AGENT CLAIM ROOT CALLER` behind the words of Node; flags are not for us. */
export function hookArguments(argv: readonly string[]): HookArguments {
  const [event = '', agent = '', claim, claimedIn, caller] = argv.slice(2).filter((word) => !word.startsWith('--'));
  return { event, agent, claim, claimedIn, caller };
}

/** `composer` is called when something is to be composed, `keeper` when something is to be kept. Does not return. */
export async function hookProcess(
  given: HookArguments & {
    readonly composer: () => Promise<HookComposer>;
    readonly keeper: () => Promise<HookKeeper>;
  },
): Promise<never> {
  const env = environment();
  const failed = (why: string): never => {
    const state = openState(env);
    const clean = makeRedactor(secretsFromEnv(env))(why);
    if (state.kind === 'open') log(state.folder, `${given.event} ${given.agent}: ${clean}`, Date.now());
    return process.exit(0);
  };
  process.on('uncaughtException', (error) => failed(`failed: ${error.message}`));
  const head = given.claim === undefined ? new Uint8Array() : bytesBefore();
  const deadline = new Deadline(() => {
    loseClaims();
    failed(`given up after ${DEADLINE_MS} ms`);
  });
  const input: HookInput = {
    event: given.event,
    agent: given.agent,
    head,
    rest: standardInput(deadline, head.length > 0),
    ...(given.claim === undefined ? {} : { claim: given.claim }),
    ...(given.claimedIn === undefined ? {} : { claimedIn: given.claimedIn }),
    env,
    cwd: process.cwd(),
  };
  await runHook(input, {
    ...realPorts(env),
    ...lazyComposer(() => {
      deadline.beginForWork();
      return given.composer();
    }),
    textsSince: async (ask) => {
      deadline.beginForWork();
      return (await given.keeper()).textsSince(ask);
    },
    keepWork: async (moment) => {
      deadline.beginForWork();
      return (await given.keeper()).keepWork(moment, given.caller);
    },
  });
  return process.exit(0);
}

/** Set only where something is waited for: what the gate does is over before a timer could come. */
class Deadline {
  readonly #late: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(late: () => void) {
    this.#late = late;
  }

  /** Nothing was sent yet. */
  awaitFirstByte(): void {
    this.#timer ??= setTimeout(this.#late, SILENCE_MS);
  }

  /** The first byte came `agoMs` ago. */
  begin(agoMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#late, Math.max(0, DEADLINE_MS - agoMs));
  }

  /** For work that takes long, when it is not running already. */
  beginForWork(): void {
    if (this.#timer === undefined) this.begin(elapsedMs());
  }
}

/** What the script read, at most 32 KiB and a line end of its here-document. */
function bytesBefore(): Uint8Array {
  const bytes = new Uint8Array(36_864);
  let length = 0;
  try {
    for (let read = 1; read > 0; length += read) read = readSync(3, bytes, length, bytes.length - length, null);
  } catch {
    return new Uint8Array();
  }
  return bytes.subarray(0, Math.max(0, length - 1));
}

/** Not a read in the thread pool, which the end of the process would wait for. */
async function* standardInput(deadline: Deadline, hasBegun: boolean): AsyncIterable<Uint8Array> {
  let isFirst = !hasBegun;
  if (isFirst) deadline.awaitFirstByte();
  else deadline.begin(elapsedMs());
  for await (const chunk of process.stdin) {
    if (isFirst) deadline.begin(0);
    isFirst = false;
    yield chunk as Uint8Array;
  }
}

function lazyComposer(load: () => Promise<HookComposer>): HookComposer {
  return {
    startup: async (root, maxChars, reader) => (await load()).startup(root, maxChars, reader),
    header: async (root, before, maxChars) => (await load()).header(root, before, maxChars),
  };
}

function realPorts(env: Environment): Omit<HookPorts, keyof HookComposer | keyof HookKeeper> {
  return {
    now: () => Date.now(),
    elapsed: elapsedMs,
    print: (text) => writeAll(1, text),
    complain: (line) => void writeAll(2, `foreword: ${line}\n`),
    newId: () => `fw_${randomDigits()}${randomDigits()}`,
    redactor: (variables) => makeRedactor(secretsFromEnv(env, variables)),
  };
}

/** `performance` would return the same and takes milliseconds to load. */
function elapsedMs(): number {
  return process.uptime() * 1000;
}

/** Not for secrets: it only has to be another one each time, and loading a better source costs milliseconds. */
function randomDigits(): string {
  return Math.floor(Math.random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0');
}

/** False when the reader is gone, which is no error of ours. */
function writeAll(descriptor: number, text: string): boolean {
  const bytes = new TextEncoder().encode(text);
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    return true;
  } catch {
    return false;
  }
}
