// A run whose agent is a shell script in a box: the project lies in a home with things that must stay as they are.

import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBox } from '../../src/runs/box/index.ts';
import { isOwnerAlive, ownerName } from '../../src/system/processes/owner.ts';
import { runProcess } from '../../src/system/processes/run-process.ts';
import { type Field, fileTask, makeField, processesWith } from '../run/field.ts';
import { testUnless } from '../skipping.ts';

const FOLDER = '/tmp/foreword-box-tests';
const found = await findBox({
  allow: [],
  readable: [],
  run: runProcess,
  variables: { HOME: '/nonexistent', PATH: '/usr/bin:/bin' },
  root: '/',
  state: FOLDER,
  journal: { folder: join(FOLDER, 'placeholders'), owner: ownerName(), isAlive: isOwnerAlive },
  commandFile: undefined,
});

/** Skipped where there is no box. */
export const boxed = testUnless(found.kind === 'missing' ? found.why : undefined);

export interface BoxField extends Field {
  /** Makes the agent run these lines; then the task is done. Standard error goes to its log. */
  script(...lines: readonly string[]): void;
  /** The script may run outside of a box from now on: it must do no harm. */
  unboxed(): void;
  /** Changes the task. */
  setTask(more: object): void;
  /** Processes with these words in their command line. */
  running(words: string): readonly number[];
  /** A file of the home with this content. */
  inHome(path: string, content: string): string;
}

/** Never runs unboxed unless a test says so: its scripts remove whole homes. */
export function makeBoxField(
  settings: { readonly run?: object; readonly agent?: object; readonly isGit?: boolean } = {},
): BoxField {
  const field = makeField({
    agents: { first: ['follows'] },
    tasks: [fileTask('a')],
    settings: { run: { confine: 'required', allow: [], ...settings.run } },
    ...(settings.isGit === undefined ? {} : { isGit: settings.isGit }),
  });
  const program = join(field.folder, 'tools', 'agent.sh');
  mkdirSync(join(field.folder, 'tools'));
  field.change('first', () => ({ oneshot: { command: [program], prompt: 'stdin' }, ...settings.agent }));
  let guard = '[ $$ -lt 10 ] || exit 99';
  const script = (...lines: readonly string[]) => {
    // A process of the machine itself has a higher number: outside of a box nothing is run.
    const body = ['#!/bin/bash', guard, ...lines, 'echo done > done-a.txt', 'echo I did it.'];
    writeFileSync(program, `${body.join('\n')}\n`);
    chmodSync(program, 0o755);
  };
  script();
  return {
    ...field,
    script,
    unboxed: () => {
      guard = ':';
      script();
    },
    setTask: (more) => field.setTasks([fileTask('a', more)]),
    running: processesWith,
    inHome: (path, content) => {
      const file = join(field.folder, path);
      mkdirSync(join(file, '..'), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
  };
}

/** Every file below a folder with its content, but for what foreword keeps there itself. */
export function contentsOf(folder: string, isLeftOut: (path: string) => boolean): Readonly<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (isLeftOut(path.slice(folder.length + 1))) continue;
    if (entry.isSymbolicLink()) all[path] = `-> ${readlinkSync(path)}`;
    else all[path] = entry.isFile() ? readFileSync(path, 'latin1') : 'folder';
  }
  return all;
}
