// How to install our hooks into one agent, as data: its files and their content (install.ts in its folder).
// install/make-target.ts applies it. An agent with its own hook system also has hooks.ts, which names the events.

import type { EntryShape } from './agent-hooks.ts';
import type { HookEvent } from './hook-events.ts';

export interface InstallFacts {
  /** Its name as its makers write it. */
  readonly title: string;
  /** Programs that show it is installed. Empty where other programs have the same name. */
  readonly programs: readonly string[];
  /** Its configuration folder; where that exists, the agent is in use. */
  readonly folder?: OwnFolder;
  /** Files for our hooks in all projects of a person, below `folder`, the default first. Empty: it has no such file. */
  readonly user: readonly InstallFile[];
  /** The same for one project, below its root. */
  readonly project: readonly InstallFile[];
  /** The files of a project that are committed, where those of `project` are not. */
  readonly team?: readonly InstallFile[];
  /** Which file is used; the default file when absent. `last-existing`: the last one that exists. `where-hooks-are`: a TOML
   *  file that already holds hooks, if the default file does not exist. */
  readonly takes?: 'last-existing' | 'where-hooks-are';
  readonly content: InstallContent;
  /** The setting that turns all hooks off: a file below `folder`, and the path to the value in it. */
  readonly switchedOff?: SwitchedOff;
  /** What a person must know or do after the install. `{count}` is the number of our hooks, `{program}` our program. */
  readonly notes?: {
    readonly always?: readonly string[];
    readonly project?: readonly string[];
  };
  /** What it shows to everybody who opens a project with hooks, with or without foreword. Entries to commit are written for it
   *  only when a person names it. */
  readonly announces?: string;
  /** Whom its vendor no longer serves, as a sentence with the date. Init names it, and puts the agent last in the lineup. */
  readonly retired?: string;
  /** For an agent that runs only hooks that a person approved. */
  readonly trust?: TrustFacts;
}

export interface OwnFolder {
  /** `config`: $XDG_CONFIG_HOME, or ~/.config. */
  readonly in: 'home' | 'config';
  readonly path: string;
  /** An environment variable that names the folder itself. */
  readonly variable?: string;
  /** An environment variable that names another home. */
  readonly homeVariable?: string;
}

export interface InstallFile {
  readonly path: string;
  readonly format: 'json' | 'toml' | 'own' | 'block' | 'list';
  /** Of a list: its key in the file. */
  readonly key?: string;
  /** An environment variable that names another folder for it. */
  readonly variable?: string;
}

export type InstallContent =
  | {
      /** An entry for each event, in a file that others use too. */
      readonly kind: 'entries';
      readonly entry: EntryShape | ((event: HookEvent) => EntryShape);
      /** The place in the list of an event; first when absent. */
      readonly place?: 'last';
      /** What a file needs besides `hooks`; written only when we create the file. */
      readonly base?: Readonly<Record<string, unknown>>;
      /** A shell test; when it is true, our hook does nothing. */
      readonly unless?: string;
    }
  | {
      /** Our own file that its runtime loads: this code follows `ask`, `join` and `bounded` of install/plug-in.ts. */
      readonly kind: 'plug-in';
      readonly code: string;
    }
  | {
      /** A few lines in an instruction file. Not created in a project that has one of `unless` and not this file: the agent
       *  would stop reading that one. */
      readonly kind: 'block';
      readonly unless?: readonly string[];
    }
  | {
      /** A list of the context files. It would override a list under the same key in `hidden`, a file in the home folder. */
      readonly kind: 'context-files';
      readonly key: string;
      readonly hidden: string;
    };

export interface SwitchedOff {
  readonly file: string;
  readonly at: readonly string[];
  readonly is: boolean;
  /** Files of a project that may hold the same setting, from its root. */
  readonly project?: readonly string[];
  /** Files of the machine that may hold it: those of an administrator. */
  readonly system?: readonly string[];
  /** Folders of which every JSON file counts as one of `system`. */
  readonly systemFolders?: readonly string[];
  /** A second setting, which counts in `system` alone. */
  readonly systemOnly?: { readonly at: readonly string[]; readonly is: boolean };
}

/** How to ask a running agent for the hooks that it knows. Lines of JSON on its standard input and output. */
export interface TrustAsk {
  readonly args: readonly string[];
  /** Names the folder of its settings. */
  readonly variable: string;
  /** Its settings; `hasPaths` where they name files below that folder. */
  readonly files: readonly { readonly name: string; readonly hasPaths?: true }[];
  questions(root: string): readonly object[];
  /** `undefined` for every other line; never throws. */
  answerIn(line: string): readonly AskedHook[] | undefined;
  /** Whether it runs hooks at all; `unknown` when it does not know the question; `undefined` for every other line; never throws. */
  isOnIn(line: string): boolean | 'unknown' | undefined;
}

export interface AskedHook {
  readonly command: string;
  /** The file that holds it, with links followed; absent when it does not say. */
  readonly file?: string;
  readonly isEnabled: boolean;
  readonly trust: 'trusted' | 'untrusted' | 'modified';
}

export interface TrustFacts {
  /** Below `folder`: where it stores what the person approved. TOML. */
  readonly file: string;
  /** What a person does to approve. */
  readonly cure: string;
  isTrusted(question: TrustQuestion): boolean;
  /** Its own word, which counts before what its files say. */
  readonly ask?: TrustAsk;
}

export type TomlTable = Readonly<Record<string, unknown>>;

export interface TrustQuestion {
  /** `hooks` of the file with ours. */
  readonly hooks: TomlTable;
  /** What the file of `TrustFacts` holds; empty when there is none. */
  readonly kept: TomlTable;
  /** Names under which the agent may know the file with our hooks. */
  readonly names: readonly string[];
  readonly isOurs: (command: unknown) => boolean;
  /** In hexadecimal digits. */
  readonly sha256: (text: string) => string;
}
