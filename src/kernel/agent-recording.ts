// How to record the screens of one agent (scripts/record-screens.mjs): recording.ts in its folder. For scripts only; the
// program never reads it.

import type { LabCall, LabPlace, LabQuestion } from './agent-lab.ts';

export interface RecordingFacts {
  /** On the first screen that can be typed into. */
  readonly ready: RegExp;
  /** On any approval; absent where it asks for none. */
  readonly dialog?: RegExp;
  readonly asksNothing?: true;
  /** How lines of the conversation begin: of an answer, and of a prompt that was sent. `own` rows right above the composer are the
   *  agent's; the conversation ends above them. `hasFaintMarks`: the marks at the beginning are drawn faint. */
  readonly conversation: {
    readonly marks: readonly string[];
    readonly own: number;
    readonly hasFaintMarks?: true;
  };
  /** The keys that stop an answer. */
  readonly interrupt: readonly string[];
  /** The key that keeps a message for later, where Enter stops the answer. */
  readonly queue?: string;
  /** What makes the conversation shorter; `/compact` when absent. */
  readonly compact?: string;
  /** How many sentences of an answer it needs for that; 400 when absent. */
  readonly compactsFrom?: number;
  /** What opens the list of earlier sessions; `/resume` when absent. */
  readonly resume?: string;
  /** The tool call by which its model asks the person something, and the keys that lead to an answer in one's own words. */
  readonly question?: { readonly call: LabCall; readonly own?: readonly string[] };
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
  readonly scene: 'server' | 'suggestion' | 'agents' | 'command' | 'compaction' | 'other' | 'asked' | 'waiting';
  /** What leads to the question of the scene `asked`: keys before the prompt, then what the model does or says. */
  readonly leads?: {
    readonly keys?: readonly string[];
    readonly calls?: readonly LabCall[];
    readonly says?: string;
    /** On the screen with the question. */
    readonly to: RegExp;
  };
  /** Requests pass a service that can keep them waiting. */
  readonly isSlow?: true;
  readonly asks: readonly LabQuestion[];
  /** How many of the screen sizes to record; all when absent. Or other sizes than the usual ones. */
  readonly sizes?: number;
  readonly onlySizes?: readonly string[];
  /** The place of its home and project, below the usual one. */
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The model's reply when the agent asks for a suggestion of the next prompt. */
  readonly suggestion?: string;
  /** Content by absolute path, besides the files of the recipe, which `read` returns. */
  files?(place: Pick<LabPlace, 'home' | 'project'>, read: (path: string) => string): Readonly<Record<string, string>>;
}
