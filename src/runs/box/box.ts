// The box of an agent: which one it gets, where it works, and how it is run there. The checkout is mounted at the path of the
// repository's top, so an agent works at the project's own path and can change only the checkout. Pure; index.ts acts.

import type { Agent } from '../../kernel/agent.ts';
import type { BoxUse } from '../../kernel/attempt.ts';
import type { ProcessEnd, ProcessRequest, RunProcess } from '../../kernel/process.ts';

/** What a checkout looks like from inside. */
export interface BoxPlace {
  /** The checkout's top. */
  readonly tree: string;
  /** The path at which it is mounted: the top of the person's repository. */
  readonly top: string;
  /** The agent's folder below `top`. */
  readonly cwd: string;
  /** Folders of objects that the checkout's git directory names: read-only inside, at the same path. */
  readonly objects: readonly string[];
}

export interface CheckoutBox extends BoxPlace {
  /** A folder beside the checkout, for what boxes keep while programs run in them. */
  readonly folder: string;
}

/** A checkout, and how a box shows it; absent where nothing can be mounted. */
export interface Boxable {
  readonly cwd: string;
  readonly box?: CheckoutBox | undefined;
}

/** `none`: it runs without a box. `refused`: it must not run, since `run.confine` is `required`. `why` ends a sentence. */
export type BoxChoice =
  | { readonly kind: 'boxed'; readonly level: string }
  | { readonly kind: 'none' | 'refused'; readonly why: string };

/** Whether an agent can work in the box, found by one boxed turn per version. `untried`: there is no way to try it. */
export type BoxTrial =
  | { readonly kind: 'passed' | 'untried' }
  /** `why` ends a sentence that begins with the agent's name. */
  | { readonly kind: 'failed'; readonly why: string };

/** May be called often for the same agent; it tries once. `trying` is called when a trial begins, which takes some seconds. */
export type TryBoxed = (agent: Agent, trying: (version: string) => Promise<void>) => Promise<BoxTrial>;

export interface AgentBoxes {
  choose(agent: Agent): Promise<BoxChoice>;
  /** `run.confine` is `required`: who cannot be boxed gets no work. */
  readonly isRequired: boolean;
  /** A room to run an agent in. Without an agent it is for a check or `run.prepare`, which run what agents wrote. Throws
   *  `missing-program` when a box is required and none can be made around this project. */
  open(agent: Agent | undefined, at: Boxable): Promise<AgentRoom>;
  /** Resolves when nothing is left of the boxes. Never rejects. */
  close(): Promise<void>;
}

/** Where one agent runs, boxed or not. */
export interface AgentRoom {
  /** The working folder as the agent sees it. */
  readonly cwd: string;
  readonly isBoxed: boolean;
  /** `shown` are files and folders of ours that it needs. Never rejects for what the program does. */
  run(request: ProcessRequest, shown?: RoomShown, signal?: AbortSignal): Promise<RoomEnd>;
}

export interface RoomShown {
  readonly writable?: readonly string[];
  readonly readOnly?: readonly string[];
  /** The work itself can only be read: for an agent that only looks. */
  readonly isTreeReadOnly?: boolean;
}

export interface RoomEnd {
  readonly end: ProcessEnd;
  readonly box: BoxUse;
}

/** A room without a box. */
export function openRoom(cwd: string, why: string, start: RunProcess): AgentRoom {
  return {
    cwd,
    isBoxed: false,
    run: async (request, _shown, signal) => ({ end: await start(request, signal), box: { level: 'none', why } }),
  };
}
