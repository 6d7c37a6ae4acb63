// Plan of removal: what uninstall would change. It looks where init writes, and where init wrote under other environment
// variables. It removes whatever is ours; a file that was not changed since gets its old bytes back.

import { dirname, join, relative } from 'node:path';
import type { Fault } from '../kernel/errors.ts';
import type { Files } from './disk.ts';
import { hashOf } from './own-file.ts';
import type { InstallPlan } from './plan.ts';
import { type At, type Change, type Machine, ownAt, planRemoval } from './plan-file.ts';
import type { InstallRecord } from './records.ts';
import type { Scope, Target } from './target.ts';
import { unified } from './unified.ts';

export interface UninstallOptions extends Machine {
  readonly targets: readonly Target[];
  readonly scopes: readonly Scope[];
  /** Whether the files that init made for the project are removed too, unless they were changed. */
  readonly withStarters: boolean;
  /** Also the hooks of other projects, as the records know them: those of `init --scope project`. */
  readonly isEverywhere?: boolean;
}

/** An entry that cannot be removed is a fault; the rest is still removed. */
export function planUninstall(options: UninstallOptions): InstallPlan {
  const { records, places, scopes } = options;
  const known = records
    .all()
    .filter((record) => scopes.includes(record.scope) && (record.root ?? places.root) === places.root);
  const changes: Change[] = [];
  const faults: Fault[] = [];
  const elsewhere = hooksElsewhere(options);
  const here = sitesOf(options, known).map((at) => ({ at, root: places.root }));
  for (const { at, root } of options.isEverywhere === true ? [...here, ...elsewhere] : here) {
    const planned = planRemoval({ ...options, places: { ...places, root } }, at);
    if (planned.kind === 'fault') faults.push(planned.fault);
    else if (planned.kind === 'change' && !changes.some(({ path }) => path === planned.change.path)) {
      changes.push(planned.change);
    }
  }
  const notes = [
    ...(options.withStarters ? planStarters(options, known, changes) : []),
    ...(options.isEverywhere === true ? [] : notesElsewhere(elsewhere)),
    ...ofTheTeam(options),
  ];
  return { changes, faults, notes, inPlace: [], skipped: [] };
}

function sitesOf({ targets, scopes, places }: UninstallOptions, known: readonly InstallRecord[]): readonly At[] {
  const usual = targets.flatMap((target) =>
    scopes.flatMap((scope) => target.sites(scope, places).map((site): At => ({ agent: target.agent, scope, site }))),
  );
  const names = new Set(targets.map(({ agent }) => agent));
  const recorded = known.flatMap(({ agent, scope, file, format, key }): readonly At[] => {
    if (agent === undefined || !names.has(agent) || format === 'starter') return [];
    return [{ agent, scope, site: { file, format, ...(key === undefined ? {} : { key }) } }];
  });
  return [...usual, ...recorded.filter(({ site }) => !usual.some((one) => one.site.file === site.file))];
}

/** Adds to `changes`; returns which files stay and why. The .gitignore of .foreword/ is removed only with everything else in
 *  it: what stays there is state of this machine. */
function planStarters(
  options: UninstallOptions,
  known: readonly InstallRecord[],
  changes: Change[],
): readonly string[] {
  const { files, places } = options;
  const starters = known.filter(({ format }) => format === 'starter');
  const ignore = (record: InstallRecord) => record.file === join(places.root, '.foreword/.gitignore');
  const removals = starters.filter((record) => !ignore(record)).map((record) => starterRemoval(options, record));
  changes.push(...removals.filter((removal) => typeof removal === 'object'));
  const gone = new Set(changes.filter(({ kind }) => kind === 'delete').map(({ path }) => path));
  for (const record of starters.filter(ignore)) {
    const removal = starterRemoval(options, record);
    const rest = left(files, dirname(record.path), new Set([...gone, record.path]));
    if (typeof removal === 'object' && rest.length === 0) changes.push(removal);
  }
  return removals.filter((removal) => typeof removal === 'string');
}

/** Files below a folder that are not in `gone`. */
function left(files: Files, folder: string, gone: ReadonlySet<string>): readonly string[] {
  return files
    .list(folder)
    .map((name) => join(folder, name))
    .flatMap((path) => (files.isFolder(path) ? left(files, path, gone) : gone.has(path) ? [] : [path]));
}

/** A sentence when the file stays; `undefined` when it is gone already. */
function starterRemoval({ files }: UninstallOptions, record: InstallRecord): Change | string | undefined {
  const read = files.read(record.path);
  if (read.kind === 'absent') return undefined;
  if (read.kind !== 'text' || hashOf(read.text) !== record.hashAfter) {
    return `${record.file} stays: it was changed after init wrote it.`;
  }
  return {
    scope: record.scope,
    file: record.file,
    path: record.path,
    kind: 'delete',
    before: read.text,
    after: undefined,
    diff: unified({ file: record.file, before: read.text, after: undefined }),
    record: undefined,
  };
}

/** Hooks of other projects that are still there. */
function hooksElsewhere({
  records,
  files,
  places,
  targets,
}: UninstallOptions): readonly { readonly at: At; readonly root: string }[] {
  const names = new Set(targets.map(({ agent }) => agent));
  return records.all().flatMap(({ agent, scope, root, file, format, key }) => {
    if (agent === undefined || root === undefined || root === places.root || !names.has(agent)) return [];
    if (format === 'starter' || scope === 'team') return [];
    const site = { file, format, ...(key === undefined ? {} : { key }) };
    return ownAt(files, site, scope).length > 0 ? [{ at: { agent, scope, site }, root }] : [];
  });
}

function notesElsewhere(elsewhere: readonly { readonly root: string }[]): readonly string[] {
  return [...new Set(elsewhere.map(({ root }) => root))].map(
    (root) => `Hooks are also installed for the project ${root}; run foreword uninstall there.`,
  );
}

/** Entries that are committed belong to the team: they stay unless a person removes them on purpose. */
function ofTheTeam({ scopes, targets, places, files }: UninstallOptions): readonly string[] {
  if (scopes.includes('team')) return [];
  const having = targets.flatMap((target) =>
    target.sites('team', places).filter((site) => ownAt(files, site, 'team').length > 0),
  );
  const names = [...new Set(having.map(({ file }) => relative(places.root, file)))];
  if (names.length === 0) return [];
  return [
    `${names.join(', ')} of this project ${names.length === 1 ? 'holds' : 'hold'} entries of the team, which do nothing without foreword; foreword uninstall --team removes them.`,
  ];
}
