// Agent: a coding-agent program, described as data. Everything about one agent is in its file in agents/; a custom one
// has the same data in the configuration. How to add one: CONTRIBUTING.md, "Add an agent".

/** Why an agent could not work. `crash` and `silence` are found out by us; the others the agent says itself. */
export type ErrorClass =
  | 'quota'
  | 'rate_limit'
  | 'overload'
  | 'auth'
  | 'setup'
  | 'network'
  | 'context'
  | 'missing'
  | 'crash'
  | 'silence'
  | 'other';

export interface Agent {
  readonly name: string;
  /** How it does one task unattended; absent for an agent that only runs in a terminal. */
  readonly oneshot?: Oneshot;
  /** Variables handed on to it besides the usual ones (PATH, HOME, LANG, TERM, TMPDIR, proxies …). */
  readonly env: readonly string[];
  /** Globs of what it leaves in the project's folder for itself; no part of its work. */
  readonly leaves?: readonly string[];
  /** Read in order on the error channel only: error fields of its output, standard error; never a model's words. */
  readonly errors: readonly ErrorRule[];
}

export interface Oneshot {
  /** The program and its arguments. `{prompt}` stands for the prompt (argument) or its file (file); see `commandFor`. */
  readonly command: readonly [string, ...string[]];
  readonly prompt: 'stdin' | 'file' | 'argument';
  readonly output: OutputSpec;
  /** Set for it, to limit its own retries and keep it from asking. */
  readonly set?: Readonly<Record<string, string>>;
  /** Seconds without any output from the start after which it hangs. */
  readonly firstOutputS: number;
  /** Where its own retries cannot be limited: a line of standard error or output that tells of one. Whoever runs it may
   *  end it when that line comes again. */
  readonly retryLine?: string;
}

export type OutputSpec =
  /** Standard output is the answer. `answered` is a line the program itself prints after a model's answer: where it is
   *  missing no model spoke, and standard output belongs to the error channel. */
  | { readonly format: 'text'; readonly answered?: string }
  /** One JSON value, or one per line; what is in it is found by the rules, all of which are tried on every value. */
  | { readonly format: 'json' | 'jsonl'; readonly rules: readonly OutputRule[] };

export interface OutputRule {
  /** Paths and the values they must have; `*` for any value that is there. */
  readonly when: Readonly<Record<string, string | number | boolean>>;
  /** Path of the model's answer; the last one found counts, and makes up for errors before it. Paths are names with
   *  dots; `content[].text` joins the texts of a list. */
  readonly answer?: string;
  /** The answer comes in pieces; those that follow each other are joined. */
  readonly isPiece?: boolean;
  /** The value is an error: where its parts are. */
  readonly error?: {
    /** Told on the way (a retry, a warning): explains a failure, is none by itself. */
    readonly isNotice?: boolean;
    readonly message?: string;
    /** Path of a code, name or type, which `codes` turns into a class. */
    readonly code?: string;
    readonly status?: string;
    /** Path of the time it works again: seconds since 1970, or a text with a time. */
    readonly resetsAt?: string;
  };
}

export interface ErrorRule {
  readonly class: ErrorClass;
  /** A regular expression on one line of the error channel, case-insensitive, of the kind that linear-time engines take
   *  (no look-around, no back references). */
  readonly text?: string;
  /** Codes, names or types in error fields. */
  readonly codes?: readonly string[];
  readonly statuses?: readonly number[];
  readonly exitCodes?: readonly number[];
}

/** What came of one run. */
export type AgentResult =
  | { readonly kind: 'answered'; readonly answer: string }
  | {
      readonly kind: 'failed';
      readonly class: ErrorClass;
      /** One line, for people and the hand-over. */
      readonly message: string;
      /** Milliseconds since 1970; when the agent named a time. */
      readonly resetAt?: number;
      /** What it had answered until then, if anything. */
      readonly answer: string;
    };

/** How to start it with this prompt. A prompt never stands where it could be taken for a flag: without `{prompt}` in
 *  the command the file comes last, the prompt itself behind `--`. */
export function commandFor(
  oneshot: Oneshot,
  given: { readonly prompt: string; readonly promptFile: string },
): { readonly command: readonly [string, ...string[]]; readonly input?: string } {
  const [program, ...rest] = oneshot.command;
  if (oneshot.prompt === 'stdin') return { command: oneshot.command, input: given.prompt };
  const text = oneshot.prompt === 'file' ? given.promptFile : given.prompt;
  if (rest.some((argument) => argument.includes('{prompt}')))
    return { command: [program, ...rest.map((argument) => argument.split('{prompt}').join(text))] };
  return { command: [program, ...rest, ...(oneshot.prompt === 'argument' ? ['--'] : []), text] };
}
