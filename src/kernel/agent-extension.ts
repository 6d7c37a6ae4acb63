// How one agent installs a plug-in, as data (extension.ts in its folder): the files of the plug-in's folder that are in this agent's own
// format, and its own commands to install, list and remove it. scripts/build-plugins.mjs writes the folders, with our program in
// each: several agents may share one.

import type { HookEntry } from './agent-hooks.ts';

export interface ExtensionParts {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** Its hook entries; `root` is how a command names the folder of the plug-in. */
  entries(root: string): readonly HookEntry[];
  /** The words that start our MCP server. */
  server(root: string): readonly string[];
}

export interface ExtensionFacts {
  /** The folder of the plug-in, below that of all of them. */
  readonly folder: string;
  /** Values of JSON files by their path in the folder, texts as they are; `../` leads to that of all plug-ins. */
  files(parts: ExtensionParts): Readonly<Record<string, unknown>>;
  /** Arguments of its own commands; `{all}` is the folder of all plug-ins, `{own}` that of this one. */
  readonly install: readonly (readonly string[])[];
  readonly list: readonly string[];
  /** Where it shows that it is installed, below the agent's own folder. */
  readonly kept: KeptExtension;
  readonly remove: readonly (readonly string[])[];
  /** Arguments that check the folder, where it can. */
  readonly validate?: readonly string[];
  /** What a person must do after it. */
  readonly afterwards?: string;
}

export interface KeptExtension {
  /** Manifests with its version; `*` is one folder of any name. */
  readonly manifests: readonly string[];
  /** The setting that says so; without it the manifest does. */
  readonly enabled?: { readonly file: string; readonly at: readonly string[] };
  /** The setting that names the folder of all plug-ins, where it is used in place. */
  readonly source?: { readonly file: string; readonly at: readonly string[]; readonly manifest: string };
}

/** Entries by event, as hook files have them. */
export function hooksByEvent(entries: readonly HookEntry[]): Readonly<Record<string, readonly unknown[]>> {
  return Object.fromEntries(entries.map(({ event, value }) => [event, [value]]));
}
