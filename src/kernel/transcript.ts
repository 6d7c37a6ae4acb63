// Transcript: an agent's own log of a session, described as data: where it is, and which of its records contain text that
// reached the model, text that was only printed, and the model's answers. The formats are in transcript.ts of the agents'
// folders, the reader in sessions/transcripts/open.ts.

import type { Sha256 } from './hash.ts';
import { type Conditions, holds, textsAt, valuesAt } from './record-path.ts';
import type { UsageSpec } from './usage-rules.ts';

/** `given`: the text is part of the conversation that the model is sent; agents log it before they send it. `taken`: the agent
 *  logged that it accepted the text from a hook, joined with the texts of other hooks, but not what it did with it. `printed`:
 *  a hook or the agent printed it; the log does not show whether it reached the model. `answer`: text of the model. */
export type TextKind = 'given' | 'taken' | 'printed' | 'answer';

/** What a log says about the conversation without a text of its own. `reply`: something came from the model, a tool call, a
 *  thought, the tokens of a turn. `fault`: the service failed instead, and `text` is what the agent says about it. `sent`: what
 *  comes from the model after it belongs to a new request, where responses have no ids. `forgotten`: the model is no longer sent
 *  what stands before it. `began`: a turn began. `ended`: it is over, and the agent waits for the person. `step`: one more record of a
 *  conversation with branches. */
export type MarkKind = 'reply' | 'fault' | 'sent' | 'forgotten' | 'began' | 'ended' | 'step';

export interface TranscriptText {
  readonly kind: TextKind | MarkKind;
  /** `user`, `system`, `developer`, `tool`, `assistant`, as the agent has it. */
  readonly role: string;
  readonly text: string;
  readonly sessionId?: string;
  /** The agent logged it as typed by a person; absent where it does not log that. */
  readonly isHuman?: boolean;
  /** It belongs to a sub-agent, and to which, where the agent logs that. */
  readonly isSubagent?: boolean;
  readonly subagent?: string;
  /** The time as the agent wrote it: an ISO time, or milliseconds. */
  readonly at?: string;
  /** A turn begins with it; in a conversation with branches it decides which of them goes on. */
  readonly isPrompt?: boolean;
  /** It shows a command that the person ran, or what that printed. */
  readonly isOutput?: true;
  /** A hook's text that may stand behind a prompt whose request does not have it. */
  readonly isApart?: true;
  /** It stands in a record that repeats the conversation, not where it happened. */
  readonly isRetold?: boolean;
  /** The record in a conversation with branches, and the one before it on its branch. */
  readonly node?: string;
  readonly parent?: string;
  /** The response of the model that it is part of. */
  readonly response?: string;
  /** The status that the service sent with a fault. */
  readonly status?: number;
  /** The tool call that a reply is. */
  readonly call?: { readonly id: string; readonly name: string; readonly input: unknown };
  /** The file, or the session in a database: what stands in one log is one conversation. */
  readonly log?: string;
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
  /** Where the agent marks instead what it adds itself. */
  readonly isOwn?: Conditions;
  readonly isPrompt?: true;
}

/** One mark for each record that it fits; `text` and `status` are of a fault, `response` is the path of the id of the model's
 *  response, which several records may share. */
export interface MarkRule {
  readonly when: Conditions;
  readonly unless?: Conditions;
  readonly kind: Exclude<MarkKind, 'step'>;
  readonly text?: readonly string[];
  readonly status?: string;
  readonly response?: string;
  /** Paths of the tool call that the record is; where a log is a database nothing else shows them. */
  readonly call?: { readonly id: string; readonly name: string; readonly input: string };
}

interface Place extends UsageSpec {
  /** Below the person's home. */
  readonly folder: string;
  /** An environment variable that names another base folder, and the transcript folder below it. */
  readonly variable?: { readonly name: string; readonly folder?: string };
  readonly rules: readonly TextRule[];
  /** How texts begin that the agent writes down in the person's place, where nothing else in the record shows it: what a
   *  shell command of theirs printed, what it says about the folder. */
  readonly notTyped?: readonly string[];
  /** What shows that the model answered, failed or forgot. Without a `reply` among them nothing is ever served. */
  readonly marks: readonly MarkRule[];
  /** Paths of a record's id and of the one before it, where a conversation has branches. */
  readonly branch?: { readonly id: string; readonly parent: string };
  /** Paths of the session id; the first one that exists is used. */
  readonly session: readonly string[];
  readonly at: readonly string[];
  /** Beginnings of texts in the person's name that only show a command and its output. */
  readonly outputs?: readonly string[];
  /** How texts of hooks begin that may be written down, in a record of their own, behind a prompt whose request is on its way without
   *  them. */
  readonly apart?: readonly string[];
  readonly subagent?: Conditions;
  /** The path of a sub-agent's id. */
  readonly subagentId?: string;
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
  /** The first record of a file that is a sub-agent's as a whole. */
  readonly subagentFile?: Conditions;
  /** A file in each folder that `*` matches, which contains the working directory. */
  readonly mark?: string;
  /** The folders that `*` matches are years, months and days: the newest ones are enough. */
  readonly isDated?: boolean;
  /** A session that goes on in a conversation which a launch named has a second file beside it, without messages; the agent's own
   *  clean-up then deletes both. */
  readonly leavesEmptyTwin?: true;
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

/** A session of an agent, by the agent's own id, and the time up to which it was read. */
export interface SessionAsk {
  readonly agent: string;
  readonly session: string;
  readonly sinceMs: number;
}

/** A database that belongs to another program. */
export interface ForeignDatabase {
  /** Text columns are returned as strings, whatever bytes they contain. */
  all(sql: string, ...values: readonly (string | number)[]): readonly Readonly<Record<string, unknown>>[];
  close(): void;
}

/** Rejects when it cannot be opened. */
export type OpenForeignDatabase = (file: string) => Promise<ForeignDatabase>;

/** The record, and those inside of it. */
export function recordsIn(spec: TranscriptSpec, record: unknown): readonly unknown[] {
  const inside = spec.store === 'lines' ? (spec.inside ?? []) : [];
  return [record, ...inside.flatMap((path) => valuesAt(record, path))];
}

/** The texts and marks in one record. `evidence` is the place of the record. */
export function textsInRecord(spec: TranscriptSpec, record: unknown, evidence: string): readonly TranscriptText[] {
  const found = recordsIn(spec, record).flatMap((one, index) => {
    const about = { ...factsOf(spec, one), ...(index > 0 ? { isRetold: true } : {}), evidence };
    return [
      ...spec.marks.flatMap((rule) => marksByRule(rule, one, about)),
      ...spec.rules.flatMap((rule) => textsByRule(rule, one, { spec, about })).map((text) => withOutput(spec, text)),
    ];
  });
  const about = { ...factsOf(spec, record), evidence };
  return found.length === 0 && about.node !== undefined ? [{ ...about, kind: 'step', role: '', text: '' }] : found;
}

type RecordFacts = Omit<TranscriptText, 'kind' | 'role' | 'text'>;

function factsOf(spec: Place, record: unknown): Omit<RecordFacts, 'evidence'> {
  const sessionId = firstText(record, spec.session);
  const at = firstText(record, spec.at);
  const { node, parent } = branchOfRecord(spec, record);
  const isSubagent = spec.subagent !== undefined && holds(spec.subagent, record);
  const subagent = spec.subagentId === undefined ? undefined : firstText(record, [spec.subagentId]);
  return {
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(isSubagent ? { isSubagent: true } : {}),
    ...(isSubagent && subagent !== undefined ? { subagent } : {}),
    ...(at === undefined ? {} : { at }),
    ...(node === undefined ? {} : { node, parent: parent ?? '' }),
  };
}

function fits({ when, unless }: Pick<TextRule, 'when' | 'unless'>, record: unknown): boolean {
  return holds(when, record) && (unless === undefined || !holds(unless, record));
}

function marksByRule(rule: MarkRule, record: unknown, about: RecordFacts): readonly TranscriptText[] {
  if (!fits(rule, record)) return [];
  const text = firstText(record, rule.text ?? []) ?? '';
  const status =
    rule.status === undefined ? undefined : valuesAt(record, rule.status).map(Number).find(Number.isFinite);
  const response = rule.response === undefined ? undefined : firstText(record, [rule.response]);
  return [
    {
      ...about,
      kind: rule.kind,
      role: '',
      text,
      ...(status === undefined ? {} : { status }),
      ...(response === undefined ? {} : { response }),
      ...callOf(rule, record),
    },
  ];
}

function callOf({ call }: MarkRule, record: unknown): Pick<TranscriptText, 'call'> {
  if (call === undefined) return {};
  const [id, name] = [firstText(record, [call.id]), firstText(record, [call.name])];
  if (id === undefined || name === undefined) return {};
  return { call: { id, name, input: valuesAt(record, call.input)[0] } };
}

/** Whether the agent wrote this text down in the person's place. */
export function isNotTyped({ notTyped = [] }: Pick<TranscriptSpec, 'notTyped'>, text: string): boolean {
  const words = text.trimStart();
  return notTyped.some((start) => words.startsWith(start));
}

function textsByRule(rule: TextRule, record: unknown, { spec, about }: RuleOf): readonly TranscriptText[] {
  if (!fits(rule, record)) return [];
  const facts = {
    kind: rule.kind,
    role: (rule.roleAt === undefined ? undefined : firstText(record, [rule.roleAt])) ?? rule.role,
    ...about,
    ...(rule.isHuman === undefined ? {} : { isHuman: holds(rule.isHuman, record) }),
    ...(rule.isPrompt === undefined ? {} : { isPrompt: true }),
  };
  const texts = rule.text.flatMap((path) => textsAt(record, path)).filter((text) => text !== '');
  const isOwn = rule.isOwn !== undefined && holds(rule.isOwn, record);
  const isOfAgent = (text: string) => isOwn || (facts.role === 'user' && isNotTyped(spec, text));
  return texts.map((text) => ({ ...facts, ...(isOfAgent(text) ? { isHuman: false } : {}), text }));
}

interface RuleOf {
  readonly spec: TranscriptSpec;
  readonly about: RecordFacts;
}

function withOutput({ outputs = [], apart = [] }: Place, text: TranscriptText): TranscriptText {
  if (text.kind !== 'given') return text;
  const begins = (all: readonly string[]) => all.some((begin) => text.text.trimStart().startsWith(begin));
  if (begins(apart)) return { ...text, isApart: true };
  return begins(outputs) ? { ...text, isOutput: true } : text;
}

/** Whether this first record of a file says that all of it is a sub-agent's. */
export function isOfSubagent(spec: TranscriptSpec, first: unknown): boolean {
  return spec.store === 'lines' && spec.subagentFile !== undefined && holds(spec.subagentFile, first);
}

/** When a record was written, as the agent has it. */
export function timeOfRecord(spec: TranscriptSpec, record: unknown): string | undefined {
  return firstText(record, spec.at);
}

/** The record in a conversation with branches, and the one before it on its branch, which a first record has not. */
export function branchOfRecord(
  { branch }: Place,
  record: unknown,
): { readonly node?: string; readonly parent?: string } {
  const node = branch === undefined ? undefined : firstText(record, [branch.id]);
  if (branch === undefined || node === undefined) return {};
  const parent = firstText(record, [branch.parent]);
  return { node, ...(parent === undefined ? {} : { parent }) };
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
