// For doctor: in which agents our plug-in is installed, by their own files, and which Node it runs with. Changes nothing and starts no
// agent: some of them write into their home before they list anything.

import { dirname, join } from 'node:path';
import { EXTENSIONS } from '../agents/extensions.ts';
import type { ExtensionFacts } from '../kernel/agent-extension.ts';
import type { RunProcess } from '../kernel/process.ts';
import { childEnvironment } from '../system/processes/environment.ts';
import { findProgram } from '../system/processes/find-program.ts';
import type { Files } from './disk.ts';
import { notedNode } from './hook-node.ts';
import { type InstallHost, type InstallMachine, openMachine } from './machine.ts';
import { settingIn } from './person-setting.ts';
import type { Target } from './target.ts';

export interface InstalledPlugIn {
  readonly agent: string;
  readonly title: string;
  /** Of the plug-in; absent when its manifest cannot be found. */
  readonly version?: string;
  readonly isEnabled: boolean;
  /** The words that install this version over it. */
  readonly cure: string;
}

export interface FoundPlugIns {
  readonly plugIns: readonly InstalledPlugIn[];
  /** The version of the Node that they run with, such as 20.20.1; absent without plug-ins, or without Node. */
  readonly node?: string;
}

const VERSION_MS = 5000;

export async function examinePlugIns(cwd: string, host: InstallHost, run: RunProcess): Promise<FoundPlugIns> {
  const machine = openMachine(host, cwd);
  const plugIns = machine.targets.flatMap((target) => plugInOf(machine, target));
  if (plugIns.length === 0) return { plugIns };
  const node = await nodeVersion(machine, run);
  return { plugIns, ...(node === undefined ? {} : { node }) };
}

function plugInOf({ places, files }: InstallMachine, { agent, title, folders }: Target): readonly InstalledPlugIn[] {
  const facts = Object.hasOwn(EXTENSIONS, agent) ? EXTENSIONS[agent] : undefined;
  const [folder] = folders(places);
  if (facts === undefined || folder === undefined) return [];
  const version = manifestsOf(facts, folder, files)
    .map((file) => settingIn(textOf(files, file), file, ['version']))
    .find((value) => typeof value === 'string');
  const { enabled } = facts.kept;
  const setting =
    enabled === undefined ? undefined : settingIn(textOf(files, join(folder, enabled.file)), enabled.file, enabled.at);
  // A host may keep a copy of what a person removed, or its name, switched off.
  if (enabled === undefined ? version === undefined : setting === undefined) return [];
  if (setting === false && version === undefined) return [];
  const cure = [...facts.remove, ...facts.install].map((words) => [agent, ...words].join(' ')).join(', ');
  return [
    {
      agent,
      title,
      ...(typeof version === 'string' ? { version: version.slice(0, 40) } : {}),
      isEnabled: setting !== false,
      cure: cure.replaceAll('{all}', 'PLUGINS').replaceAll('{own}', `PLUGINS/${facts.folder}`),
    },
  ];
}

/** Newest version first, by name: that is how hosts name their copies. */
function manifestsOf({ kept }: ExtensionFacts, folder: string, files: Files): readonly string[] {
  const copies = kept.manifests.flatMap((pattern) => {
    const [before = '', after] = pattern.split('/*/');
    if (after === undefined) return [join(folder, pattern)];
    const names = [...files.list(join(folder, before))].sort((one, other) =>
      other.localeCompare(one, 'en', { numeric: true }),
    );
    return names.map((name) => join(folder, before, name, after));
  });
  const { source } = kept;
  if (source === undefined) return copies;
  const place = settingIn(textOf(files, join(folder, source.file)), source.file, source.at);
  return typeof place === 'string' ? [...copies, join(place, source.manifest)] : copies;
}

function textOf(files: Files, path: string): string | undefined {
  const read = files.read(path);
  return read.kind === 'text' ? read.text : undefined;
}

/** The Node that init noted in the state folder, else the first on PATH: a plug-in has no note beside its program. */
async function nodeVersion({ places, stateFolder }: InstallMachine, run: RunProcess): Promise<string | undefined> {
  const where = { path: places.env.PATH ?? '', cwd: places.root };
  const program = notedNode({ hook: join(stateFolder, 'none'), stateFolder }) ?? findProgram('node', where);
  if (program === undefined) return undefined;
  const env = childEnvironment({ base: places.env, names: [] });
  const ended = await run({ command: [program, '--version'], cwd: dirname(program), env, timeoutMs: VERSION_MS });
  return /^v(\d+\.\d+\.\d+)/.exec(ended.stdout.text)?.[1];
}
