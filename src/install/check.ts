// For doctor: where our hooks of each agent are, whether they are of this version, and what to do.

import type { HookEvent } from '../kernel/hook-events.ts';
import { shellWord } from '../kernel/shell-word.ts';
import type { OwnPart } from './edited.ts';
import { isAsWanted, ownParts } from './editors.ts';
import { type HookTrust, hookTrust } from './hook-trust.ts';
import { type Machine, partsOf } from './plan-file.ts';
import { SCOPES, type Scope, type Site, type Target, type TargetRequest, type Way } from './target.ts';
import type { HookToTry } from './try-hooks.ts';

export type HookState = 'in place' | 'absent' | 'stale' | 'changed by hand' | 'unreadable';

export interface InstalledHooks {
  readonly agent: string;
  readonly title: string;
  readonly scope: Scope;
  readonly file: string;
  readonly state: HookState;
  /** What is wrong, in a few words; absent when nothing is wrong. */
  readonly detail?: string;
  /** What to do; absent when nothing has to be done. */
  readonly cure?: string;
  /** Whether the agent will run them; absent when it runs hooks without asking. */
  readonly trust?: HookTrust;
  /** Its events at which nobody can see that it lost a text of ours; absent when there are none. */
  readonly unseen?: readonly string[];
  /** The command lines in the file, by the agent's name of the event. */
  readonly lines?: readonly HookToTry[];
}

export interface CheckOptions extends Machine {
  readonly targets: readonly Target[];
  readonly words: (event: HookEvent, agent: string) => readonly string[];
  /** Whether the entries of a team find the command. */
  readonly isOnPath: boolean;
}

/** Every file that holds an entry of ours or cannot be read, and one line for each agent that has none. */
export function installedHooks(options: CheckOptions): readonly InstalledHooks[] {
  return options.targets.flatMap((target) => {
    const found = SCOPES.flatMap((scope) => atScope(options, target, scope));
    if (found.length === 0) return absent(options, target);
    const hasOwn = found.some(({ scope, state }) => scope !== 'team' && state === 'in place');
    return options.isOnPath ? found : found.map((one) => (one.scope === 'team' ? withoutCommand(one, hasOwn) : one));
  });
}

/** Entries that do nothing are not tried; they are a problem only where nothing else serves that agent. */
function withoutCommand({ lines: _, ...one }: InstalledHooks, hasOwn: boolean): InstalledHooks {
  if (hasOwn || one.state !== 'in place') return one;
  const detail = "the team's entries do nothing here: foreword is not on the PATH";
  return { ...one, detail, cure: 'npm install --global foreword, or foreword init.' };
}

function absent({ places }: CheckOptions, { agent, title, sites }: Target): readonly InstalledHooks[] {
  const scope: Scope = sites('user', places).length > 0 ? 'user' : 'project';
  const file = sites(scope, places)[0]?.file ?? '';
  return [{ agent, title, scope, file, state: 'absent', cure: cureOf(agent, scope) }];
}

function atScope(options: CheckOptions, target: Target, scope: Scope): readonly InstalledHooks[] {
  const { places, files, records } = options;
  const { agent, title } = target;
  const exists = (path: string) => files.read(path).kind !== 'absent';
  const text = (path: string) => {
    const read = files.read(path);
    return read.kind === 'text' ? read.text : undefined;
  };
  const request: TargetRequest = {
    scope,
    places,
    look: { exists, text, list: (folder) => files.list(folder) },
    words: (event) => options.words(event, agent),
  };
  const way = target.way(request);
  return target.sites(scope, places).flatMap((site): readonly InstalledHooks[] => {
    const read = files.read(site.file);
    const { unseen = [] } = target;
    const base = { agent, title, scope, file: site.file, ...(unseen.length === 0 ? {} : { unseen }) };
    if (read.kind === 'absent') return [];
    const own = read.kind === 'text' ? ownParts(read.text, site) : { ok: false as const, message: read.message };
    if (!own.ok) {
      const followed = files.follow(site.file);
      const isKnown = followed.ok && records.of(followed.path)?.scope === scope;
      const line = 'line' in own && own.line !== undefined ? `line ${own.line}: ` : '';
      const state = site.format === 'own' ? 'changed by hand' : 'unreadable';
      const cure = `Fix ${site.file}, then run ${cureOf(agent, scope)}.`;
      // A broken file that never held an entry of ours is not our concern.
      return isKnown || (site.format === 'own' && scope !== 'team')
        ? [{ ...base, state, detail: `${line}${own.message}`, cure }]
        : [];
    }
    const parts = partsOf(scope, own.parts);
    if (read.kind !== 'text' || parts.length === 0) return [];
    const state = stateOf(read.text, parts, site, way, request);
    const off = state.state === 'in place' ? target.switchedOff?.(request) : undefined;
    if (off !== undefined) {
      return [{ ...base, ...state, detail: 'they do not run: hooks are switched off', cure: `Remove ${off}.` }];
    }
    const trust = trustOf(options, target, site, read.text);
    const lines = parts.flatMap(({ event, command }) => (command === '' ? [] : [{ event, line: command }]));
    return [
      {
        ...base,
        lines,
        ...state,
        ...cureFor(target, scope, state.state, trust),
        ...(trust === undefined ? {} : { trust }),
      },
    ];
  });
}

/** Our entries with another path are from another version or another installation. Any other difference was made by hand. */
function stateOf(
  text: string,
  parts: readonly OwnPart[],
  site: Site,
  way: Way,
  { scope, words }: TargetRequest,
): Pick<InstalledHooks, 'state' | 'detail'> {
  const isPlace = way.kind === 'put' && way.site.file === site.file;
  if (isPlace && isAsWanted(text, parts, way.want)) return { state: 'in place' };
  if (!isPlace) return { state: 'stale', detail: 'this version keeps them in another file' };
  if (scope === 'team') return { state: 'stale', detail: 'they are from another version' };
  const program = shellWord(words('stop')[0] ?? '');
  const others = parts.filter(({ command }) => command !== '' && !command.includes(`${program} `));
  if (others.length > 0) return { state: 'stale', detail: 'they run a foreword installed elsewhere' };
  const isText = parts.every(({ command }) => command === '');
  return isText ? { state: 'stale', detail: 'they are from another version' } : { state: 'changed by hand' };
}

function cureFor(
  { agent, trust: facts }: Target,
  scope: Scope,
  state: HookState,
  trust: HookTrust | undefined,
): Pick<InstalledHooks, 'cure'> {
  if (state !== 'in place') return { cure: cureOf(agent, scope) };
  return facts !== undefined && trust === 'waits for review' ? { cure: facts.cure } : {};
}

function cureOf(agent: string, scope: Scope): string {
  return `foreword init --agents ${agent}${scope === 'project' ? ' --scope project' : scope === 'team' ? ' --team' : ''}`;
}

/** The agent keeps trust in the person's own file, also for hooks of a project. */
function trustOf({ places, files }: CheckOptions, target: Target, site: Site, text: string): HookTrust | undefined {
  if (target.trust === undefined) return undefined;
  const read = files.read(target.trust.fileIn(places));
  const followed = files.follow(site.file);
  const names = [site.file, ...(followed.ok ? [followed.path] : [])];
  if (read.kind === 'unreadable') return 'unknown';
  return hookTrust(target.trust, { site, text, names, kept: read.kind === 'text' ? read.text : undefined });
}
