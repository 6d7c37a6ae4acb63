// Transcript: an agent's own log of a session, described as data: where it is, and which of its records contain text that
// reached the model, text that was only printed, and the model's answers. The formats are in transcript.ts of the agents'
// folders, the reader in sessions/transcripts/open.ts.

import type { Sha256 } from './hash.ts';
import { type Conditions, holds, textsAt, valuesAt } from './record-path.ts';

/** `given`: the text reached the model. `taken`: the agent logged that it accepted the text from a hook, joined with the
 *  texts of other hooks, but not what it did with it. `printed`: a hook or the agent printed it; the log does not show
 *  whether it reached the model. `answer`: text of the model. */
export type TextKind = 'given' | 'taken' | 'printed' | 'answer';

export interface TranscriptText {
  readonly kind: TextKind;
  /** `user`, `system`, `developer`, `tool`, `assistant`, as the agent has it. */
  readonly role: string;
  readonly text: string;
  readonly sessionId?: string;
  /** The agent logged it as typed by a person; absent where it does not log that. */
  readonly isHuman?: boolean;
  /** It belongs to a sub-agent. */
  readonly isSubagent?: boolean;
  /** The time as the agent wrote it: an ISO time, or milliseconds. */
  readonly at?: string;
  /** The file and the line, or the table and the id. */
  readonly evidence: string;
}

export interface TextRule {
  readonly when: Conditions;
  readonly unless?: Conditions;
  readonly kind: TextKind;
  readonly role: string;
  /** The path of the role, where the record has one. */
  readonly roleAt?: string;
  /** Paths (kernel/record-path.ts); each string found is one text. */
  readonly text: readonly string[];
  readonly isHuman?: Conditions;
}

interface Place {
  /** Below the person's home. */
  readonly folder: string;
  /** An environment variable that names another base folder, and the transcript folder below it. */
  readonly variable?: { readonly name: string; readonly folder?: string };
  readonly rules: readonly TextRule[];
  /** Paths of the session id; the first one that exists is used. */
  readonly session: readonly string[];
  readonly at: readonly string[];
  readonly subagent?: Conditions;
}

/** One JSON value per line, in files that only grow. */
export interface LinesSpec extends Place {
  readonly store: 'lines';
  /** Patterns below the folder: `*` is any part of a name, `{session}` the session's id, `{slug}` the working directory. */
  readonly files: readonly string[];
  readonly slug?: SlugForm;
  /** Lists of records inside a record. */
  readonly inside?: readonly string[];
  /** The path of the working directory in a record, when the file's path does not contain it. */
  readonly cwd?: { readonly path: string; readonly form: 'path' | 'sha256' };
  /** A file in each folder that `*` matches, which contains the working directory. */
  readonly mark?: string;
  /** The folders that `*` matches are years, months and days: the newest ones are enough. */
  readonly isDated?: boolean;
}

/** A SQLite database of the agent, read-only. */
export interface DatabaseSpec extends Place {
  readonly store: 'database';
  readonly file: string;
  /** Returns `id`, `changedAt` and others, oldest change first, text as bytes. Its parameters are the time to start from and
   *  the start of the session in milliseconds, the working directory, the session's id or an empty string, and limit and
   *  offset. */
  readonly sql: string;
  /** The columns that are JSON. */
  readonly json: readonly string[];
}

export type TranscriptSpec = LinesSpec | DatabaseSpec;

export interface TranscriptReader {
  /** The texts since the last poll, in order. Never rejects; cheap when there are none. */
  poll(): Promise<readonly TranscriptText[]>;
  /** Reads only this file from now on, because the agent named it. False when it is outside the agent's folder. */
  follow(path: string): Promise<boolean>;
  /** What could not be read, for people. */
  readonly notes: readonly string[];
  close(): void;
}

/** A database that belongs to another program. */
export interface ForeignDatabase {
  /** Text columns are returned as strings, whatever bytes they contain. */
  all(sql: string, ...values: readonly (string | number)[]): readonly Readonly<Record<string, unknown>>[];
  close(): void;
}

/** Rejects when it cannot be opened. */
export type OpenForeignDatabase = (file: string) => Promise<ForeignDatabase>;

/** The texts in one record. `evidence` is the place of the record. */
export function textsInRecord(spec: TranscriptSpec, record: unknown, evidence: string): readonly TranscriptText[] {
  const inside = spec.store === 'lines' ? (spec.inside ?? []) : [];
  const records = [record, ...inside.flatMap((path) => valuesAt(record, path))];
  return records.flatMap((one) => spec.rules.flatMap((rule) => textsByRule(spec, rule, one, evidence)));
}

function textsByRule(spec: Place, rule: TextRule, record: unknown, evidence: string): readonly TranscriptText[] {
  if (!holds(rule.when, record) || (rule.unless !== undefined && holds(rule.unless, record))) return [];
  const sessionId = firstText(record, spec.session);
  const at = firstText(record, spec.at);
  const about = {
    kind: rule.kind,
    role: (rule.roleAt === undefined ? undefined : firstText(record, [rule.roleAt])) ?? rule.role,
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(rule.isHuman === undefined ? {} : { isHuman: holds(rule.isHuman, record) }),
    ...(spec.subagent !== undefined && holds(spec.subagent, record) ? { isSubagent: true } : {}),
    ...(at === undefined ? {} : { at }),
    evidence,
  };
  const texts = rule.text.flatMap((path) => textsAt(record, path)).filter((text) => text !== '');
  return texts.map((text) => ({ ...about, text }));
}

/** The session that a record belongs to. */
export function sessionOfRecord(spec: TranscriptSpec, record: unknown): string | undefined {
  return firstText(record, spec.session);
}

/** The working directory of a file, from one of its records. */
export function cwdOfRecord(spec: LinesSpec, record: unknown): string | undefined {
  return spec.cwd === undefined ? undefined : firstText(record, [spec.cwd.path]);
}

/** The value that a record has for this working directory. */
export function recordedCwd(spec: LinesSpec, cwd: string, sha256: Sha256): string {
  return spec.cwd?.form === 'sha256' ? sha256(cwd) : cwd;
}

/** How agents turn a path into one name. */
export type SlugForm =
  /** Everything but ASCII letters and digits becomes `-`. */
  | 'dashes'
  /** `--` around it, slashes and colons become `-`, the first slash is dropped. */
  | 'double-dashes';

export function slugOf(cwd: string, form: SlugForm): string {
  if (form === 'dashes') return cwd.replace(/[^A-Za-z0-9]/g, '-');
  return `--${cwd.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`;
}

function firstText(record: unknown, paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const [text] = textsAt(record, path);
    if (text !== undefined) return text;
  }
  return undefined;
}
