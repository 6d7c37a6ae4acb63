// A command is data: its name, arguments and flags, examples, and one function. The parser, the help page and
// docs/commands.md all read this. How to add one: CONTRIBUTING.md, "Add a command".

import type { Row } from './columns.ts';

export interface Flag {
  readonly description: string;
  /** The placeholder for the value in the help; absent for a flag without a value. */
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
  /** Positional arguments in order: `TASK` is required, `[TEXT]` is optional, `WORDS...` takes the rest,
   *  `[-- WORDS...]` what comes after `--`. */
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, Flag>>;
  /** Whole command lines, each with what it does. */
  readonly examples: readonly { readonly line: string; readonly does: string }[];
  /** It opens its project, and with it a redactor, before it prints anything: main.ts loads none for it. */
  readonly bringsRedactor?: true;
  /** Agents may call it in a checkout of a run: it only reads, or saves notes. Others are refused there. */
  readonly worksInCheckouts?: true;
  /** Returns the exit code. Throws ForewordError for what the person must fix. */
  run(call: Call): Promise<number>;
}

/** One call of a command, with its arguments parsed. */
export interface Call {
  /** Of this program. */
  readonly version: string;
  readonly args: readonly string[];
  /** Those of `args` that came after `--`. */
  readonly rest: readonly string[];
  text(flag: string): string | undefined;
  texts(flag: string): readonly string[];
  has(flag: string): boolean;
  readonly out: Out;
  /** Standard input as text; `undefined` when it is a terminal. */
  input(): Promise<string | undefined>;
  /** `stop` is called when nobody reads standard output any more, for each write; the command then ends by itself. Without it
   *  the process ends at once, which is right for commands that only read. */
  whenUnread(stop: () => void): void;
  /** Every command there is, for the completion of shells. */
  commands(): Promise<readonly Command[]>;
}

/** Where a command's output goes. All of it passes the sanitiser and the redactor. */
export interface Out {
  /** Standard output; a newline is added. */
  print(text: string): void;
  /** Standard output as one JSON document, in ASCII. */
  json(value: unknown): void;
  /** Standard output as one line of JSON, in ASCII, redacted. */
  jsonEvent(value: unknown): void;
  /** Standard output as one line of JSON, in ASCII; the caller has redacted it. */
  jsonLine(value: unknown): void;
  /** Standard error: messages for a person, which a program need not parse. */
  note(text: string): void;
  /** Standard output: one line of a list; `lead` is bold on a terminal. Line breaks inside become spaces. */
  item(lead: string, text: string): void;
  /** Standard output: rows as aligned columns; states in colour on a terminal. */
  table(heads: readonly string[], rows: readonly Row[]): void;
  /** Standard output: a diff, in colour on a terminal. */
  diff(text: string): void;
  /** Standard output: a problem, behind an exclamation mark that is in colour on a terminal. */
  warn(text: string): void;
  /** Standard output: a line that heads others, bold on a terminal. */
  title(text: string): void;
  /** What `work` writes to standard output, which is not written then. */
  captured(work: () => void): string;
  /** Uses this redactor from now on: the project's own settings name further secrets. */
  redactWith(redact: (text: string) => string): void;
}

/** Flags that every command takes. */
export const COMMON_FLAGS: Readonly<Record<string, Flag>> = {
  json: { description: 'print JSON for programs' },
  cwd: { description: 'run as if started in this folder', value: 'DIR' },
  store: {
    description: 'where to keep state: a file, or redis://… (default: a file in your state folder)',
    value: 'URL',
  },
  fleet: { description: 'with redis://…: join the fleet with this id', value: 'ID' },
  'allow-volatile': { description: 'with redis://…: write to a server that can lose what it acknowledged' },
  'allow-plain-redis': { description: 'with redis://…: use another machine without TLS or without a password' },
  fresh: { description: 'move a damaged store aside and start with a new one' },
  config: { description: "use this configuration file in place of the project's", value: 'FILE' },
  help: { description: 'show this page', short: 'h' },
};

/** The common flags that say where records are kept, as the project's options. */
export function storeFlags(call: Pick<Call, 'text' | 'has'>) {
  return {
    store: call.text('store'),
    fleet: call.text('fleet'),
    allowVolatile: call.has('allow-volatile') || undefined,
    allowPlainRedis: call.has('allow-plain-redis') || undefined,
    isFresh: call.has('fresh') || undefined,
  };
}
