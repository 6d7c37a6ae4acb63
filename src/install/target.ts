// Target: how to install hooks for one agent; plan.ts and check.ts use it. make-target.ts builds it from the agent's folder.

import type { HookEntry } from '../kernel/agent-hooks.ts';
import type { InstallFile, TrustFacts } from '../kernel/agent-install.ts';
import type { HookEvent } from '../kernel/hook-events.ts';

/** `user`: every project of this person. `project`: this one, on this machine. `team`: this one, in every clone; the entries
 *  are committed and name no path of a machine. */
export type Scope = 'user' | 'project' | 'team';

/** Those of one person on one machine. */
export const OWN_SCOPES: readonly Scope[] = ['user', 'project'];
export const SCOPES: readonly Scope[] = [...OWN_SCOPES, 'team'];

export interface Places {
  readonly home: string;
  /** The project's root. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A file that may hold entries of ours, and how to edit it. */
export interface Site {
  readonly file: string;
  readonly format: InstallFile['format'];
  /** Of a list: its key. */
  readonly key?: string;
}

/** What a file should hold. */
export type Want =
  | {
      readonly format: 'json';
      readonly entries: readonly HookEntry[];
      /** The place in an event's list, which others use too. */
      readonly place: 'first' | 'last';
      /** Other keys that the file needs; written only when we create it. */
      readonly base: Readonly<Record<string, unknown>>;
    }
  | { readonly format: 'toml'; readonly entries: readonly HookEntry[] }
  /** A file that only foreword writes; `signed` in own-file.ts made its text. */
  | { readonly format: 'own'; readonly text: string }
  /** A marked block at the end of a text for people and agents. */
  | { readonly format: 'block'; readonly body: string }
  /** Items of a list under a key of a YAML file. */
  | { readonly format: 'list'; readonly key: string; readonly items: readonly string[] };

export type Way =
  | { readonly kind: 'put'; readonly site: Site; readonly want: Want }
  | { readonly kind: 'cannot'; readonly why: string };

/** The files a target may read while it chooses one; links are followed. */
export interface TargetFiles {
  exists(path: string): boolean;
  /** `undefined` when there is no such file, or it cannot be read. */
  text(path: string): string | undefined;
  /** Names in a folder; none when it cannot be read. */
  list(folder: string): readonly string[];
}

export interface TargetRequest {
  readonly scope: Scope;
  readonly places: Places;
  readonly look: TargetFiles;
  /** The words that run the hook program. */
  readonly words: (event: HookEvent) => readonly string[];
}

export interface Target {
  /** The name in `--agents` and for the hook program. */
  readonly agent: string;
  readonly title: string;
  /** Programs by which an installed agent is recognised. Empty when other programs have that name too. */
  readonly programs: readonly string[];
  /** Its own folders; the agent is in use when one exists. */
  folders(places: Places): readonly string[];
  /** Every file that may hold entries of ours in that scope, the usual one first. */
  sites(scope: Scope, places: Places): readonly Site[];
  way(request: TargetRequest): Way;
  /** What the person must know or do after the change. */
  notes(request: TargetRequest): readonly string[];
  /** What it shows to everybody who opens a project with hooks. */
  readonly announces?: string;
  /** The setting that switches all hooks off, when it is set. */
  switchedOff?(request: TargetRequest): string | undefined;
  /** Its events at which nobody can see that it lost a text of ours. */
  readonly unseen?: readonly string[];
  /** How the agent remembers which hooks a person trusted; absent when it runs hooks without asking. */
  readonly trust?: TrustFacts & { fileIn(places: Places): string };
}
