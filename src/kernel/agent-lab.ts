// How to run one agent against our fake model, without account, network or cost, and without a dialog that nobody would
// answer: lab.ts in its folder. Data only; verify/lab/scratch.ts applies it. An agent without this file cannot run this way:
// its loop is on a server of its maker, or it has no package to install.

export interface LabPlace {
  /** The agent's HOME; it sees no other files of the machine's user. */
  readonly home: string;
  /** The folder it works in. */
  readonly project: string;
  /** Where the model listens, `http://127.0.0.1:PORT` without a slash at the end. */
  readonly modelUrl: string;
}

/** What an agent asks a person before it works. Answered in advance unless a scratch run wants to see the dialog:
 *  `trust` whether the folder is trusted, `login` who the user is, `key` whether the key in the environment may be used,
 *  `hooks` whether hooks may run, `update` whether to update, `bypass` whether it may really do everything unasked,
 *  `approval` whether a command may run or a file be written. */
export type LabQuestion = 'trust' | 'login' | 'key' | 'hooks' | 'update' | 'bypass' | 'approval';

/** A tool call as a model would make it. */
export interface LabCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** How its model starts a sub-agent; `wait` is its next call, by the result of the first, where it would go on at once. `done`: the call
 *  by which the sub-agent's model ends it, where a text does not. */
export interface LabSubagent {
  call(prompt: string): LabCall;
  wait?(result: string): LabCall;
  done?(text: string): LabCall;
}

/** The package that is installed for tests with the real agent. */
export interface LabPin {
  readonly package: string;
  /** Also the version for which the recipe was checked. `npm run agents:update` writes it; it occurs once in the file. */
  readonly version: string;
  /** Other versions with which scripts/older-versions.mjs tries that nothing is typed while the agent works. */
  readonly older?: readonly string[];
  /** Below node_modules. */
  readonly program: string;
  /** It does not run with Node 20. */
  readonly needsNode24?: boolean;
  /** Packages that are released with it, under the same version. */
  readonly also?: readonly string[];
  /** The install step that it needs, below node_modules; runs without network. */
  readonly afterInstall?: string;
}

export interface LabFacts {
  readonly pin: LabPin;
  /** The questions it can be made to ask; others it never asks. */
  readonly questions: readonly LabQuestion[];
  /** Content by absolute path. */
  files(place: LabPlace, asks: ReadonlySet<LabQuestion>): Readonly<Record<string, string>>;
  /** Environment variables besides those of every scratch run (see `makeScratch`). */
  env(place: LabPlace, asks: ReadonlySet<LabQuestion>): Readonly<Record<string, string>>;
  /** Arguments for use in a terminal. */
  terminalArgs(asks: ReadonlySet<LabQuestion>): readonly string[];
  /** Further arguments that let hooks run without a person's approval, for an agent that asks for one. */
  readonly vouchArgs?: readonly string[];
  /** Arguments for one prompt without a terminal; standard input must be empty and closed. */
  oneshotArgs(prompt: string): readonly string[];
  /** The tool calls by which its model runs a command and writes a file. */
  commandCall(command: string): LabCall;
  fileCall(path: string, content: string): LabCall;
  /** How the agent's own side requests begin (a suggestion, a title, a summary), in the instructions or in the newest user
   *  text. They offer tools, so without this they would count as a turn. */
  readonly sideRequests?: readonly string[];
  /** What a person types to make the conversation shorter. */
  readonly compactCommand?: string;
  /** How its model edits a file, where `fileCall` leaves no trace of it in the transcript. */
  readonly editCall?: (path: string, content: string) => LabCall;
  readonly subagent?: LabSubagent;
  /** The XML element that the agent wants around a summary. */
  readonly summaryElement?: string;
}

/** JSON for a file that a person may read. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
