// The state that the page shows, with its texts. Server and page share this file.
// Times are ISO and become ages in the page, so that an unchanged value need not be sent again. An unknown value is absent
// or `unknown`, never 0.

/** How good or bad a state is. The page gives each tone a sign and a colour; the word names the state. */
export type Tone = 'good' | 'active' | 'waiting' | 'bad' | 'unknown' | 'plain';

export interface ShownState {
  readonly word: string;
  readonly tone: Tone;
}

export interface Shown {
  readonly project: string;
  readonly root: string;
  /** Most pressing first. */
  readonly needs: Listed<Need>;
  readonly sessions: readonly SessionRow[];
  readonly arrivals: Listed<ArrivalRow>;
  readonly agents: readonly AgentRow[];
  readonly measured: readonly MeasuredRow[];
  /** Branches whose work is not all merged, newest first. */
  readonly runs: Listed<RunRow>;
  readonly tasks: Listed<TaskRow>;
  readonly effect: EffectShown;
  readonly gates: Listed<GateRow>;
}

/** A list that may be cut: `hidden` is the number of rows that are left out. */
export interface Listed<T> {
  readonly rows: readonly T[];
  readonly hidden: number;
}

/** Something that waits for a person. */
export interface Need {
  readonly state: ShownState;
  /** What needs the person: a session, a task, an agent. */
  readonly who: string;
  readonly why: string;
  /** What to do; a command when there is one. */
  readonly todo: string;
  /** Further commands to choose from. */
  readonly more?: readonly string[];
  readonly since?: string;
}

export interface SessionRow {
  readonly id: string;
  readonly agent: string;
  readonly state: ShownState;
  /** The line of the screen that decided. */
  readonly evidence?: string;
  readonly startedAt: string;
  /** The terminal, and the machine if it is another one. */
  readonly where: string;
  readonly waiting: readonly { readonly id: string; readonly reason: string }[];
}

export const MOMENTS = [
  'session-start',
  'first-tool',
  'prompt',
  'compaction',
  'sub-agent',
  'switch',
  'retry',
  'review',
] as const;
export type ShownMoment = (typeof MOMENTS)[number];

/** One session of ours, one of an agent that has our hooks, or one task of a run. */
export interface ArrivalRow {
  readonly id: string;
  readonly kind: 'session' | 'hooks' | 'run';
  /** `unknown` when no record has it. */
  readonly agent: string;
  /** Of the newest text in it. */
  readonly at: string;
  readonly cells: Readonly<Partial<Record<ShownMoment, ArrivalCell>>>;
}

export interface ArrivalCell {
  /** What became of the newest text. */
  readonly state: ShownState;
  /** Steps of proof, 1 (queued) to 5 (acknowledged); absent when the scale does not apply. */
  readonly proof?: number;
  readonly at: string;
  /** The evidence for it, or why it did not arrive. */
  readonly because?: string;
  readonly total: number;
  readonly arrived: number;
  /** The newest delivery, whose text the page can request. */
  readonly delivery?: string;
}

export interface AgentRow {
  readonly agent: string;
  readonly state: ShownState;
  readonly reason?: string;
  /** When it last ran to its end. */
  readonly workedAt?: string;
  /** When it may be tried again. */
  readonly until?: string;
}

export interface MeasuredRow {
  readonly agent: string;
  readonly version: string;
  readonly at: string;
  readonly installed: ShownState;
  /** One per way in, in the order of WAYS. */
  readonly cells: readonly MeasuredCell[];
}

export interface MeasuredCell {
  readonly title: string;
  readonly state: ShownState;
  /** How long it took, or why it failed. */
  readonly detail?: string;
}

export interface RunRow {
  readonly id: string;
  readonly branch: string;
  /** The branch, where it began, and what is on it. */
  readonly line: string;
  readonly state: ShownState;
  /** Of completed tasks, not merged yet. */
  readonly commits: number;
  readonly startedAt: string;
  /** Empty while a task runs, and when there is nothing to merge. */
  readonly commands: readonly string[];
}

export interface TaskRow {
  readonly id: string;
  readonly state: ShownState;
  readonly intent: string;
  readonly reason?: string;
  /** Its commit on the run's branch, as git shortens it. */
  readonly commit?: string;
  /** By whose word it is completed. */
  readonly by?: 'checks' | 'person';
  /** ISO time at which a person merged its commit. */
  readonly merged?: string;
  /** The process that works on it. */
  readonly supervisor?: { readonly state: 'alive' | 'gone' | 'unknown'; readonly pid: number; readonly host: string };
  /** What a person can do with it. */
  readonly commands: readonly string[];
  readonly changedAt: string;
  readonly marks: readonly TaskMark[];
  /** Earlier attempts that are not shown. */
  readonly hidden: number;
}

/** One entry of a task's timeline, oldest first. */
export type TaskMark =
  | {
      readonly kind: 'attempt';
      readonly number: number;
      readonly agent: string;
      readonly state: ShownState;
      readonly durationMs: number;
      readonly files: number;
      /** Tokens and cost, of those who judged it too; absent when its record has none. */
      readonly used?: string;
      /** How it was kept in its workspace; absent when its record does not say. */
      readonly box?: ShownState;
      readonly detail?: string;
      readonly hasHandover: boolean;
    }
  | { readonly kind: 'switch'; readonly from: string; readonly to: string; readonly reason: string }
  /** What a person did with its work. */
  | { readonly kind: 'person'; readonly state: ShownState; readonly at: string; readonly detail?: string }
  | {
      readonly kind: 'underway';
      readonly number: number;
      readonly agent: string;
      readonly startedAt: string;
      readonly state: ShownState;
    };

export interface EffectShown {
  readonly rows: readonly {
    readonly title: string;
    readonly with: string;
    readonly without: string;
    readonly difference: string;
    readonly says: string;
  }[];
  readonly notes: readonly string[];
  readonly weeks: readonly { readonly week: string; readonly share: string }[];
}

export interface GateRow {
  readonly session: string;
  readonly agent: string;
  readonly mode: string;
  readonly served: ShownState;
  /** `2 of 3`; `-` where the text itself was given. */
  readonly read: string;
  readonly inTime: string;
}

/** The exact text that an agent got, in parts, each with its source. */
export interface ShownText {
  readonly title: string;
  readonly parts: readonly {
    readonly name: string;
    readonly source: string;
    readonly tokens: number;
    readonly text: string;
  }[];
}
