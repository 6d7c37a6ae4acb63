// How to record the screens of one agent (scripts/record-screens.mjs): recording.ts in its folder. For scripts only; the
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
  /** What opens a list; `/model` when absent. */
  readonly menu?: string;
  /** Tool calls that open an approval dialog, where those of the recipe do not. */
  command?(command: string): LabCall;
  edit?(call: LabCall): LabCall;
  /** Keys that lead from one question to the next, with the names of the next screens. */
  readonly next?: Readonly<Partial<Record<LabQuestion, readonly (readonly [keys: string, what: string])[]>>>;
  /** Recordings that only this agent needs, by name. */
  readonly acts?: Readonly<Record<string, OwnAct>>;
}

export interface OwnAct {
  /** The scene to play, from scripts/lab/scenes.mjs. */
  readonly scene: 'server' | 'suggestion';
  readonly asks: readonly LabQuestion[];
  /** How many of the screen sizes to record; all when absent. */
  readonly sizes?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** The model's reply when the agent asks for a suggestion of the next prompt. */
  readonly suggestion?: string;
  /** Content by absolute path, besides the files of the recipe, which `read` returns. */
  files?(place: Pick<LabPlace, 'home' | 'project'>, read: (path: string) => string): Readonly<Record<string, string>>;
}
