// Plan: what init would change, computed before the person is asked. Reads only.

import { dirname, join } from 'node:path';
import type { Fault } from '../kernel/errors.ts';
import type { HookEvent } from '../kernel/hook-events.ts';
import type { Starter } from './context-files.ts';
import type { Files } from './disk.ts';
import { hashOf } from './own-file.ts';
import { type Change, type Machine, ownAt, type Planned, planFile, planRemoval } from './plan-file.ts';
import type { Scope, Target, TargetFiles, TargetRequest } from './target.ts';
import { unified } from './unified.ts';

export interface InstallPlan {
  readonly changes: readonly Change[];
  /** Files that need no change. */
  readonly inPlace: readonly { readonly agent: string; readonly file: string }[];
  readonly skipped: readonly { readonly agent: string; readonly why: string }[];
  /** What the person should know or do afterwards. */
  readonly notes: readonly string[];
  /** Files that cannot be edited safely, with the line of the fault. */
  readonly faults: readonly Fault[];
}

export interface InstallOptions extends Machine {
  readonly targets: readonly Target[];
  readonly scope: Scope;
  /** The words that run the hook program. */
  readonly words: (event: HookEvent, agent: string) => readonly string[];
  readonly starters: readonly Starter[];
  /** Files that git ignores: entries in them would not be committed. Asked of git for the team's. */
  readonly ignored?: readonly string[];
}

/** A plan under construction. */
interface Growing {
  readonly changes: Change[];
  readonly inPlace: { readonly agent: string; readonly file: string }[];
  readonly skipped: { readonly agent: string; readonly why: string }[];
  readonly notes: string[];
  readonly faults: Fault[];
}

export function planInstall(options: InstallOptions): InstallPlan {
  const plan: Growing = { changes: [], inPlace: [], skipped: [], notes: [], faults: [] };
  for (const starter of options.starters) planStarter(options, starter, plan);
  const ignore = join(options.places.root, '.foreword/.gitignore');
  if (
    plan.changes.some(({ file }) => dirname(file) === dirname(ignore)) &&
    options.files.read(ignore).kind === 'absent'
  ) {
    plan.notes.push('.foreword/ also gets a .gitignore for the state of this machine; commit the rest.');
  }
  const look = lookAt(options.files, new Set(plan.changes.map(({ file }) => file)));
  for (const target of options.targets) planTarget(options, target, look, plan);
  if (options.scope === 'project' && plan.changes.some(({ agent }) => agent !== undefined)) {
    plan.notes.push(
      "The agents' files contain a path of this machine: do not commit them. --scope user writes no file into the project.",
    );
  }
  if (options.scope === 'team' && plan.changes.some(({ agent }) => agent !== undefined)) {
    plan.notes.push(
      'Commit these files. Whoever has foreword on their PATH (npm install --global foreword) is served; on other machines the entries do nothing and print nothing.',
    );
  }
  return plan;
}

/** Files that this plan creates count as existing. */
function lookAt(files: Files, planned: ReadonlySet<string>): TargetFiles {
  return {
    exists: (path) => planned.has(path) || files.read(path).kind !== 'absent',
    text: (path) => {
      const read = files.read(path);
      return read.kind === 'text' ? read.text : undefined;
    },
    list: (folder) => files.list(folder),
  };
}

function planTarget(options: InstallOptions, target: Target, look: TargetFiles, plan: Growing): void {
  const { agent } = target;
  const { scope, places } = options;
  const request: TargetRequest = { scope, places, look, words: (event) => options.words(event, agent) };
  const way = target.way(request);
  const why = way.kind === 'cannot' ? way.why : (isIgnored(options, way.site.file) ?? hasOtherwise(options, target));
  if (way.kind === 'cannot' || why !== undefined) {
    plan.skipped.push({ agent, why: why ?? '' });
    return;
  }
  const count = plan.changes.length;
  add(plan, agent, way.site.file, planFile(options, { agent, scope, site: way.site }, way.want));
  // With our hooks in a second file of the same agent, they would run twice.
  for (const site of target.sites(scope, places)) {
    if (site.file === way.site.file || ownAt(options.files, site, scope).length === 0) continue;
    add(plan, agent, site.file, planRemoval(options, { agent, scope, site }));
  }
  if (plan.changes.length > count) plan.notes.push(...target.notes(request));
  const off = target.switchedOff?.(request);
  if (off !== undefined) plan.notes.push(`${target.title} runs no hooks: they are switched off by ${off}.`);
}

function add(plan: Growing, agent: string, file: string, planned: Planned): void {
  if (planned.kind === 'fault') plan.faults.push(planned.fault);
  if (planned.kind === 'in place') plan.inPlace.push({ agent, file });
  if (planned.kind !== 'change') return;
  const twin = plan.changes.find(({ path }) => path === planned.change.path);
  if (twin === undefined) plan.changes.push(planned.change);
  else plan.skipped.push({ agent, why: `${file} and ${twin.file} are the same file` });
}

/** Why a target needs no entries in this scope. */
function hasOtherwise({ scope, places, files }: InstallOptions, target: Target): string | undefined {
  if (scope !== 'project') return undefined;
  const having = (other: Scope) => target.sites(other, places).find((one) => ownAt(files, one, other).length > 0);
  const [own, team] = [having('user'), having('team')];
  if (own !== undefined) return `it already has hooks for every project, in ${own.file}`;
  return team === undefined ? undefined : `it already has hooks of the team, in ${team.file}`;
}

function isIgnored({ ignored = [] }: InstallOptions, file: string): string | undefined {
  return ignored.includes(file) ? `git ignores ${file}, so entries in it would not be committed` : undefined;
}

/** Plans a starter file unless it exists, in this or another form. Nothing is written through a link in the repository. */
function planStarter({ places, files, ...options }: InstallOptions, starter: Starter, plan: Growing): void {
  const scope = options.scope === 'team' ? 'team' : 'project';
  const isThere = (name: string) => {
    const path = join(places.root, name);
    return files.isFolder(path) || files.read(path).kind !== 'absent';
  };
  if ([starter.file, ...(starter.instead ?? [])].some(isThere)) return;
  const file = join(places.root, starter.file);
  const [root, followed] = [files.follow(places.root), files.follow(file)];
  if (!root.ok || !followed.ok || followed.path !== join(root.path, starter.file)) {
    plan.faults.push({ where: file, path: '', message: 'The path of this file contains a link; remove the link.' });
    return;
  }
  const { path } = followed;
  plan.changes.push({
    scope,
    file,
    path,
    kind: 'create',
    before: undefined,
    after: starter.text,
    diff: unified({ file, before: undefined, after: starter.text }),
    record: {
      version: 1,
      path,
      file,
      scope,
      root: places.root,
      format: 'starter',
      existed: false,
      hashBefore: hashOf(''),
      hashAfter: hashOf(starter.text),
      spans: [],
      created: [],
      folders: [],
    },
  });
}
