// What one box shows, as a list of mounts: the system, a private home and private temporary folders, programs, what the agent's data
// and the person's settings name, and the checkout at the project's path. Looks at the file system and changes nothing.

import { lstatSync, statSync } from 'node:fs';
import { basename, isAbsolute, join, resolve } from 'node:path';
import type { AgentBox } from '../../kernel/agent-box.ts';
import { isWithin, realPath } from '../sandboxes/mounts.ts';
import type { BoxPlace } from './box.ts';
import { type CopiedFolder, copiedFolder, copiedMounts } from './copied-folders.ts';
import { type HomeFacts, type HomePath, homePath } from './home-paths.ts';
import type { BoxMount } from './line.ts';
import { type Guarded, maySee, programFolders, toolFolders } from './programs.ts';
import { readOnly, systemMounts } from './system-mounts.ts';

export interface LayoutRequest extends HomeFacts {
  /** `undefined`: nothing of the home. */
  readonly box: AgentBox | undefined;
  readonly place: BoxPlace;
  /** The program as an absolute path, and its arguments. */
  readonly command: readonly [string, ...string[]];
  readonly path: string;
  /** The folder of the box itself (private-folders.ts). */
  readonly folder: string;
  /** Our state folder. */
  readonly state: string;
  /** Of the person's settings: what may be written, and what may be read. */
  readonly allow: readonly string[];
  readonly readable: readonly string[];
  /** Of ours, for this run. */
  readonly shown: {
    readonly writable: readonly string[];
    readonly readOnly: readonly string[];
    readonly isTreeReadOnly?: boolean;
  };
  /** Programs besides the agent's own: Node, and foreword for its hooks. */
  readonly programs: readonly string[];
}

export interface BoxLayout {
  readonly mounts: readonly BoxMount[];
  readonly command: readonly [string, ...string[]];
  /** Private folders, with the path that each has inside. */
  readonly privates: readonly PrivateFolder[];
  /** Single files of the home, and where their copies go. */
  readonly copies: readonly { readonly from: string; readonly to: string }[];
  /** Folders of the home of which it gets one of its own. */
  readonly copiedFolders: readonly CopiedFolder[];
  /** What counts by being there, and was not there before (set-aside.ts). */
  readonly notThere: readonly string[];
  /** Folders of the agent that are missing: it gets them as if it had made them. */
  readonly made: readonly string[];
  /** Settings that are missing in folders it may write: they must be there while it runs. */
  readonly missing: readonly HomePath[];
  /** Settings that are links in folders it may write: a link cannot be covered, so it is restored. */
  readonly links: readonly string[];
}

export interface PrivateFolder {
  readonly source: string;
  readonly target: string;
}

/** A sentence when no box can be made around this project. */
export function layoutOf(request: LayoutRequest): BoxLayout | string {
  const { place, home, state } = request;
  const why = unboxable(request);
  if (why !== undefined) return why;
  const guarded: Guarded = { home, top: place.top, others: [state] };
  const box = request.box ?? {};
  const named = (list: readonly string[] = []) => list.flatMap((text) => homePath(text, box, request) ?? []);
  const outside = ({ path }: HomePath) => !isWithin(path, place.top) && path !== home;
  const writable = named(box.writable).filter(outside);
  const marks = named(box.asideIfNew).filter(outside);
  const settings = [
    ...named(box.readOnly).filter(outside),
    ...marks.filter(({ path }) => isThere(path) || isLink(path)),
  ];
  const copied = named(box.copied)
    .filter(outside)
    .filter(({ isFolder }) => isFolder)
    .map(({ path }, index) => copiedFolder(path, join(request.folder, `copy-${index}`)));
  const isInWritable = (path: string) => writable.some((folder) => isWithin(path, folder.path));
  const privates = privateFolders(request);
  const program = movedIn(request);
  const tools = [
    ...toolFolders(request.path, guarded),
    ...[...request.programs, ...program.scripts].flatMap((path) => programFolders(path, guarded)),
    ...program.files.filter((path) => maySee(path, guarded)),
  ];
  const allowed = request.allow.filter((path) => isThere(path) && !isWithin(path, place.top) && path !== home);
  const readable = request.readable.filter((path) => isThere(path) && maySee(path, guarded));
  const system = systemMounts(join(request.folder, 'empty'), [home, place.top, state]);
  return {
    mounts: [
      ...system,
      ...privates.map(({ source, target }) => ({ kind: 'writable', source, target }) as const),
      ...toolMounts([...tools, ...readable], system),
      ...program.mounts,
      ...byDepth(writable).map(({ path }) => bound('writable', path)),
      ...allowed.map((path) => bound('writable', path)),
      ...settings.filter(({ path }) => isInWritable(path) || isThere(path)).flatMap(({ path }) => shownSetting(path)),
      ...copied.flatMap(copiedMounts),
      ...place.objects.filter((path) => isThere(path)).map((path) => bound('read-only', path)),
      ...request.shown.readOnly.map((path) => bound('read-only', path)),
      ...request.shown.writable.map((path) => bound('writable', path)),
      {
        kind: request.shown.isTreeReadOnly === true ? 'read-only' : 'writable',
        source: place.tree,
        target: place.top,
      },
    ],
    command: program.command,
    privates,
    copies: named(box.copied)
      .filter(({ path }) => isFile(path) && !isInWritable(path))
      .flatMap(({ path }) => copyOf(path, privates)),
    copiedFolders: copied,
    notThere: marks.map(({ path }) => path).filter((path) => isInWritable(path) && !isThere(path) && !isLink(path)),
    made: writable.map(({ path }) => path).filter((path) => !isThere(path)),
    missing: settings.filter(({ path }) => isInWritable(path) && !isThere(path) && !isLink(path)),
    links: settings.map(({ path }) => path).filter((path) => isInWritable(path) && isLink(path)),
  };
}

/** Ends a sentence. */
function unboxable({ place, home, folder, shown, state }: LayoutRequest): string | undefined {
  const { top } = place;
  if (!isAbsolute(home) || home === '/') return 'there is no home folder';
  if (isWithin(home, top)) return `the project ${top} holds the home folder`;
  const inner = ['/proc', '/sys', '/dev', '/run'].find((path) => isWithin(top, path));
  if (inner !== undefined) return `the project lies in ${inner}`;
  const held = ['/usr', '/etc', '/bin', '/tmp', '/var/tmp'].find((path) => isWithin(path, top));
  if (held !== undefined) return `the project ${top} holds ${held}`;
  const ours = [state, folder, ...place.objects, ...shown.writable, ...shown.readOnly].find((path) =>
    isWithin(path, top),
  );
  return ours === undefined ? undefined : `the project holds the state of foreword, ${ours}`;
}

/** The home, the folders for temporary files, and folders of XDG variables that a person moved out of the home. */
function privateFolders({ folder, home, variables }: LayoutRequest): readonly PrivateFolder[] {
  const moved = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME']
    .map((name) => [name, variables[name] ?? ''] as const)
    .filter(([, path]) => isAbsolute(path) && path !== '/' && !isWithin(path, home) && !isWithin(home, path));
  return [
    { source: join(folder, 'tmp'), target: '/tmp' },
    { source: join(folder, 'var-tmp'), target: '/var/tmp' },
    { source: join(folder, 'home'), target: home },
    ...moved.map(([name, target]) => ({ source: join(folder, name), target })),
  ];
}

interface MovedProgram {
  readonly command: readonly [string, ...string[]];
  /** Started: shown with all that they consist of. */
  readonly scripts: readonly string[];
  /** Only named. */
  readonly files: readonly string[];
  readonly mounts: readonly BoxMount[];
}

/** Files of the person's own tree that the command names are at another path inside: at their own path is the checkout. */
function movedIn({ command, place }: Pick<LayoutRequest, 'command' | 'place'>): MovedProgram {
  const mounts: BoxMount[] = [];
  const words = command.map((word) => {
    if (!isAbsolute(word) || !isWithin(resolve(word), place.top) || !isFile(word)) return word;
    const target = `/foreword/agent/${mounts.length}/${basename(word)}`;
    mounts.push({ kind: 'read-only', source: realPath(word) ?? word, target });
    return target;
  });
  const [program = '', ...rest] = words;
  const named = rest.filter((word) => isAbsolute(word) && !word.startsWith('/foreword/') && isFile(word));
  return {
    command: [program, ...rest],
    scripts: [program, ...named.slice(0, 1)].filter((word) => isAbsolute(word)),
    files: named.slice(1),
    mounts,
  };
}

/** A link is shown by what it leads to, at that path. */
function shownSetting(path: string): readonly BoxMount[] {
  if (!isLink(path)) return [readOnly(path)];
  const real = realPath(path);
  return real === undefined ? [] : [readOnly(real)];
}

function copyOf(path: string, privates: readonly PrivateFolder[]): BoxLayout['copies'] {
  const into = privates.findLast(({ target }) => isWithin(path, target));
  return into === undefined ? [] : [{ from: path, to: join(into.source, path.slice(into.target.length)) }];
}

function bound(kind: 'read-only' | 'writable', path: string): BoxMount {
  return { kind, source: realPath(path) ?? path, target: path };
}

/** At their real paths, without those that lie in another one or in the system; one that is reached through a link is at that
 *  path too, unless the link itself is shown. */
function toolMounts(paths: readonly string[], system: readonly BoxMount[]): readonly BoxMount[] {
  const shown = [...system.map(({ target }) => target), '/proc', '/dev'];
  const isShown = (path: string) => shown.some((folder) => isWithin(path, folder));
  const real = new Set(paths.map((path) => realPath(path) ?? path).filter((path) => !isShown(path)));
  const outer = [...real].filter((path) => ![...real].some((other) => other !== path && isWithin(path, other)));
  const linked = [...new Set(paths)].filter(
    (path) => !isShown(path) && !outer.some((folder) => isWithin(path, folder)),
  );
  const first = linked.filter((path) => !linked.some((other) => other !== path && isWithin(path, other)));
  return [...outer.map(readOnly), ...first.map((path) => bound('read-only', path))];
}

function byDepth(paths: readonly HomePath[]): readonly HomePath[] {
  return [...paths].sort((one, other) => one.path.length - other.path.length);
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
