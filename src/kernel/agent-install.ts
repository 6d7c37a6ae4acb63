// How our hooks get into one agent, as data: where its files are, and what stands in them (install.ts in its folder).
// install/make-target.ts carries it out. An agent with hooks of its own also has hooks.ts, which names the events.

import type { EntryShape } from './agent-hooks.ts';
import type { HookEvent } from './hook-events.ts';

export interface InstallFacts {
  /** Its name as its makers write it. */
  readonly title: string;
  /** Programs that say it is installed. Empty where other programs have that name too. */
  readonly programs: readonly string[];
  /** Its own folder; where that exists, the agent is used. */
  readonly folder?: OwnFolder;
  /** Files that may hold something of ours for every project of a person, below `folder`, the usual one first. Empty: it has
   *  no such file. */
  readonly user: readonly InstallFile[];
  /** The same for one project, below its root. */
  readonly project: readonly InstallFile[];
  /** Which file is taken: the usual one unless told otherwise. `last-existing`: the last that is there. `where-hooks-are`: a
   *  TOML file that already holds hooks, as long as the usual one is not there. */
  readonly takes?: 'last-existing' | 'where-hooks-are';
  readonly content: InstallContent;
  /** The setting by which a person keeps it from running any hook: a file below `folder`, the way to the value in it. */
  readonly switchedOff?: { readonly file: string; readonly at: readonly string[]; readonly is: boolean };
  /** What a person must know or do after it was written. `{count}` is the number of our hooks, `{program}` ours. */
  readonly notes?: { readonly always?: readonly string[]; readonly project?: readonly string[] };
  /** For an agent that runs only hooks which a person agreed to. */
  readonly trust?: TrustFacts;
}

export interface OwnFolder {
  /** `config`: $XDG_CONFIG_HOME, or ~/.config. */
  readonly in: 'home' | 'config';
  readonly path: string;
  /** A variable that names the folder itself. */
  readonly variable?: string;
  /** A variable that names another home. */
  readonly homeVariable?: string;
}

export interface InstallFile {
  readonly path: string;
  readonly format: 'json' | 'toml' | 'own' | 'block' | 'list';
  /** Of a list: the key it stands under. */
  readonly key?: string;
  /** A variable that names another folder for it. */
  readonly variable?: string;
}

export type InstallContent =
  | {
      /** An entry for each event, in a file that others use too. */
      readonly kind: 'entries';
      readonly entry: EntryShape | ((event: HookEvent) => EntryShape);
      /** Where in the list of an event; first unless told. */
      readonly place?: 'last';
      /** What a file needs besides `hooks`; put in only when we make the file. */
      readonly base?: Readonly<Record<string, unknown>>;
      /** A test of the shell under which our hook does nothing. */
      readonly unless?: string;
    }
  | {
      /** A file of ours that its runtime loads: code after `ask`, `join` and `bounded` of install/plug-in.ts. */
      readonly kind: 'plug-in';
      readonly code: string;
    }
  | {
      /** A few lines where it looks for instructions. Not made in a project where one of `unless` is there and the file is not:
       *  it would turn that one off. */
      readonly kind: 'block';
      readonly unless?: readonly string[];
    }
  | {
      /** The context files themselves, by name, in a list. A list under the same key in `hidden`, a file of the home, would be
       *  turned off by it. */
      readonly kind: 'context-files';
      readonly key: string;
      readonly hidden: string;
    };

export interface TrustFacts {
  /** Below `folder`: where it keeps what was agreed to. TOML. */
  readonly file: string;
  /** What a person does to agree. */
  readonly cure: string;
  isTrusted(question: TrustQuestion): boolean;
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
