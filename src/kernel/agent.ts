// Agent: a coding-agent program, described as data. Everything about one agent is in its folder in agents/; a custom one
// has the same data in the configuration. How to add one: CONTRIBUTING.md, "Add an agent".

import type { Channel, Proof } from './receipt.ts';

/** Why an agent could not work. foreword detects `crash` and `silence`; the agent reports the others itself. */
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

/** The content of index.ts in an agent's folder; the folder's name is the agent's name. */
export interface AgentFacts {
  /** How it runs one task unattended; absent for an agent that only runs in a terminal. */
  readonly oneshot?: Oneshot;
  /** How it runs in a terminal; absent for an agent that only works unattended. */
  readonly interactive?: Interactive;
  /** Environment variables passed to it besides the usual ones (PATH, HOME, LANG, TERM, TMPDIR, proxies …). */
  readonly env: readonly string[];
  /** Globs of its own files in the project folder, which are not part of its work. */
  readonly leaves?: readonly string[];
  /** Files that it reads in the project folder and that people keep out of the repository: settings and instructions of one person.
   *  Where git does not track them, checkouts of a run get a copy. */
  readonly localFiles?: readonly string[];
  /** Tried in order on the error channel only: error fields of its output, standard error; never the model's text. */
  readonly errors: readonly ErrorRule[];
  /** Notes for a person about delivering context to it, a sentence each; docs/agents.md shows them. */
  readonly notes?: readonly string[];
}

/** How it is used in a terminal by a person, and how a session gets text into it. */
export interface Interactive {
  readonly command: readonly [string, ...string[]];
  /** Tried in order, but `asking` before `busy` before `starting` before `ready`: a screen that must not be typed into
   *  wins. */
  readonly screens: readonly ScreenRule[];
  readonly composer: ComposerRule;
  /** For an agent that may look ready while an answer comes in: the screen must be unchanged for this long before it
   *  counts as ready. */
  readonly quietMs?: number;
  /** The delay starts when the composer shows our text, and ends with the submit key. */
  readonly submit: { readonly key: 'enter'; readonly delayMs: number };
  /** The proofs it can give, and those of channels on which it can give fewer. */
  readonly proofs: readonly Proof[];
  readonly proofsOn?: Readonly<Partial<Record<Channel, readonly Proof[]>>>;
  /** The channels, best first. `hook` works where our hooks are installed or passed with a launch (`launch`). */
  readonly ladder: readonly Channel[];
  /** For a custom agent: the file in the project that it reads as instructions. */
  readonly file?: string;
  /** What a launch can pass to it. */
  readonly launch?: Launch;
}

/** A rule on the rendered screen: every condition in it must hold, and it needs at least one. Patterns must work in a
 *  linear-time engine; they are case-insensitive. */
export interface ScreenRule {
  readonly state: 'starting' | 'ready' | 'busy' | 'asking';
  /** The name of the dialog, for a person: `trust folder`, `approval`. Shown as the reason why a delivery waits. */
  readonly name?: string;
  /** On any line of the screen. */
  readonly text?: string;
  /** On one of the last non-blank lines. */
  readonly bottom?: string;
  /** On a line of the composer: a menu may be inside its frame. */
  readonly inside?: string;
  /** On a line under the composer, where the agent shows hints and modes but never text of the model. */
  readonly footer?: string;
  /** On the line the cursor is in. */
  readonly cursorLine?: string;
  /** In the terminal's title, which only the program itself writes. */
  readonly title?: string;
  /** True: a composer is on the screen; false: there is none. Text of a model above a composer cannot imitate a dialog that
   *  replaces the composer. `ready` always needs a composer. */
  readonly hasComposer?: boolean;
  /** Whether bracketed paste is on now: a program that reads line by line turns it on with its prompt. `ready` always
   *  needs it. */
  readonly takesPastes?: boolean;
}

/** Where the screen shows a draft. */
export interface ComposerRule {
  /** The composer's first line; the first group is the text in it. */
  readonly line: string;
  /** A continuation line; the first group is the text in it. When absent: a line that is indented by two or blank. */
  readonly more?: string;
  /** The line right above its first one. When absent, the first line is the nearest match of `line` from the cursor up. */
  readonly above?: string;
  /** A line that ends it and is not part of it; of several the last one, so that a draft cannot imitate it. When absent,
   *  the composer ends where `more` ends. */
  readonly below?: string;
  /** `shown`: the cursor is always visible and in the composer; `placed`: in it, but maybe hidden. When absent, a visible
   *  cursor must be in it. */
  readonly cursor?: 'shown' | 'placed';
  /** The placeholder text of an empty composer, where it is not drawn faint. */
  readonly ghost?: string;
  /** How the composer shows a long paste. A first group is the number of its lines or characters, and is compared. */
  readonly placeholder?: string;
  /** On a line of the composer or near it: a shell would run the draft. Such a composer never counts as empty. */
  readonly shell?: string;
}

/** How a launch passes text, for this launch only. `{text}` is replaced by the text. */
export interface Launch {
  /** Arguments that make the text the first prompt. They come last, and no text can be taken for a flag. */
  readonly prompt?: readonly string[];
  /** How to pass our hooks without changing a file of the person. */
  readonly hook?: LaunchHook;
}

/** `fillLaunchHook` replaces these placeholders in all its texts: `{command EVENT}` by our hook's command line, escaped
 *  for a JSON string; `{plug-in}` by our plug-in; `{file}` and `{url}` by the file, `{folder}` by its folder, `{sum NAME}`
 *  by a checksum. */
export interface LaunchHook {
  /** `launch`: its session-start hook runs before it accepts the first prompt; `first-prompt`: with the first prompt. */
  readonly firesAt: 'launch' | 'first-prompt';
  /** A file we write for the launch; its name may have folders in it. */
  readonly file?: { readonly name: string; readonly content: string };
  readonly args?: readonly string[];
  readonly set?: Readonly<Record<string, string>>;
  /** Texts whose SHA-256 the agent needs, by name. */
  readonly sums?: Readonly<Record<string, string>>;
  /** Arguments and environment variables of a person, and files, that ours would replace or hide: if one of them exists,
   *  the launch does not pass our hooks. */
  readonly givesWayTo?: {
    readonly args?: readonly string[];
    readonly variables?: readonly string[];
    readonly files?: readonly string[];
  };
}

export interface Oneshot {
  /** The program and its arguments. `{prompt}` is replaced by the prompt (argument) or its file (file); see `commandFor`. */
  readonly command: readonly [string, ...string[]];
  /** The same with flags that keep it from writing: for an agent that only looks at work. */
  readonly readOnly?: readonly [string, ...string[]];
  readonly prompt: 'stdin' | 'file' | 'argument';
  readonly output: OutputSpec;
  /** Environment variables that limit its own retries and turn its questions off. */
  readonly set?: Readonly<Record<string, string>>;
  /** Seconds without any output from the start after which it counts as hung. */
  readonly firstOutputS: number;
  /** Where its own retries cannot be limited: a line of standard error or output that reports one. The caller may end the
   *  agent when that line comes again. */
  readonly retryLine?: string;
}

export type OutputSpec =
  /** Standard output is the answer. `answered` is a line that the program itself prints after a model's answer: without
   *  it there was no answer, and standard output belongs to the error channel. */
  | { readonly format: 'text'; readonly answered?: string }
  /** One JSON value, or one per line; all rules are tried on every value. */
  | { readonly format: 'json' | 'jsonl'; readonly rules: readonly OutputRule[] };

export interface OutputRule {
  /** Paths and their required values; `*` for any value. */
  readonly when: Readonly<Record<string, string | number | boolean>>;
  /** Path of the model's answer; the last one found counts, and cancels errors before it. Paths are names with dots;
   *  `content[].text` joins the texts of a list. */
  readonly answer?: string;
  /** The answer comes in pieces; adjacent pieces are joined. */
  readonly isPiece?: boolean;
  /** The value is an error; the paths of its parts. */
  readonly error?: {
    /** A retry or a warning: explains a failure, but is not a failure itself. */
    readonly isNotice?: boolean;
    readonly message?: string;
    /** Path of a code, name or type, which `codes` turns into a class. */
    readonly code?: string;
    readonly status?: string;
    /** Path of the time from which it works again: seconds since 1970, or a text with a time. */
    readonly resetsAt?: string;
  };
}

export interface ErrorRule {
  readonly class: ErrorClass;
  /** A case-insensitive regular expression on one line of the error channel, for a linear-time engine (no look-around,
   *  no back references). */
  readonly text?: string;
  /** Codes, names or types in error fields. */
  readonly codes?: readonly string[];
  readonly statuses?: readonly number[];
  readonly exitCodes?: readonly number[];
}

/** The result of one run. */
export type AgentResult =
  | { readonly kind: 'answered'; readonly answer: string }
  | {
      readonly kind: 'failed';
      readonly class: ErrorClass;
      /** One line, for people and the hand-over. */
      readonly message: string;
      /** Milliseconds since 1970; when the agent named a time. */
      readonly resetAt?: number;
      /** Its answer so far; may be empty. */
      readonly answer: string;
    };

/** How to start it with this prompt. A prompt can never be taken for a flag: without `{prompt}` in the command, the file
 *  comes last, and the prompt itself comes after `--`. */
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
