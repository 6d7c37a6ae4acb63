// Recipe: what it takes to run one agent against a model of ours, without account, network or cost, and without a
// question from the agent that nobody would answer. One file per agent, data only; `makeScratch` carries it out.

export interface Place {
  /** The agent's HOME; nothing else of the machine's user is seen. */
  readonly home: string;
  /** The folder it works in. */
  readonly project: string;
  /** Where the model listens, `http://127.0.0.1:PORT` without a slash at the end. */
  readonly modelUrl: string;
}

/** What an agent asks a person before it works. Answered beforehand unless a scratch wants to see it asked:
 *  `trust` whether the folder is trusted, `login` who the user is, `key` whether the key in the environment may be used,
 *  `hooks` whether hooks may run, `update` whether to update, `bypass` whether it may really do everything unasked,
 *  `approval` whether a command may run or a file be written. */
export type Question = 'trust' | 'login' | 'key' | 'hooks' | 'update' | 'bypass' | 'approval';

/** A tool call as a model would make it. */
export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface Recipe {
  readonly agent: string;
  /** Version with which all of this was seen. */
  readonly seen: string;
  /** The questions it can be made to ask; others it never asks. */
  readonly questions: readonly Question[];
  /** Content by absolute path. */
  files(place: Place, asks: ReadonlySet<Question>): Readonly<Record<string, string>>;
  /** Variables besides those every scratch has (see `makeScratch`). */
  env(place: Place, asks: ReadonlySet<Question>): Readonly<Record<string, string>>;
  /** Arguments for use in a terminal. */
  terminalArgs(asks: ReadonlySet<Question>): readonly string[];
  /** Further arguments that let hooks run which no person has looked at, where it asks for that. */
  readonly vouchArgs?: readonly string[];
  /** Arguments for one prompt without a terminal; standard input must be empty and closed. */
  oneshotArgs(prompt: string): readonly string[];
  /** The tool calls by which its model runs a command and writes a file. */
  commandCall(command: string): ToolCall;
  fileCall(path: string, content: string): ToolCall;
}

/** JSON for a file a person could read. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
