// What it takes to run one agent against a model of ours, without account, network or cost, and without a question from the
// agent that nobody would answer: lab.ts in its folder. Data only; verify/lab/scratch.ts carries it out. An agent without one
// cannot be run so: its loop is on a server of its maker, or it has no package to install.

export interface LabPlace {
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
export type LabQuestion = 'trust' | 'login' | 'key' | 'hooks' | 'update' | 'bypass' | 'approval';

/** A tool call as a model would make it. */
export interface LabCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What is installed for tests with the real agent. */
export interface LabPin {
  readonly package: string;
  /** Also the version with which the whole recipe was seen. `npm run agents:update` writes it; it stands once in the file. */
  readonly version: string;
  /** Below node_modules. */
  readonly program: string;
  /** It does not run with Node 20. */
  readonly needsNode24?: boolean;
  /** Packages that are released with it, under the same version. */
  readonly also?: readonly string[];
  /** The step of its own install that it cannot do without, below node_modules; runs without network. */
  readonly afterInstall?: string;
}

export interface LabFacts {
  readonly pin: LabPin;
  /** The questions it can be made to ask; others it never asks. */
  readonly questions: readonly LabQuestion[];
  /** Content by absolute path. */
  files(place: LabPlace, asks: ReadonlySet<LabQuestion>): Readonly<Record<string, string>>;
  /** Variables besides those every scratch has (see `makeScratch`). */
  env(place: LabPlace, asks: ReadonlySet<LabQuestion>): Readonly<Record<string, string>>;
  /** Arguments for use in a terminal. */
  terminalArgs(asks: ReadonlySet<LabQuestion>): readonly string[];
  /** Further arguments that let hooks run which no person has looked at, where it asks for that. */
  readonly vouchArgs?: readonly string[];
  /** Arguments for one prompt without a terminal; standard input must be empty and closed. */
  oneshotArgs(prompt: string): readonly string[];
  /** The tool calls by which its model runs a command and writes a file. */
  commandCall(command: string): LabCall;
  fileCall(path: string, content: string): LabCall;
  /** How requests for itself begin, in the instructions or in the newest text of the user, that offer tools, by which alone
   *  they would pass for a turn: a suggestion, a title, a summary. */
  readonly sideRequests?: readonly string[];
  /** The element that a summary is asked to stand in. */
  readonly summaryElement?: string;
}

/** JSON for a file a person could read. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
