// What belongs to a person's set-up of one agent, as data (setup.ts in its folder): settings, hooks, plug-ins, instruction files and MCP
// servers. `foreword xray` copies it, without keys, and shows what each of them puts before the model.

import type { LabPlace, LabSubagent } from './agent-lab.ts';

type Value = Readonly<Record<string, unknown>>;

/** A settings file on its way into the copy. */
export interface SetupFile {
  /** `home`: relative to the home, with the agent's folder under its usual name; `project`: relative to the project. */
  readonly in: 'home' | 'project';
  readonly path: string;
  /** Where the session is. */
  readonly project: string;
  /** For the session without the set-up: only what changes the agent's own words stays. */
  readonly isBaseline: boolean;
}

export interface SetupFacts {
  /** The agent's folder in the home, the variable that moves it, and the one that moves the folder above it. */
  readonly folder: { readonly path: string; readonly variable?: string; readonly above?: string };
  /** Further files and folders of the home. */
  readonly beside?: readonly string[];
  /** Of these, what is never copied: credentials, transcripts, caches, programs. A name in the agent's folder, or a path. */
  readonly left: readonly string[];
  /** Files of the project, and of the folders above it, that instruct the agent; a path that ends in `/` is a folder. */
  readonly projectInstructions: readonly string[];
  /** Files of the home that instruct it. */
  readonly homeInstructions: readonly string[];
  /** How an instruction file names another one that is read with it; the first group is its path. */
  readonly imports?: RegExp;
  /** Settings files of the project; a path that ends in `/` is a folder of them. */
  readonly projectSettings: readonly string[];
  /** The plug-in that a file of the home belongs to: the group `name`. `enabled`: the entry that switches it on, `{name}` and
   *  the other groups in it, below the key of the agent's own settings file. */
  readonly plugIn?: {
    readonly path: RegExp;
    readonly enabled?: { readonly file: string; readonly key: string; readonly entry: string };
  };
  /** The settings as the copy has them: without what leads to another service or starts a helper. `undefined`: not copied. */
  settings(value: Value, file: SetupFile): Value | undefined;
  /** Keys under which MCP servers are, by name. */
  readonly serverKeys: readonly string[];
  /** How a tool is named in requests, `{server}` and `{tool}`. */
  readonly toolName: string;
  /** What stands for `{server}` when a plug-in brought it, `{plugIn}` and `{server}`; its name unless given. */
  readonly plugInServer?: string;
  /** How long words begin that the agent writes before a text, because of it. Short ones count to the text anyway. */
  readonly frames?: readonly string[];
  /** What the session plays beside what lab.ts names, which `foreword verify` would try too. */
  readonly session?: {
    readonly compactCommand?: string;
    readonly subagent?: LabSubagent;
    /** Settings that both sessions need, by absolute path. */
    files?(place: LabPlace): Readonly<Record<string, string>>;
  };
  /** Further arguments of the session, so that no dialog stops it. */
  readonly args?: readonly string[];
  /** Keys of settings whose text the agent gives to its model as it stands: `KEY`, or a path with `*` for any name (`agent.*.prompt`). */
  readonly textKeys?: readonly string[];
  /** Keys of settings that list further instruction files: paths, with `*` for any name. */
  readonly fileKeys?: readonly string[];
  /** For an agent whose plug-ins are modules that it loads into itself. */
  readonly modules?: SetupModules;
  /** For an agent that runs only hooks which a person agreed to. */
  readonly trust?: SetupTrust;
}

export interface SetupModules {
  /** Folders of the home and of the project whose `.js` and `.ts` files it loads, and the `index` file of folders in them. */
  readonly folders: readonly string[];
  /** It loads files alone, no folders. */
  readonly isFlat?: boolean;
  /** Folders whose files are tools: `NAME`, and `NAME_EXPORT`. */
  readonly tools?: readonly string[];
  /** The key of settings that lists further ones: a path, the address of a file, or a package; with options, the first of a list. */
  readonly key?: string;
  /** The key of settings that lists packages which are left out of the copy, and named. */
  readonly unmeasured?: string;
  /** Folders of the home in which it keeps an installed package, by the entry of the list. */
  packages?(entry: string): readonly string[];
  /** The module that stands in the place of each of them in the copy, as code: it imports `ORIGINAL`, and records by `watched` and `brings`
   *  (verify/xray/module-recorder.ts). */
  readonly code: string;
}

export interface SetupTrust {
  /** The settings file of the home that remembers it. */
  readonly file: string;
  /** Why the agent skips hooks of a settings file, by `EVENT:GROUP:HOOK` with their numbers. */
  skipped(value: Value, about: TrustOfFile): ReadonlyMap<string, string>;
}

export interface TrustOfFile {
  /** The settings file with the hooks, under each absolute path that the agent may know. */
  readonly names: readonly string[];
  /** The content of `SetupTrust.file`. */
  readonly kept: Value;
  /** In hexadecimal digits. */
  readonly sha256: (text: string) => string;
}
