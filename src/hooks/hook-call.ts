// Hook call: one hook as the agent called it, with everything that is known of it. Made once; what is done about it is decided in
// one file per kind of event.

import { realpathSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { HeaderDelta, ShownHeader } from '../context/header-delta.ts';
import type { HookEvent } from '../kernel/hook-events.ts';
import type { SessionAsk, TranscriptText } from '../kernel/transcript.ts';
import type { Environment } from '../system/environment.ts';
import { isProjectOn } from '../system/files/is-on.ts';
import { findRoot } from '../system/files/project.ts';
import { isInRun } from '../system/files/project-state.ts';
import type { HookClaim } from './claims.ts';
import { type Dialect, PROJECT_VARIABLES, textField } from './dialects.ts';
import type { SpoolEntry } from './spool.ts';
import { type HookFolder, hashOf, type KeptPlaces, openPlaces, sessionFolder, sessionName } from './state.ts';

/** What a hook needs that is too heavy for every one of them, or that a test has its own of. */
export interface HookPorts {
  now(): number;
  /** Milliseconds since the program began. */
  elapsed(): number;
  /** One write to standard output. False when nobody reads it. */
  print(text: string): boolean;
  /** A line to standard error, for what cannot be logged. */
  complain(line: string): void;
  /** A new id, `fw_…`. */
  newId(): string;
  /** Takes secrets out; the names are of further variables that hold one. */
  redactor(variables: readonly string[]): (text: string) => string;
  /** The context of a new session; `shown` is the header in it. `undefined` when there is nothing. May throw. */
  startup(
    root: string,
    maxChars: number,
    reader: StartupReader,
  ): Promise<(SentHeader & { readonly text: string }) | undefined>;
  /** With faults it is not known what changed. May throw. */
  header(root: string, before: ShownHeader | undefined, maxChars: number): Promise<HeaderDelta & SentHeader>;
  /** What an agent wrote into its database since a time, oldest first. Never rejects. */
  textsSince(ask: SessionAsk): Promise<readonly TranscriptText[]>;
  /** Keeps what the session did so far, for the next one. May throw. */
  keepWork(moment: WorkEvent): Promise<void>;
}

/** Who reads a startup context. */
export interface StartupReader {
  readonly agent: string;
  /** The agent's own id of the session. */
  readonly session: string;
  readonly transcript: string | undefined;
  /** It lost what it had: what it did so far is put before it. */
  readonly isCompacted: boolean;
  /** The person cleared the conversation before it. */
  readonly isCleared?: boolean;
  /** It is part of a session that was given what sessions before did. */
  readonly isSubagent?: boolean;
}

/** An event at which the facts of a session are kept. */
export interface WorkEvent {
  readonly event: 'start' | 'turn' | 'end';
  readonly agent: string;
  readonly session: string;
  readonly transcript: string | undefined;
  readonly root: string;
  /** More environment variables with secret values. */
  readonly secretVariables: readonly string[];
}

interface SentHeader {
  readonly shown: ShownHeader;
  /** What could not be read, for the log. */
  readonly faults?: readonly string[];
}

export interface HookCall {
  readonly event: HookEvent;
  readonly dialect: Dialect;
  readonly env: Environment;
  readonly ports: HookPorts;
  /** What is kept for the project, or for the folder when it is not on. */
  readonly state: KeptPlaces;
  /** The project, when it is on. */
  readonly root: string | undefined;
  /** Where the agent works. */
  readonly cwd: string;
  /** The agent's own ids. */
  readonly session: string;
  readonly subagent: string | undefined;
  /** How this session is named where we keep things, and the folder of what belongs to it. */
  readonly name: string;
  readonly folder: string;
  readonly source: string | undefined;
  readonly transcript: string | undefined;
  readonly prompt: string | undefined;
  /** The tool that is about to be used, or was, as the agent calls it. */
  readonly tool: string | undefined;
  readonly reason: string | undefined;
  readonly trigger: string | undefined;
  /** A line in the log. */
  note(line: string): void;
}

/** What a hook prints. It is printed only while the claim still holds, and the claim is completed after it. */
export interface HookOutput {
  readonly id: string;
  /** What it is, where it may be printed again when the agent loses it. */
  readonly what?: 'startup' | 'prompt' | 'gate';
  readonly text: string;
  readonly claim: HookClaim;
  /** The header in it, which the session need not be sent again. */
  readonly header?: ShownHeader;
  /** For the journal; absent for what the host of a live session handed over: the host records that itself. */
  readonly entry?: SpoolEntry;
}

/** `claimedName` is how foreword-hook named the session, when it did. `undefined` without a session id, and in
 *  a checkout. */
export function hookCallOf(
  given: Pick<HookCall, 'event' | 'dialect' | 'env' | 'ports' | 'note'> & {
    readonly cwd: string;
    readonly state: HookFolder;
  },
  fields: ReadonlyMap<string, unknown>,
  claimedName: string | undefined,
): HookCall | undefined {
  const names = given.dialect.fields;
  const session = textField(fields, names.session);
  if (session === undefined) return undefined;
  const subagent = textField(fields, names.subagent);
  const folder = textField(fields, names.folder);
  const prompt = names.prompt.map((one) => fields.get(one)).find((value) => typeof value === 'string');
  const cwd = folder !== undefined && isAbsolute(folder) ? folder : given.cwd;
  const name = claimedName ?? sessionName(session, subagent);
  // In the order of foreword-hook.sh.
  const roots = rootsOf([cwd, given.cwd, ...PROJECT_VARIABLES.map((variable) => given.env[variable])]);
  // Without the folder of the run, nothing is kept for a checkout.
  if (!isInRun(given.env) && roots.some((one) => CHECKOUT.test(one))) return undefined;
  const root = roots.find((one) => isProjectOn(given.state.folder, one));
  const state = openPlaces(given.state, root ?? roots[0] ?? '/');
  return {
    ...given,
    session,
    subagent,
    cwd,
    root,
    state,
    name,
    folder: sessionFolder(state.places, name),
    source: textField(fields, names.source),
    transcript: textField(fields, names.transcript),
    prompt: typeof prompt === 'string' ? prompt : undefined,
    tool: textField(fields, ['tool_name', 'toolName']),
    reason: textField(fields, names.reason),
    trigger: textField(fields, names.trigger),
  };
}

/** Whether a host of ours holds the session. */
export function isLive({ env }: Pick<HookCall, 'env'>): boolean {
  return (env.FOREWORD_SESSION ?? '') !== '';
}

/** The roots of the projects that these lie in, links resolved. */
function rootsOf(folders: readonly (string | undefined)[]): readonly string[] {
  const real = folders.flatMap((folder) => {
    if (folder === undefined || !isAbsolute(folder) || folder.includes('\0')) return [];
    try {
      return [realpathSync.native(folder)];
    } catch {
      // Gone, or not to be looked into: not a place to work in.
      return [];
    }
  });
  return [...new Set(real)].map((folder) => findRoot(folder));
}

/** As in foreword-hook.sh, and in system/files/find-checkout.ts, which is too much to load here. */
const CHECKOUT = /\/p[0-9a-f]{16}\/(?:checkouts\/)?[1-9]\d{0,5}\/tree(?:\/|$)/;

/** The part of a journal entry that all have. */
export function entryBase(call: HookCall): Pick<SpoolEntry, 'id' | 'at' | 'agent' | 'session'> {
  const { ports, dialect, session } = call;
  const plain = session.length <= 80 ? session.toWellFormed() : `~${hashOf(session)}`;
  const id = ports.newId().replace('fw_', () => 'evt_');
  return { id, at: new Date(ports.now()).toISOString(), agent: dialect.agent, session: plain };
}
