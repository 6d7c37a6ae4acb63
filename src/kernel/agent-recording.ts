// How the screens of one agent are recorded (scripts/record-screens.mjs): recording.ts in its folder. For scripts alone; the
// program never reads it.

import type { LabCall, LabPlace, LabQuestion } from './agent-lab.ts';

export interface RecordingFacts {
  /** On the first screen that can be typed into. */
  readonly ready: RegExp;
  /** On any approval; absent where it asks for none. */
  readonly dialog?: RegExp;
  readonly asksNothing?: true;
  /** The keys that stop an answer. */
  readonly interrupt: readonly string[];
  /** The key that keeps a message for later, where Enter stops the answer. */
  readonly queue?: string;
  /** What opens a list; `/model` unless told. */
  readonly menu?: string;
  /** The calls that make it ask, where the recipe's do not. */
  command?(command: string): LabCall;
  edit?(call: LabCall): LabCall;
  /** Keys that lead from a question to the next, and the names of what they lead to. */
  readonly next?: Readonly<Partial<Record<LabQuestion, readonly (readonly [keys: string, what: string])[]>>>;
  /** Acts of it alone, by name. */
  readonly acts?: Readonly<Record<string, OwnAct>>;
}

export interface OwnAct {
  /** What is played, a scene of scripts/lab/scenes.mjs. */
  readonly scene: 'server' | 'suggestion';
  readonly asks: readonly LabQuestion[];
  /** How many of the sizes are worth it; all unless told. */
  readonly sizes?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** What the agent is told when it asks what the person may want to say next. */
  readonly suggestion?: string;
  /** Content by absolute path, besides what the recipe wrote, which `read` answers. */
  files?(place: Pick<LabPlace, 'home' | 'project'>, read: (path: string) => string): Readonly<Record<string, string>>;
}
