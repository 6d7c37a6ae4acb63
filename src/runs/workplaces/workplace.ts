// A workplace: where one task is worked on. A checkout of the project beside it, never the person's own tree.

import type { RunBaseMode } from '../../kernel/run.ts';
import type { Boxable } from '../box/box.ts';
import type { Observer, Snapshot } from '../changes.ts';

export interface Workplace extends Boxable {
  readonly observer: Observer;
  /** The run that its work is for. */
  readonly run: string;
  /** What the record of the task says of earlier work is not here: the task begins again. */
  readonly isFresh: boolean;
  /** The files are not as the last agent left them: it worked in another checkout, on this machine or another. */
  readonly isElsewhere: boolean;
  /** The commit at which the work began; empty when the repository had none. */
  start(): string;
  /** What the agent finds there: by what was put and seen there, never by its git directory, which the agent can write. */
  repository(now: Snapshot): FoundRepository;
  /** Keeps what an attempt did as a commit of our own repository. The same attempt gives the same commit. */
  keep(attempt: KeptAttempt): Promise<string>;
  /** Makes the work a commit on the run's branch, if the branch still is where the work began. Done again, also by another
   *  process, it returns the commit that was made. `stillOurs` throws when another supervisor owns the task now: it is asked before
   *  anything leaves this machine. */
  land(work: LandedWork, stillOurs: () => Promise<void>): Promise<Landing>;
  /** Puts work that was replayed back as it was before: for a task that goes on later. */
  putBack(after: Snapshot): Promise<void>;
  /** The commit of this task that is on the branch already. */
  landed(): Promise<string | undefined>;
  /** The same for a run that other machines share, where anybody may have put it there; `undefined` for others. */
  onLedger(): Promise<string | undefined>;
  /** Puts the checkout at the end of the run's branch, with nothing of earlier attempts. */
  restart(): Promise<void>;
  /** The same files in a checkout of their own, for an agent that looks at them. The caller closes it. */
  copy(after: Snapshot): Promise<WorkCopy>;
  leftBehind(): Promise<LeftBehind>;
  close(end: WorkplaceEnd): Promise<void>;
}

export interface WorkCopy extends Boxable {
  readonly observer: Observer;
  close(): void;
}

export interface FoundRepository {
  /** `head` is the commit at which the work began, shortened; `null` when there was none. */
  head(): Promise<{ readonly branch: string; readonly head: string | null }>;
  /** What differs from that commit, new files too; paths from the project's root. */
  changed(): Promise<readonly ChangedLines[]>;
  /** What differs in one of these files, unified; of a file above 1 MiB only that it does. */
  diff(path: string): Promise<string>;
}

interface ChangedLines {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

export interface LeftBehind {
  /** Ignored files and folders of the person's tree that the checkout lacks, from the project's root. A folder ends in `/`. */
  readonly ignored: readonly string[];
  /** `run.share` as it is. */
  readonly share: readonly string[];
}

export interface LackingFiles extends LeftBehind {
  /** Those of the paths asked for that the person's tree has and no checkout will have. */
  readonly paths: readonly string[];
}

export interface KeptAttempt {
  readonly attempt: number;
  readonly agent: string;
  readonly after: Snapshot;
  /** ISO time. */
  readonly at: string;
  /** The token of a claim that was lost to another supervisor, which has the attempt's number now. */
  readonly lost?: number;
}

export interface LandedWork {
  /** What passed. What checks left behind afterwards is not part of it. */
  readonly after: Snapshot;
  /** The same as `land` replayed it, when it has passed there too. */
  readonly replayed?: Snapshot | undefined;
  readonly intent: string;
  readonly result: string;
  readonly agent: string;
  readonly attempts: number;
  /** The agent that approved it. */
  readonly reviewer?: string | undefined;
  /** ISO time. */
  readonly at: string;
}

export type Landing =
  | { readonly kind: 'landed'; readonly commit: string }
  /** The branch had moved. The checkout is at its end now, with the work merged into it: it must pass again. `origin` is the
   *  branch without the work. */
  | { readonly kind: 'rebased'; readonly origin: Snapshot; readonly after: Snapshot }
  /** The branch had moved, and the work cannot be merged into it. Paths from the project's root. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }
  /** The checkout is at the end of the branch now, with the work and without the person's uncommitted changes, which the work
   *  began with: it must pass there too. */
  | { readonly kind: 'replayed'; readonly after: Snapshot }
  /** The work cannot be taken apart from the person's uncommitted changes. Paths from the project's root. */
  | { readonly kind: 'uncommitted'; readonly paths: readonly string[] }
  /** One sentence. */
  | { readonly kind: 'refused'; readonly reason: string };

/** `over`: the task came to an end. `stopped`: it goes on later, from its last attempt. */
export type WorkplaceEnd = 'over' | 'stopped';

/** What a task's record has of earlier work on it. */
export interface EarlierWork {
  readonly run?: string | undefined;
  readonly start?: string | undefined;
  /** The last that was seen of it: a snapshot, or the commit of an attempt. */
  readonly last?: string | undefined;
}

export interface RunStart {
  readonly run: string;
  readonly branch: string;
  readonly isNew: boolean;
  readonly base: RunBaseMode;
  /** Files of the person that are not committed, from the root: agents do not see them. */
  readonly uncommitted: readonly string[];
  /** Uncommitted files that agents see, for a new run with base `working`. */
  readonly taken: number;
  /** Files that agents do not see though the base is `working`, from the root, and why. */
  readonly untaken: readonly { readonly path: string; readonly reason: string }[];
}
