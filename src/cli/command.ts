// A command is data: what it is called, what it takes, an example, and one function. The parser, the help page and the
// list in docs/commands.md all read this. How to add one: CONTRIBUTING.md, "Add a command".

export interface Flag {
  readonly meaning: string;
  /** Shown in the help in place of the value; absent for a switch. */
  readonly value?: string;
  readonly short?: string;
  /** May be given several times. */
  readonly many?: true;
  readonly choices?: readonly string[];
}

export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** Positional arguments in order: `TASK` is needed, `[TEXT]` may be left out, `WORDS...` takes the rest. */
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, Flag>>;
  /** Whole command lines, each with what it is good for. */
  readonly examples: readonly { readonly line: string; readonly does: string }[];
  /** Answers the exit status. Throws ForewordError for what the person must mend. */
  run(call: Call): Promise<number>;
}

/** One call of a command, with its words sorted. */
export interface Call {
  readonly args: readonly string[];
  text(flag: string): string | undefined;
  texts(flag: string): readonly string[];
  has(flag: string): boolean;
  readonly out: Out;
  /** Standard input as text; `undefined` when it is a terminal. */
  input(): Promise<string | undefined>;
}

/** Where a command's words go. Everything passes the sanitiser and the redactor. */
export interface Out {
  /** Standard output; a newline is added. */
  print(text: string): void;
  /** Standard output as one JSON document, in ASCII. */
  json(value: unknown): void;
  /** Standard output as one line of JSON, in ASCII, redacted. */
  jsonEvent(value: unknown): void;
  /** Standard output as one line of JSON, in ASCII; the caller redacted it. */
  jsonLine(value: unknown): void;
  /** Standard error: what a person should know and a program should not have to parse. */
  note(text: string): void;
  /** Standard output: one line of a list, its beginning marked on a terminal. Line ends inside are folded. */
  item(lead: string, text: string): void;
  /** From now on with this redactor: the project's own settings name further secrets. */
  redactWith(redact: (text: string) => string): void;
}

/** Flags that every command takes. */
export const COMMON_FLAGS: Readonly<Record<string, Flag>> = {
  json: { meaning: 'print JSON for programs' },
  cwd: { meaning: 'work as if started in this folder', value: 'DIR' },
  store: { meaning: 'where state is kept: a file, or redis://… (default: .foreword/foreword.db)', value: 'URL' },
  config: { meaning: 'use this configuration file', value: 'FILE' },
  help: { meaning: 'show this page', short: 'h' },
};
