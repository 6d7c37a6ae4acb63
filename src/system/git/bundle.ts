// Bundles: commits of ours in one file, as `git bundle` and `git fetch FILE` read them. Made here from a header and a pack, since
// git would need a ref for each of them and leaves out trees that no commit names. A bundle from elsewhere is taken into a folder
// of its own first, where git checks every object and link in it; only then its pack becomes part of our repository.

import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { ForewordError } from '../../kernel/errors.ts';
import { writeAll } from '../files/atomic.ts';
import { gitEnvironment } from './environment.ts';
import { asId } from './object-id.ts';
import { diskFull, lineOf, type OwnRepository } from './own-repository.ts';
import type { ObjectFormat } from './repository.ts';
import { isDiskFull } from './run-git.ts';

export interface BundleHead {
  readonly objectFormat: ObjectFormat;
  /** Commits that the receiver must have. */
  readonly needs: readonly string[];
  readonly refs: ReadonlyMap<string, string>;
}

/** A pack of some gigabytes. */
const TIME_LIMIT_MS = 1_800_000;
const ENDS = { timeout: TIME_LIMIT_MS, killSignal: 'SIGKILL' } as const;

/** Calls `use` with the file, and removes it whatever happens. `more` are trees that no commit names. */
export async function withBundle<T>(
  own: OwnRepository,
  { head, more }: { readonly head: BundleHead; readonly more: readonly string[] },
  use: (file: string) => T | Promise<T>,
): Promise<T> {
  // Stray ones are found by this name (collect.ts).
  const folder = fs.mkdtempSync(join(own.objects, 'tmp_obj_bundle-'));
  try {
    const file = join(folder, 'bundle');
    const descriptor = fs.openSync(file, 'wx', 0o600);
    try {
      writeAll(descriptor, Buffer.from(headText(head)));
      const wanted = [...head.refs.values(), ...more].map((id) => `${asId(id)}\n`);
      const without = head.needs.map((id) => `^${asId(id)}\n`);
      const args = ['pack-objects', '--quiet', '--revs', '--thin', '--delta-base-offset', '--stdout'];
      const input = [...new Set([...wanted, ...without])].join('');
      await git(own, { args, output: descriptor, give: (stdin) => stdin.end(input) });
    } finally {
      fs.closeSync(descriptor);
    }
    return await use(file);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function headText({ objectFormat, needs, refs }: BundleHead): string {
  const first = objectFormat === 'sha1' ? '# v2 git bundle' : `# v3 git bundle\n@object-format=${objectFormat}`;
  const lines = [...needs.map((id) => `-${asId(id)} `), ...[...refs].map(([ref, id]) => `${asId(id)} ${ref}`)];
  return `${[first, ...lines].join('\n')}\n\n`;
}

/** `bytes` are the beginning of a bundle. `undefined` when they are not, or when it is longer than them; `length` is where the
 *  pack begins. */
export function readBundleHead(bytes: Buffer): (BundleHead & { readonly length: number }) | undefined {
  const length = bytes.indexOf('\n\n') + 2;
  const [first, ...lines] = bytes.toString('latin1', 0, Math.max(0, length - 2)).split('\n');
  const isNew = first === '# v3 git bundle';
  if (length < 2 || (first !== '# v2 git bundle' && !isNew)) return undefined;
  const objectFormat: ObjectFormat = isNew && lines[0] === '@object-format=sha256' ? 'sha256' : 'sha1';
  const needs: string[] = [];
  const refs = new Map<string, string>();
  for (const line of lines.slice(isNew && lines[0]?.startsWith('@object-format=') ? 1 : 0)) {
    const [, needed, id = '', ref = ''] =
      /^(?:-([0-9a-f]{40,64})(?: .*)?|([0-9a-f]{40,64}) (refs\/[!-~]+))$/.exec(line) ?? [];
    if (needed !== undefined) needs.push(needed);
    else if (ref !== '') refs.set(ref, id);
    else return undefined;
  }
  return { objectFormat, needs, refs, length };
}

/** Takes the objects of a pack, if `isWanted` says so when it looks at our repository with them. Throws `bad-input` when an object
 *  is damaged, is not what a repository may have, or names one that is not there; nothing is kept then. */
export async function takePack(
  own: OwnRepository,
  pack: Readable,
  isWanted: (own: OwnRepository) => Promise<void>,
): Promise<void> {
  // The name that git uses for the same; stray ones are found by it (collect.ts).
  const folder = fs.mkdtempSync(join(own.objects, 'incoming-'));
  try {
    for (const name of ['pack', 'info']) fs.mkdirSync(join(folder, name));
    fs.writeFileSync(join(folder, 'info/alternates'), `${lineOf(own.objects)}\n`);
    const env = { GIT_OBJECT_DIRECTORY: folder };
    const args = ['index-pack', '--stdin', '--fix-thin', '--strict'];
    await git(own, { args, env, give: (stdin) => pack.on('error', (error) => stdin.destroy(error)).pipe(stdin) });
    await isWanted(withObjects(own, env));
    // The index last: a pack without one is not read.
    const names = fs.readdirSync(join(folder, 'pack')).sort((a, b) => rank(a) - rank(b));
    for (const name of names) fs.renameSync(join(folder, 'pack', name), join(own.objects, 'pack', name));
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function rank(name: string): number {
  return name.endsWith('.idx') ? 1 : 0;
}

/** Reads what is not in files by git, which sees both. */
function withObjects(own: OwnRepository, env: Readonly<Record<string, string>>): OwnRepository {
  const status: OwnRepository['status'] = (args, more) => own.status(args, { ...more, env: { ...env, ...more?.env } });
  return { ...own, status, run: async (args, more) => (await status(args, more)).output };
}

/** Those of `ids` that are here, with their kinds. */
export async function objectKinds(own: OwnRepository, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const asked = ids.filter((id) => asId(id) === id);
  if (asked.length === 0) return new Map();
  const input = `${asked.join('\n')}\n`;
  const output = await own.run(['cat-file', '--batch-check=%(objectname) %(objecttype)'], { input });
  const found = output.toString('latin1').matchAll(/^([0-9a-f]+) (commit|tree|blob|tag)$/gm);
  return new Map([...found].map(([, id = '', kind = '']) => [id, kind]));
}

interface GitCall {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where its output goes; nowhere when absent. */
  readonly output?: number;
  give(stdin: NodeJS.WritableStream & { destroy(error?: Error): void }): void;
}

async function git(own: OwnRepository, call: GitCall): Promise<void> {
  const child = spawn(own.program, call.args, {
    cwd: own.directory,
    env: { ...gitEnvironment(join(own.directory, 'nowhere')), GIT_DIR: own.directory, ...call.env },
    stdio: ['pipe', call.output ?? 'ignore', 'pipe'],
    ...ENDS,
  });
  let printed = '';
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    printed = `${printed}${part}`.slice(-4096);
  });
  const end = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (child.stdin === null) throw new ForewordError('internal', 'git has no input.');
  // One that ended closes the pipe; its exit code says why.
  child.stdin.on('error', () => undefined);
  call.give(child.stdin);
  if ((await end) === 0) return;
  const reason = printed.trim().replace(/\s+/g, ' ').slice(-300);
  const error = new ForewordError('bad-input', `"git ${call.args[0]}" failed: ${reason || 'no reason given'}.`, {});
  throw isDiskFull(error) ? diskFull(own.directory, error) : error;
}
