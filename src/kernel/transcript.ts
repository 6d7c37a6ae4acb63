// Transcript: what an agent writes down itself, described as data: where it is, and which of its records hold text that
// the model was given, text that was merely printed, and the model's answers. The formats are in transcript.ts
// of the agents' folders, the reader in sessions/transcripts/open.ts.

import type { Sha256 } from './hash.ts';
import { type Conditions, holds, textsAt, valuesAt } from './record-path.ts';

/** `given`: it is in what the model was given. `taken`: the agent itself wrote down that it took it from a hook, as one
 *  text with what others said, but not what it made of it. `printed`: a hook or the agent printed it; whether a model ever
 *  saw it is not said. `answer`: the model's own words. */
export type TextKind = 'given' | 'taken' | 'printed' | 'answer';

export interface TranscriptText {
  readonly kind: TextKind;
  /** `user`, `system`, `developer`, `tool`, `assistant`, as the agent has it. */
  readonly role: string;
  readonly text: string;
  readonly sessionId?: string;
  /** The agent took it for typed by a person; absent where it does not tell. */
  readonly isHuman?: boolean;
  /** It is of an agent that the agent started. */
  readonly isSubagent?: boolean;
  /** As the agent wrote it: an ISO time, or milliseconds. */
  readonly at?: string;
  /** The file and the line, or the table and the id. */
  readonly evidence: string;
}

export interface TextRule {
  readonly when: Conditions;
  readonly unless?: Conditions;
  readonly kind: TextKind;
  readonly role: string;
  /** A path that says the role, where there is one. */
  readonly roleAt?: string;
  /** Paths (kernel/record-path.ts); each text found is one. */
  readonly text: readonly string[];
  readonly isHuman?: Conditions;
}

interface Place {
  /** Below the person's home. */
  readonly folder: string;
  /** A variable that names another folder in place of it, and what of it is ours. */
  readonly variable?: { readonly name: string; readonly folder?: string };
  readonly rules: readonly TextRule[];
  /** Paths that may hold it; the first that does. */
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
  /** Where a file tells which working directory it is about, when its path does not. */
  readonly cwd?: { readonly path: string; readonly form: 'path' | 'sha256' };
  /** A file in each folder that `*` stands for, which holds the working directory. */
  readonly mark?: string;
  /** The folders that `*` stands for are years, months and days: the last ones are enough. */
  readonly isDated?: boolean;
}

/** A SQLite database of the agent, read and never written. */
export interface DatabaseSpec extends Place {
  readonly store: 'database';
  readonly file: string;
  /** Answers `id`, `changedAt` and others, oldest change first, text as bytes; gets the time since when and the time the
   *  session began in milliseconds, the working directory, the session's id or an empty text, and how many rows to
   *  answer after how many. */
  readonly sql: string;
  /** The columns that are JSON. */
  readonly json: readonly string[];
}

export type TranscriptSpec = LinesSpec | DatabaseSpec;

export interface TranscriptReader {
  /** What was written since the last time, in order. Never rejects; cheap when nothing was. */
  poll(): Promise<readonly TranscriptText[]>;
  /** The agent named its transcript: from now on only this file is read. False when it lies outside of the agent's
   *  folder. */
  follow(path: string): Promise<boolean>;
  /** What could not be read, for people. */
  readonly notes: readonly string[];
  close(): void;
}

/** A database that belongs to somebody else. */
export interface ForeignDatabase {
  /** Text columns come as text, whatever bytes they hold. */
  all(sql: string, ...values: readonly (string | number)[]): readonly Readonly<Record<string, unknown>>[];
  close(): void;
}

/** Rejects when it cannot be opened. */
export type OpenForeignDatabase = (file: string) => Promise<ForeignDatabase>;

/** The texts in one record. `evidence` says where it stands. */
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

/** Which session a record says it is of. */
export function tellsSession(spec: TranscriptSpec, record: unknown): string | undefined {
  return firstText(record, spec.session);
}

/** Which working directory a record says its file is about. */
export function tellsCwd(spec: LinesSpec, record: unknown): string | undefined {
  return spec.cwd === undefined ? undefined : firstText(record, [spec.cwd.path]);
}

/** What a record says of this working directory. */
export function recordedCwd(spec: LinesSpec, cwd: string, sha256: Sha256): string {
  return spec.cwd?.form === 'sha256' ? sha256(cwd) : cwd;
}

/** How agents make one name of a path. */
export type SlugForm =
  /** Everything but ASCII letters and digits becomes `-`. */
  | 'dashes'
  /** `--` around it, slashes and colons become `-`, the first slash goes. */
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
