// Agent: a coding-agent program, described as data. Everything about one agent is in its folder in agents/; a custom one
// has the same data in the configuration. How to add one: CONTRIBUTING.md, "Add an agent".

import type { AgentBox } from './agent-box.ts';
import type { Channel, Proof } from './receipt.ts';
import type { Price, UsageSpec } from './usage-rules.ts';

/** Why an agent could not work. foreword detects `crash`, `silence` (nothing from the start) and `hang` (nothing for too long);
 *  the agent reports the others itself. */
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
  | 'hang'
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
  /** Files that it makes in the git directory of every work tree, and that git does not read: they are no change of it. */
  readonly gitFiles?: readonly string[];
  /** What it needs of the person's home in the box of a run; absent: nothing. */
  readonly box?: AgentBox;
  /** Tried in order on the error channel only: error fields of its output, standard error; never the model's text. */
  readonly errors: readonly ErrorRule[];
  /** Notes for a person about delivering context to it, a sentence each; docs/agents.md shows them. */
  readonly notes?: readonly string[];
  /** What its tokens cost, from the configuration: used where it does not name a cost itself. */
  readonly price?: Price;
}

/** How it is used in a terminal by a person, and how a session gets text into it. */
export interface Interactive {
  readonly command: readonly [string, ...string[]];
  /** Tried in order, but `asking` before `busy` before `starting` before `ready`: a screen that must not be typed into
   *  wins. */
  readonly screens: readonly ScreenRule[];
  readonly composer: ComposerRule;
  /** Where its screens are known from: the version they were recorded with, or documents and source only. Absent for an agent of
   *  one's own. */
  readonly screensFrom?: { readonly version: string } | 'documents';
  /** How long its screen must stand still before anything is typed, where an answer may stall for longer than a second and
   *  look like its end. Does not count where a hook or the transcript says that the turn ended. */
  readonly quietMs?: number;
  /** On one of the last lines: a text that was submitted waits until the turn before it is over. */
  readonly queued?: string;
  /** Where a program of the person's writes: what changes there is no work of the agent. */
  readonly statusLine?: 'footer';
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
  /** On one of the four lines right above the composer, blank ones not counted: where agents draw what they do. */
  readonly over?: string;
  /** With `over`: the same line without its faint text. A status and a quotation of it differ in colour. */
  readonly solid?: string;
  /** With `over`: the line right under it, a border of the agent's own. Nothing of a conversation stands there. */
  readonly border?: string;
  /** With `over`: the first of the lines that stand together with it, without a blank one between. An answer that quotes the line
   *  begins as answers do. */
  readonly head?: string;
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
  /** A continuation line, a blank one included (without the spaces at its end); the first group is the text in it. When absent: a
   *  line that is indented by two or blank. */
  readonly more?: string;
  /** The line right above its first one. When absent, the first line is the nearest match of `line` from the cursor up. */
  readonly above?: string;
  /** A line that ends it and is not part of it; of several the last one, so that a draft cannot imitate it. When absent,
   *  the composer ends where `more` ends. */
  readonly below?: string;
  /** A line below it that is as wide as it: what is further right is no part of it. */
  readonly right?: string;
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
  /** It runs that prompt before its question about trust is answered: ours goes along only where one of these shows that it
   *  will not ask. */
  readonly promptNeedsTrust?: TrustSigns;
  /** Puts the text into the conversation: no turn begins, and the model is given it with the person's first prompt. */
  readonly history?: LaunchHistory;
  /** How the arguments of a person are read; absent: every word may be a prompt. */
  readonly own?: OwnArguments;
  /** How to pass our hooks without changing a file of the person. */
  readonly hook?: LaunchHook;
  /** How to pass our MCP server, for an agent without hooks: its model asks for the context by a tool. */
  readonly mcp?: LaunchMcp;
}

/** In `args`, `{server}` is replaced by the server as a JSON object with `command`, `args` and `env`, `{line}` by the same as one
 *  line of a shell: `NAME=value command`. */
export interface LaunchMcp {
  readonly args: readonly string[];
  /** Options of a person that ours would replace. */
  readonly givesWayTo?: readonly string[];
}

/** In `content`, `{text}` is replaced by the text and `{id}` by its id, both escaped for a JSON string, and `{time}` by an ISO time; in
 *  `args`, `{file}` by the path of the file. */
export interface LaunchHistory {
  readonly file: { readonly name: string; readonly content: string };
  readonly args: readonly string[];
  /** The first version that was seen to have it. */
  readonly since: string;
  /** Words of a person's arguments beside which it cannot be given. */
  readonly givesWayTo: readonly string[];
}

/** Where a person said that a folder is trusted, each enough by itself. */
export interface TrustSigns {
  /** The question comes after the composer, within this time. */
  readonly asksWithinMs?: number;
  readonly args?: readonly string[];
  /** Environment variables with the value that says so. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Its JSON files under the home folder: the keys that lead to a value, and the values that say so. `{folder}` as a key is
   *  the folder of the session, or the nearest one above it that is a key there. */
  readonly files?: readonly {
    readonly path: string;
    readonly at: readonly string[];
    readonly is: readonly (string | boolean)[];
  }[];
  /** The variable that names another home folder for it. */
  readonly homeVariable?: string;
}

/** What the arguments that a person gives at a launch mean, as far as a prompt of ours could get in their way. */
export interface OwnArguments {
  /** Options that take the next word as their value, with blanks between them. A word behind any other option may be its
   *  value or a prompt. */
  readonly values: readonly string[];
  /** Options that give a first prompt. */
  readonly prompts?: readonly string[];
  /** Options and subcommands that go on in a session that is there already. */
  readonly resumes: readonly string[];
  /** A word by itself is no prompt, but for example a folder. */
  readonly takesNoWords?: boolean;
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
  /** The program and its arguments. `{prompt}` is replaced by the prompt (argument) or its file (file), `{session}` by a new id for
   *  its session; see `commandFor`. */
  readonly command: readonly [string, ...string[]];
  /** The same with flags that keep it from writing: for an agent that only looks at work. */
  readonly readOnly?: readonly [string, ...string[]];
  /** Environment variables for that, where flags are not enough. */
  readonly readOnlySet?: Readonly<Record<string, string>>;
  /** The same two in a box of ours, where they differ: ours takes the place of its own sandbox. */
  readonly boxed?: {
    readonly command?: readonly [string, ...string[]];
    readonly readOnly?: readonly [string, ...string[]];
  };
  /** How it goes on in a session of its own, which its output names; absent for an agent that cannot, or that gains nothing by it. */
  readonly resume?: Resume;
  readonly prompt: 'stdin' | 'file' | 'argument';
  readonly output: OutputSpec;
  /** Environment variables that limit its own retries and turn its questions off. */
  readonly set?: Readonly<Record<string, string>>;
  /** Seconds without any output from the start after which it counts as hung. */
  readonly firstOutputS: number;
  /** It prints nothing while it works, so silence after its first output is no hang. By default that holds for every output
   *  but one JSON value per line. */
  readonly isQuiet?: boolean;
  /** Where its own retries cannot be limited: a line of standard error or output that reports one. The caller may end the
   *  agent when that line comes again soon, or when nothing follows it. */
  readonly retryLine?: string;
  /** A line that reports a wait of ten seconds or more: the caller may end the agent at once. */
  readonly limitLine?: string;
}

export interface Resume {
  /** Added to the command: see `withArguments`. `{session}` is replaced by the session's id, of which
   *  runs/agent-output/session-id.ts makes sure that no program takes it for a flag. */
  readonly args: readonly string[];
  /** For an agent that names a session also when there is no such session: what it reports then. */
  readonly gone?: string;
}

export type OutputSpec =
  /** Standard output is the answer. `answered` is a line that the program itself prints after a model's answer: without
   *  it there was no answer, and standard output belongs to the error channel. */
  | { readonly format: 'text'; readonly answered?: string }
  /** One JSON value, or one per line; all rules are tried on every value. */
  | ({
      readonly format: 'json' | 'jsonl';
      readonly rules: readonly OutputRule[];
      /** Where it names its session: the required values of a line, as in a rule, and the path of the id. The first one counts. Its
       *  transcript is found by it, and it is what `resume` needs. */
      readonly session?: Pick<OutputRule, 'when'> & { readonly id: string };
    } & UsageSpec);

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
    /** Path of the milliseconds that it waits before it tries again. */
    readonly retryMs?: string;
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
  given: { readonly prompt: string; readonly promptFile: string; readonly session?: string | undefined },
): { readonly command: readonly [string, ...string[]]; readonly input?: string } {
  const [program, ...written] = oneshot.command;
  const rest = written.map((argument) => argument.split('{session}').join(given.session ?? ''));
  if (oneshot.prompt === 'stdin') return { command: [program, ...rest], input: given.prompt };
  const text = oneshot.prompt === 'file' ? given.promptFile : given.prompt;
  if (rest.some((argument) => argument.includes('{prompt}')))
    return { command: [program, ...rest.map((argument) => argument.split('{prompt}').join(text))] };
  return { command: [program, ...rest, ...(oneshot.prompt === 'argument' ? ['--'] : []), text] };
}

/** The command with more arguments, before what ends the options: `--`, or a last `-` for standard input. Behind a subcommand,
 *  since its own options may be meant. */
export function withArguments(
  [program, ...rest]: readonly [string, ...string[]],
  more: readonly string[],
): readonly [string, ...string[]] {
  const end = rest.indexOf('--');
  const at = end !== -1 ? end : rest.at(-1) === '-' ? rest.length - 1 : rest.length;
  return [program, ...rest.slice(0, at), ...more, ...rest.slice(at)];
}
