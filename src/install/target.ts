// Target: putting hooks into one agent, as plan.ts and check.ts see it. make-target.ts makes it of what the agent's folder says.

import type { HookEntry } from '../kernel/agent-hooks.ts';
import type { InstallFile, TrustFacts } from '../kernel/agent-install.ts';
import type { HookEvent } from '../kernel/hook-events.ts';

/** `user`: every project of this person. `project`: this one. */
export type Scope = 'user' | 'project';

export const SCOPES: readonly Scope[] = ['user', 'project'];

export interface Places {
  readonly home: string;
  /** The project's root. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A file in which something of ours may stand, and how such a file is edited. */
export interface Site {
  readonly file: string;
  readonly format: InstallFile['format'];
  /** Of a list: the key it stands under. */
  readonly key?: string;
}

/** What should stand in a file. */
export type Want =
  | {
      readonly format: 'json';
      readonly entries: readonly HookEntry[];
      /** Where in the list of an event that others use too. */
      readonly place: 'first' | 'last';
      /** What a file needs besides `hooks`; put in only when we make the file. */
      readonly base: Readonly<Record<string, unknown>>;
    }
  | { readonly format: 'toml'; readonly entries: readonly HookEntry[] }
  /** A file that is ours alone; `signed` in own-file.ts made its text. */
  | { readonly format: 'own'; readonly text: string }
  /** A marked block at the end of a text for people and agents. */
  | { readonly format: 'block'; readonly body: string }
  /** Items of a list under a key of a YAML file. */
  | { readonly format: 'list'; readonly key: string; readonly items: readonly string[] };

export type Way =
  | { readonly kind: 'put'; readonly site: Site; readonly want: Want }
  | { readonly kind: 'cannot'; readonly why: string };

/** How a target looks at the machine while it chooses a file; links are followed. */
export interface TargetFiles {
  exists(path: string): boolean;
  /** `undefined` when there is no such file, or it cannot be read. */
  text(path: string): string | undefined;
}

export interface TargetRequest {
  readonly scope: Scope;
  readonly places: Places;
  readonly look: TargetFiles;
  /** The words that run the hook program. */
  readonly words: (event: HookEvent) => readonly string[];
}

export interface Target {
  /** As in `--agents` and for the hook program. */
  readonly agent: string;
  readonly title: string;
  /** Programs that say it is installed. Empty where other programs have that name too. */
  readonly programs: readonly string[];
  /** Its own folders; one that exists says it is used. */
  folders(places: Places): readonly string[];
  /** Every file that may hold something of ours in that scope, the usual one first. */
  sites(scope: Scope, places: Places): readonly Site[];
  way(request: TargetRequest): Way;
  /** What the person must know or do after it was written. */
  notes(request: TargetRequest): readonly string[];
  /** The setting by which the person keeps it from running any hook, where there is one and it is set. */
  switchedOff?(request: TargetRequest): string | undefined;
  /** How it remembers which hooks a person agreed to; absent where it asks nobody. */
  readonly trust?: TrustFacts & { fileIn(places: Places): string };
}
