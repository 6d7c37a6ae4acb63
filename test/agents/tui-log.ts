// The log of the scripted terminal agent (tui.mjs), read back: what it was given and when, and what that means. This is
// the oracle of tests that type: it knows what the agent saw, not what anybody meant to send.

import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export { type TuiOptions, tuiAgent, tuiCommand, tuiInteractive } from './tui-agent.ts';

export type Profile = 'boxed' | 'plain' | 'shell' | 'alternate';

export type AgentState =
  | 'cooked-start' // line mode, printing; nothing reads keys
  | 'loading' // key by key, paste frames on, no composer yet
  | 'dialog' // asks something: trust, onboarding, update, unheard
  | 'approval' // asks in the middle of a turn
  | 'menu' // a draft that begins with / opened a menu
  | 'ready'
  | 'busy'
  | 'cooked' // the terminal is lent to a program in line mode
  | 'shell' // the agent is gone, a shell has the terminal
  | 'gone';

/** Whose text a draft is. */
export type Owner = 'empty' | 'person' | 'program' | 'mixed';
/** A person's keys are those of person.mjs; whatever else comes was sent by a program. */
export type Sender = 'person' | 'program';

export type HarmKind =
  | 'cooked'
  | 'not-ready'
  | 'dialog'
  | 'approval'
  | 'menu'
  | 'shell'
  | 'busy' // only where the script says `busyHarms`
  | 'draft' // changed or sent a draft that has a person's text in it
  | 'control' // Escape, Ctrl-C, deleting and other keys nothing of ours may press
  | 'unframed'; // text typed outside a paste frame

/** The state of things when bytes came. */
interface Situation {
  readonly state: AgentState;
  /** Milliseconds in that state. */
  readonly sinceMs: number;
  /** Milliseconds since the screen shows it; null when it does not yet: nobody could know. */
  readonly shownMs: number | null;
  readonly draft: Owner;
  /** `frame`: part of a paste frame, see the `paste` entry with that number; `part`: the beginning of a key that came in
   *  pieces, whose sender the next entry tells. */
  readonly by: Sender | 'frame' | 'part' | 'terminal';
  readonly frame?: number;
  /** Milliseconds since a person's last key; null when there was none. */
  readonly personMs: number | null;
  /** Read after a time without reading: it may have come any time in between. */
  readonly isAfterFreeze?: true;
}

interface Kinds {
  start: { readonly pid: number; readonly profile: Profile; readonly cols: number; readonly rows: number } & {
    readonly script: Readonly<Record<string, unknown>>;
  };
  state: {
    readonly state: AgentState;
    readonly from: AgentState;
    /** The draft at that moment, and whose it is. */
    readonly composer: string;
    readonly draft: Owner;
    readonly dialog?: string;
    readonly status?: number;
  };
  /** The screen shows the state from now on. */
  shown: { readonly state: AgentState };
  bytes: Situation & { readonly hex: string };
  harm: Situation & { readonly what: HarmKind; readonly bytes: number; readonly text: string };
  key: {
    readonly name: string;
    readonly text: string;
    readonly by: Sender;
    /** Before the key. */
    readonly state: AgentState;
    readonly effect: 'submit' | 'swallowed' | 'newline' | 'nothing' | 'edited' | 'chose' | 'moved' | 'lost' | 'shell';
  };
  paste: {
    readonly text: string;
    readonly ids: readonly string[];
    readonly by: Sender;
    readonly bytes: number;
    readonly frame: number;
    readonly state: AgentState;
    readonly draft: Owner;
  };
  /** The draft after what was just read. */
  draft: { readonly text: string; readonly shown: string; readonly draft: Owner };
  submit: {
    readonly text: string;
    readonly ids: readonly string[];
    readonly by: Sender;
    readonly how: 'now' | 'queued' | 'steered' | 'lost' | 'launch';
    readonly draft: Owner;
    readonly personBytes: number;
    readonly personMs: number | null;
    readonly state: AgentState;
  };
  /** What a model was given. */
  served: {
    readonly text: string;
    readonly ids: readonly string[];
    readonly via: 'typed' | 'prompt-hook' | 'session-start-hook';
  };
  said: { readonly text: string };
  acknowledged: { readonly code: string };
  answer: { readonly dialog: string; readonly answer: 'yes' | 'no' | 'cancel'; readonly by: Sender | 'nobody' };
  chosen: { readonly from: 'menu' };
  /** What the shell would have run. */
  command: { readonly text: string; readonly by: Sender };
  hook: {
    readonly event: string;
    readonly status: number | string;
    readonly stdout: string;
    readonly stderr: string;
    readonly ms: number;
  };
  event: { readonly on: string; readonly count: number; readonly do: string };
  freeze: { readonly ms: number };
  'paste-mode': { readonly isOn: boolean };
  resize: { readonly cols: number; readonly rows: number };
  signal: { readonly name: string };
  /** SIGUSR2 came: what lasts until told goes on. */
  told: Readonly<Record<string, never>>;
  /** It is about to kill itself. */
  death: Readonly<Record<string, never>>;
}

export type EntryOf<K extends keyof Kinds> = {
  readonly kind: K;
  /** Count within one run of the agent, from 1. */
  readonly n: number;
  /** Milliseconds since the agent's process began. */
  readonly t: number;
  /** Milliseconds since 1970. */
  readonly at: number;
} & Kinds[K];
export type Entry = { [K in keyof Kinds]: EntryOf<K> }[keyof Kinds];

/** In order. A file that is not there yet has no entries; a last line that is not whole is left out. */
export function readLog(file: string): readonly Entry[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line) as Entry);
}

export function entriesOf<K extends keyof Kinds>(log: readonly Entry[], kind: K): readonly EntryOf<K>[] {
  return log.filter((entry): entry is EntryOf<K> & Entry => entry.kind === kind);
}

/** Waits for an entry, also one that is already there. */
export async function untilEntry<K extends keyof Kinds>(
  file: string,
  kind: K,
  isIt: (entry: EntryOf<K>) => boolean = () => true,
  deadlineMs = 10_000,
): Promise<EntryOf<K>> {
  const from = performance.now();
  for (;;) {
    const found = entriesOf(readLog(file), kind).find(isIt);
    if (found !== undefined) return found;
    if (performance.now() - from > deadlineMs) {
      const last = readLog(file)
        .slice(-8)
        .map((entry) => JSON.stringify(entry).slice(0, 300));
      throw new Error(`no ${kind} within ${deadlineMs} ms; the log ends with\n${last.join('\n')}`);
    }
    await sleep(15);
  }
}

export { type Oracle, type OracleOptions, oracle } from './tui-oracle.ts';
