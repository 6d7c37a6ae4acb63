// The dispatcher: one hook from its payload to its answer. Prints nothing, or one JSON object, and never throws: a hook
// that fails must not be noticed by the agent, only by the log.

import { HOOK_EVENTS, type HookEvent } from '../kernel/hook-events.ts';
import type { Environment } from '../system/environment.ts';
import { adoptClaim, type Claim, completeClaim, isStillMine, releaseClaim } from './claims.ts';
import { answer, DIALECTS, type Dialect } from './dialects.ts';
import { gate } from './gate.ts';
import { type HookPorts, isLive, type Occasion, occasionOf, type Saying } from './occasion.ts';
import { type PayloadReader, type Progress, payloadReader } from './payload.ts';
import { appendSpool } from './spool.ts';
import { gateFolder, type HookFolder, log, openState, reasonOf } from './state.ts';
import { sweep } from './sweep.ts';

export interface HookInput {
  readonly event: string;
  readonly agent: string;
  /** Bytes of standard input that were read before. */
  readonly head: Uint8Array;
  /** What comes after them; asked only when they are not enough. */
  readonly rest: AsyncIterable<Uint8Array>;
  /** From foreword-hook: the session and epoch it has claimed, `-` for none, `nul` when it dropped bytes, `quiet` when
   *  nobody hears what is said. */
  readonly claim?: string;
  readonly env: Environment;
  readonly cwd: string;
}

/** Earlier names, which an installed entry may still have. */
const ALIASES: Readonly<Record<string, HookEvent>> = { 'after-tool': 'post-tool', compact: 'pre-compact' };

export async function runHook(input: HookInput, ports: HookPorts): Promise<void> {
  const state = openState(input.env);
  const note = (line: string): void => {
    const isWritten = state.kind === 'open' && log(state.folder, `${input.event} ${input.agent}: ${line}`, ports.now());
    if (!isWritten) ports.complain(line);
  };
  try {
    await run(input, ports, { state, note });
  } catch (error) {
    note(`failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

interface Place {
  readonly state: HookFolder;
  readonly note: (line: string) => void;
}

async function run(input: HookInput, ports: HookPorts, { state, note }: Place): Promise<void> {
  const event = HOOK_EVENTS.find((one) => one === (ALIASES[input.event] ?? input.event));
  const dialect = Object.hasOwn(DIALECTS, input.agent) ? DIALECTS[input.agent] : undefined;
  const claimed = claimOf(state, input.claim);
  const isGate = event === 'pre-tool' || event === 'post-tool';
  const drop = (why: string): void => {
    if (claimed !== undefined) releaseClaim(claimed.claim);
    if (why !== '') note(why);
  };
  if (event === undefined) return drop('there is no such event; foreword init puts the entries right');
  if (dialect === undefined) return drop('this agent is not known; foreword init puts the entries right');
  if (input.claim === 'nul') return drop('the payload holds a NUL byte, so it is no JSON');
  const fields = await readPayload(input, dialect, isGate);
  if (fields === undefined) return drop('the payload is no JSON object, or not all of one');
  const given = { event, dialect, env: input.env, ports, state, note, cwd: input.cwd };
  const occasion = occasionOf(given, fields, claimed?.name);
  if (occasion === undefined) return drop('');
  const isGatesTurn = event === dialect.gate && occasion.root !== undefined;
  if (isGate && !isGatesTurn) drop('');
  const saying = isGate && !isGatesTurn ? undefined : await decide(occasion, claimed?.claim);
  const isHeard = input.claim !== 'quiet';
  // Left to the next call, which is heard.
  if (saying !== undefined && !isHeard) releaseClaim(saying.claim);
  const isSaid = saying !== undefined && isHeard && (await say(occasion, saying));
  if (isLive(occasion)) {
    const { tellHost } = await import('./live.ts');
    await tellHost(occasion, isSaid && saying.entry === undefined ? saying.id : undefined);
  }
  if (isSaid && state.kind === 'open') sweep(state.folder, ports.now());
}

async function decide(occasion: Occasion, claim: Claim | undefined): Promise<Saying | undefined> {
  switch (occasion.event) {
    case 'pre-tool':
    case 'post-tool':
      return gate(occasion, claim);
    case 'session-start':
    case 'prompt':
    case 'pre-compact':
    case 'stop':
    case 'session-end':
      // A tool waits for the gate, so the rest is not even read for it.
      return (await import('./other-events.ts')).decideOther(occasion);
  }
}

async function say(occasion: Occasion, saying: Saying): Promise<boolean> {
  const { ports, state, note, root } = occasion;
  if (!isStillMine(saying.claim, ports.now())) return false;
  ports.print(answer(occasion.dialect, occasion.event, saying.text));
  const wrong = completeClaim(saying.claim);
  if (wrong !== undefined && saying.claim.kind === 'mine') note(`that it was said could not be noted down: ${wrong}`);
  await saying.afterwards?.();
  try {
    if (saying.entry !== undefined && state.kind === 'open' && root !== undefined)
      appendSpool(state.folder, root, saying.entry);
  } catch (error) {
    note(`the journal could not be told: ${reasonOf(error)}`);
  }
  return true;
}

/** What the script claimed, if that stands in our own folder. */
function claimOf(
  state: HookFolder,
  given: string | undefined,
): { readonly name: string; readonly claim: Claim } | undefined {
  const match = /^([A-Za-z0-9_-]{1,80}(?:\.[A-Za-z0-9_-]{1,80})?)\/(\d{1,9})$/.exec(given ?? '');
  if (match === null || state.kind !== 'open') return undefined;
  const [, name = '', epoch = ''] = match;
  const folder = gateFolder(state.folder, name, Number(epoch));
  return { name, claim: adoptClaim(folder, 0) };
}

/** Ends as soon as enough is known: of a tool's use, when its input begins. */
async function readPayload(
  input: HookInput,
  dialect: Dialect,
  isGate: boolean,
): Promise<ReadonlyMap<string, unknown> | undefined> {
  const { toolInput, session } = dialect.fields;
  const reader: PayloadReader = payloadReader(
    (next, known) => isGate && toolInput.includes(next) && session.some((name) => typeof known.get(name) === 'string'),
  );
  let progress: Progress = reader.push(input.head);
  if (progress !== 'more') return progress === 'done' ? reader.fields : undefined;
  for await (const chunk of input.rest) {
    progress = reader.push(chunk);
    if (progress !== 'more') break;
  }
  return progress === 'done' ? reader.fields : undefined;
}
