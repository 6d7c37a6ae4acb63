// The dispatcher: one hook from its payload to its output. Prints nothing, or one JSON object, and never throws: a hook
// that fails must not be noticed by the agent, only by the log.

import { resolve } from 'node:path';
import { HOOK_EVENTS, type HookEvent } from '../kernel/hook-events.ts';
import { makeRedactor } from '../kernel/redact.ts';
import { type Environment, secretsFromEnv } from '../system/environment.ts';
import type { RootPlaces } from '../system/files/project-state.ts';
import { adoptClaim, completeClaim, type HookClaim, isStillMine, releaseClaim } from './claims.ts';
import { DIALECTS, type Dialect, hookOutput } from './dialects.ts';
import { gate } from './gate.ts';
import { type HookCall, type HookOutput, type HookPorts, hookCallOf, isLive } from './hook-call.ts';
import { type PayloadProgress, type PayloadReader, payloadReader } from './payload.ts';
import { forgetRecord, keepRecord, keptTextOf, makeReady, recordOf, removeReady } from './records.ts';
import { gateFolder, type HookFolder, log, openPlaces, openState } from './state.ts';
import { sweep } from './sweep.ts';

export interface HookInput {
  readonly event: string;
  readonly agent: string;
  /** Bytes of standard input that were read before. */
  readonly head: Uint8Array;
  /** What comes after them; asked only when they are not enough. */
  readonly rest: AsyncIterable<Uint8Array>;
  /** From foreword-hook: the session, epoch and number of the claim it made, `-` for none, `nul` when it dropped bytes,
   *  `quiet` when nobody reads what is printed. */
  readonly claim?: string;
  /** The root of the project in which it made the claim. */
  readonly claimedIn?: string;
  readonly env: Environment;
  readonly cwd: string;
}

/** Earlier names, which an installed entry may still have. */
const ALIASES: Readonly<Record<string, HookEvent>> = { 'after-tool': 'post-tool', compact: 'pre-compact' };

export async function runHook(input: HookInput, ports: HookPorts): Promise<void> {
  const state = openState(input.env);
  const note = (line: string): void => {
    const clean = makeRedactor(secretsFromEnv(input.env))(line);
    const isWritten =
      state.kind === 'open' && log(state.folder, `${input.event} ${input.agent}: ${clean}`, ports.now());
    if (!isWritten) ports.complain(clean);
  };
  try {
    await run(input, ports, { state, note });
  } catch (error) {
    note(`failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

interface HookRun {
  readonly state: HookFolder;
  readonly note: (line: string) => void;
}

async function run(input: HookInput, ports: HookPorts, { state, note }: HookRun): Promise<void> {
  const event = HOOK_EVENTS.find((one) => one === (ALIASES[input.event] ?? input.event));
  const dialect = Object.hasOwn(DIALECTS, input.agent) ? DIALECTS[input.agent] : undefined;
  const claimed = claimOf(state, input);
  const isGate = event === 'pre-tool' || event === 'post-tool';
  const drop = (why: string): void => {
    if (claimed !== undefined) releaseClaim(claimed.claim);
    if (why !== '') note(why);
  };
  if (event === undefined) return drop('unknown event; run foreword init to fix the entries');
  if (dialect === undefined) return drop('unknown agent; run foreword init to fix the entries');
  if (input.claim === 'nul') return drop('the payload holds a NUL byte, so it is not JSON');
  const fields = await readPayload(input, dialect, isGate);
  if (fields === undefined) return drop('the payload is not a complete JSON object');
  const given = { event, dialect, env: input.env, ports, state, note, cwd: input.cwd };
  const call = hookCallOf(given, fields, claimed?.name);
  if (call === undefined) return drop('');
  const isInPlace = claimed?.places.folder === call.state.places.folder;
  if (!isInPlace) drop('');
  const isGatesTurn = event === dialect.gate && call.root !== undefined && !isDropped(dialect, fields);
  if (isGate && !isGatesTurn) drop('');
  const output = isGate && !isGatesTurn ? undefined : await decide(call, isInPlace ? claimed?.claim : undefined);
  const hasReader = input.claim !== 'quiet';
  // Left to the next call, which has a reader.
  if (output !== undefined && !hasReader) releaseClaim(output.claim);
  const isPrinted = output !== undefined && hasReader && (await printOutput(call, output));
  if (isLive(call)) {
    const { notifyHost } = await import('./live.ts');
    await notifyHost(call, isPrinted && output.entry === undefined ? output.id : undefined);
  }
  if (isPrinted && call.state.kind === 'open') sweep(call.state.places, ports.now());
}

async function decide(call: HookCall, claim: HookClaim | undefined): Promise<HookOutput | undefined> {
  const { event } = call;
  if (event === 'pre-tool' || event === 'post-tool') return gate(call, claim);
  // A tool waits for the gate, so the rest is not even read for it.
  return (await import('./other-events.ts')).decideOther(event, call);
}

async function printOutput(call: HookCall, output: HookOutput): Promise<boolean> {
  const { ports, note } = call;
  const record = await recordOf(call, output);
  const ready = makeReady(output.claim, record, keptTextOf(call, output.text, makeRedactor(secretsFromEnv(call.env))));
  // Last of all: on a machine that is busy enough, to make the record took so long that another hook had printed meanwhile.
  if (!isStillMine(output.claim, ports.now())) {
    removeReady(ready);
    return false;
  }
  if (!ports.print(hookOutput(call.dialect, call.event, output.text))) {
    removeReady(ready);
    releaseClaim(output.claim);
    return false;
  }
  const wrong = completeClaim(output.claim, ready);
  if (wrong !== undefined) removeReady(ready);
  if (wrong !== undefined && output.claim.kind === 'mine')
    note(`the marker of the printed text could not be written: ${wrong}`);
  await keepRecord(call, record);
  // What is there otherwise is the record of the hook that completed it.
  if (output.claim.kind === 'mine' && wrong === undefined) forgetRecord(output.claim.folder);
  return true;
}

/** What the script claimed, if it is in our own folder. */
function claimOf(
  state: HookFolder,
  { claim = '', claimedIn = '' }: Pick<HookInput, 'claim' | 'claimedIn'>,
): { readonly name: string; readonly claim: HookClaim; readonly places: RootPlaces } | undefined {
  const match = /^([A-Za-z0-9_-]{1,80}(?:\.[A-Za-z0-9_-]{1,80})?)\/(\d{1,9})\/(\d{1,9})$/.exec(claim);
  if (match === null || resolve(claimedIn) !== claimedIn) return undefined;
  const { kind, places } = openPlaces(state, claimedIn);
  if (kind !== 'open') return undefined;
  const [, name = '', epoch = '', number = ''] = match;
  return { name, places, claim: adoptClaim(gateFolder(places, name, Number(epoch)), Number(number)) };
}

/** Whether the agent would drop what is printed now. A payload too long to keep does not show it. */
function isDropped({ failedTool }: Dialect, fields: ReadonlyMap<string, unknown>): boolean {
  const value = failedTool === undefined ? undefined : fields.get(failedTool.field);
  if (failedTool === undefined || typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, failedTool.key);
}

/** Ends as soon as enough is known: of a tool's use, when its input begins, unless the rest shows whether it failed. */
async function readPayload(
  input: HookInput,
  dialect: Dialect,
  isGate: boolean,
): Promise<ReadonlyMap<string, unknown> | undefined> {
  const { toolInput, session } = dialect.fields;
  const reader: PayloadReader = payloadReader(
    (next, known) =>
      isGate &&
      dialect.failedTool === undefined &&
      toolInput.includes(next) &&
      session.some((name) => typeof known.get(name) === 'string'),
  );
  let progress: PayloadProgress = reader.push(input.head);
  if (progress !== 'more') return progress === 'done' ? reader.fields : undefined;
  for await (const chunk of input.rest) {
    progress = reader.push(chunk);
    if (progress !== 'more') break;
  }
  return progress === 'done' ? reader.fields : undefined;
}
