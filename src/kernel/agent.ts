// Agent: a coding-agent program, described as data. Everything about one agent is in its folder in agents/; a custom one
// has the same data in the configuration. How to add one: CONTRIBUTING.md, "Add an agent".

import type { Channel, Proof } from './receipt.ts';

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

export interface Agent extends AgentFacts {
  readonly name: string;
}

/** What an agent's folder says in its index.ts; its name is the folder's. */
export interface AgentFacts {
  /** How it does one task unattended; absent for an agent that only runs in a terminal. */
  readonly oneshot?: Oneshot;
  /** How it runs in a terminal; absent for an agent that only works unattended. */
  readonly interactive?: Interactive;
  /** Variables handed on to it besides the usual ones (PATH, HOME, LANG, TERM, TMPDIR, proxies …). */
  readonly env: readonly string[];
  /** Globs of what it leaves in the project's folder for itself; no part of its work. */
  readonly leaves?: readonly string[];
  /** Read in order on the error channel only: error fields of its output, standard error; never a model's words. */
  readonly errors: readonly ErrorRule[];
  /** What a person should know about getting context into it, a sentence each; docs/agents.md shows them. */
  readonly notes?: readonly string[];
}

/** How it is used in a terminal by a person, and how a session gets text into it. */
export interface Interactive {
  readonly command: readonly [string, ...string[]];
  /** Tried in order, but `asking` before `busy` before `starting` before `ready`: what must not be typed into outranks
   *  what may. */
  readonly screens: readonly ScreenRule[];
  readonly composer: ComposerRule;
  /** Where it may look ready while an answer comes in: nothing on the screen may have changed for so long before it
   *  counts as ready. */
  readonly quietMs?: number;
  /** The delay is from the moment the composer shows our text to the submit key. */
  readonly submit: { readonly key: 'enter'; readonly delayMs: number };
  /** The proofs it can give, and those of a way in by which it can give fewer. */
  readonly proofs: readonly Proof[];
  readonly proofsOn?: Readonly<Partial<Record<Channel, readonly Proof[]>>>;
  /** The ways in, best first; `CHANNEL_NAMES` for all of them: one that cannot be used is passed over. `hook` can be used where our hooks are installed or a launch brings them (`launch`). */
  readonly ladder: readonly Channel[];
  /** The file in the project that it reads as instructions, for an agent of one's own. */
  readonly file?: string;
  /** What a launch can carry. */
  readonly launch?: Launch;
}

/** A rule on the rendered screen; all that it says must be so, and it must say something. Patterns are of the kind that
 *  linear-time engines take, and upper and lower case are the same. */
export interface ScreenRule {
  readonly state: 'starting' | 'ready' | 'busy' | 'asking';
  /** What it asks, for a person: `trust folder`, `approval`. Names what a delivery waits for. */
  readonly name?: string;
  /** On any line of the screen. */
  readonly text?: string;
  /** On one of the last lines that are not blank. */
  readonly bottom?: string;
  /** On a line of the composer: a menu may stand in its frame. */
  readonly inside?: string;
  /** On a line under the composer, where hints and modes are and nothing a model said. */
  readonly footer?: string;
  /** On the line the cursor is in. */
  readonly cursorLine?: string;
  /** In the terminal's title, which only the program itself writes. */
  readonly title?: string;
  /** True: a composer shows; false: none does. A dialog that takes the composer's place cannot be imitated by words of a
   *  model above one. `ready` needs a composer in any case. */
  readonly hasComposer?: boolean;
  /** Whether it takes pastes in a frame now: what reads line by line switches them on with its prompt. `ready` needs
   *  them in any case. */
  readonly takesPastes?: boolean;
}

/** Where a draft shows. */
export interface ComposerRule {
  /** The composer's first line; the first group is what is written in it. */
  readonly line: string;
  /** A line that goes on with it; the first group is what is written there. Without it: a line that is indented by two
   *  or blank. */
  readonly more?: string;
  /** The line right above its first one. Without it the first line is the nearest that `line` matches, from the cursor
   *  up. */
  readonly above?: string;
  /** A line that ends it and is no part of it; of several the last, so that a draft cannot imitate it. Without it the
   *  composer ends where `more` does. */
  readonly below?: string;
  /** `shown`: a composer always has the cursor in it, visibly; `placed`: in it, though it may be hidden. Without it, a
   *  cursor that shows must be in it. */
  readonly cursor?: 'shown' | 'placed';
  /** What stands in an empty composer though nobody wrote it, where it is not drawn faint. */
  readonly ghost?: string;
  /** How a long paste shows. A first group is the number of its lines or characters, and is compared. */
  readonly placeholder?: string;
  /** On a line of the composer or near it: what is written would be run by a shell. Such a composer is never empty. */
  readonly shell?: string;
}

/** How a launch carries text, for this launch alone. `{text}` stands for the text. */
export interface Launch {
  /** Arguments that make the text the first prompt. They stand last, and no text can be taken for a flag. */
  readonly prompt?: readonly string[];
  /** How our hooks come in without touching a file of the person. */
  readonly hook?: LaunchHook;
}

/** In all texts of it, `{command EVENT}` stands for our hook's command line, written as between the quotes of a JSON
 *  text; `{plug-in}` for our plug-in; `{file}` and `{url}` for the file, `{folder}` for the folder it is in,
 *  `{sum NAME}` for a sum. `fillLaunchHook` fills them in. */
export interface LaunchHook {
  /** `launch`: its session-start hook runs before the first prompt is asked for; `first-prompt`: with it. */
  readonly firesAt: 'launch' | 'first-prompt';
  /** A file we write for the launch; its name may have folders in it. */
  readonly file?: { readonly name: string; readonly content: string };
  readonly args?: readonly string[];
  readonly set?: Readonly<Record<string, string>>;
  /** Texts whose SHA-256 the agent wants to see, by name. */
  readonly sums?: Readonly<Record<string, string>>;
  /** Arguments and variables of a person, and files of the machine, that ours would replace or hide: where one of them
   *  is there, the launch goes without our hooks. */
  readonly givesWayTo?: {
    readonly args?: readonly string[];
    readonly variables?: readonly string[];
    readonly files?: readonly string[];
  };
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
