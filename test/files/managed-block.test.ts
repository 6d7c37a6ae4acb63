// The managed block in real files, with links, permissions, other writers, killed writers and a full disk.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { managedBlocks } from '../../src/sessions/channels/file/managed-block.ts';
import {
  existingInstructionFiles,
  readBlock,
  removeBlocks,
  removeExpired,
  unwriteBlock,
  writeBlock,
} from '../../src/sessions/channels/file/managed-block-file.ts';
import { sha256 } from '../../src/system/sha256.ts';
import { bundle, temporaryFolder } from '../bundle.ts';
import { endWithTest } from '../processes/end-with-test.ts';
import { scaled } from '../scale.ts';
import { onSmallDisk } from '../skipping.ts';

const BLOCK = { id: 'fw_a', body: 'Current task: the health endpoint.', expiresAt: '2026-11-16T10:00:00.000Z' };
const RULES = '# Rules\r\nUse tabs';
let root = '';
let file = '';
beforeEach(() => {
  root = temporaryFolder('block');
  file = join(root, 'CLAUDE.local.md');
});
afterEach(() => rmSync(root, { recursive: true }));

test('is written, replaced and removed, and the file is as it was, with its mode', () => {
  writeFileSync(file, RULES, { mode: 0o600 });
  expect(writeBlock(root, 'CLAUDE.local.md', BLOCK)).toEqual({
    kind: 'written',
    path: 'CLAUDE.local.md',
    isNew: false,
  });
  expect(writeBlock(root, 'CLAUDE.local.md', BLOCK)).toEqual({ kind: 'unchanged', path: 'CLAUDE.local.md' });
  expect(writeBlock(root, 'CLAUDE.local.md', { ...BLOCK, id: 'fw_b' })).toMatchObject({ replaced: 'fw_a' });
  expect(readBlock(root, 'CLAUDE.local.md')).toMatchObject({ kind: 'found', id: 'fw_b', body: BLOCK.body });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(unwriteBlock(root, 'CLAUDE.local.md', { id: 'fw_a' })).toEqual({ kind: 'absent', path: 'CLAUDE.local.md' });
  expect(unwriteBlock(root, 'CLAUDE.local.md', { id: 'fw_b' })).toMatchObject({ kind: 'removed', isDeleted: false });
  expect(readFileSync(file, 'utf8')).toBe(RULES);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a file and folders that were made for it go with it; a folder that somebody uses stays', () => {
  const path = '.claude/rules/foreword.md';
  expect(writeBlock(root, path, BLOCK)).toEqual({ kind: 'written', path, isNew: true });
  expect(unwriteBlock(root, path)).toEqual({ kind: 'removed', path, id: 'fw_a', isDeleted: true });
  expect(readdirSync(root)).toEqual([]);
  mkdirSync(join(root, '.claude'));
  writeBlock(root, path, BLOCK);
  writeBlock(root, path, { ...BLOCK, body: 'again' });
  unwriteBlock(root, path);
  expect(readdirSync(root)).toEqual(['.claude']);
  expect(readdirSync(join(root, '.claude'))).toEqual([]);
});

test('a link within the project is followed and stays one', () => {
  writeFileSync(join(root, 'AGENTS.md'), RULES);
  symlinkSync('AGENTS.md', join(root, 'CLAUDE.md'));
  expect(writeBlock(root, 'CLAUDE.md', BLOCK)).toMatchObject({ kind: 'written' });
  expect(lstatSync(join(root, 'CLAUDE.md')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(root, 'AGENTS.md'), 'utf8')).toContain('fw_a');
  expect(removeBlocks(root)).toHaveLength(1);
  expect(readFileSync(join(root, 'AGENTS.md'), 'utf8')).toBe(RULES);
});

describe('refuses, and touches nothing', () => {
  let elsewhere = '';
  beforeEach(() => {
    elsewhere = temporaryFolder('elsewhere');
    writeFileSync(join(elsewhere, 'precious.md'), 'mine');
  });
  afterEach(() => rmSync(elsewhere, { recursive: true }));

  const refusal = (path: string) => {
    const written = writeBlock(root, path, BLOCK);
    expect(unwriteBlock(root, path).kind).not.toBe('removed');
    expect(readFileSync(join(elsewhere, 'precious.md'), 'utf8')).toBe('mine');
    expect(readdirSync(elsewhere)).toEqual(['precious.md']);
    return written.kind === 'refused' ? written.reason : written.kind;
  };

  test('a path that leaves the project', () => {
    expect(refusal(`../${elsewhere.split('/').pop()}/precious.md`)).toBe('it is outside the project');
    expect(refusal(join(elsewhere, 'precious.md'))).toBe('it is outside the project');
    expect(refusal('.')).toBe('it is outside the project');
  });

  test('a link that leaves the project, to a file, to a folder, to nothing', () => {
    symlinkSync(join(elsewhere, 'precious.md'), file);
    expect(refusal('CLAUDE.local.md')).toBe('it is outside the project');
    symlinkSync(elsewhere, join(root, '.claude'));
    expect(refusal('.claude/precious.md')).toBe('it is outside the project');
    expect(refusal('.claude/rules/new.md')).toBe('it is outside the project');
    symlinkSync(join(elsewhere, 'none.md'), join(root, 'GEMINI.md'));
    expect(refusal('GEMINI.md')).toBe('it is a link to nothing. Remove the link');
  });

  test('a folder, a pipe, a file in the way, another name of a file', () => {
    mkdirSync(file);
    expect(refusal('CLAUDE.local.md')).toBe('it is not a regular file');
    spawnSync('mkfifo', [join(root, 'PIPE.md')]);
    expect(refusal('PIPE.md')).toBe('it is not a regular file');
    writeFileSync(join(root, '.github'), '');
    expect(refusal('.github/copilot-instructions.md')).toBe('.github is not a folder');
    linkSync(join(elsewhere, 'precious.md'), join(root, 'HARD.md'));
    expect(refusal('HARD.md')).toContain('hard link');
    expect(existingInstructionFiles(root)).toEqual(['CLAUDE.local.md']);
  });

  test.skipIf(process.geteuid?.() === 0)('a file that may not be written', () => {
    writeFileSync(file, RULES);
    chmodSync(file, 0o400);
    expect(refusal('CLAUDE.local.md')).toContain('read-only');
  });

  test('a damaged block, with the reason', () => {
    writeBlock(root, 'CLAUDE.local.md', BLOCK);
    writeFileSync(file, readFileSync(file, 'utf8').replace('health', 'wealth'));
    expect(refusal('CLAUDE.local.md')).toContain('was edited');
  });
});

test('what somebody wrote since we read is kept; somebody who never stops makes us give up', () => {
  writeFileSync(file, 'one\n');
  let edits = 0;
  const edit = () => writeFileSync(file, `one\nedit ${++edits}\n`);
  const once = () => (edits === 0 ? edit() : undefined);
  expect(writeBlock(root, 'CLAUDE.local.md', BLOCK, once)).toMatchObject({ kind: 'written' });
  expect(readFileSync(file, 'utf8')).toMatch(/^one\nedit 1\n<!-- START/);
  const refused = unwriteBlock(root, 'CLAUDE.local.md', undefined, () => {
    writeFileSync(file, `${readFileSync(file, 'utf8')}more\n`);
  });
  expect(refused).toMatchObject({ kind: 'refused', reason: 'another program keeps changing it. Try again' });
  expect(readFileSync(file, 'utf8')).toMatch(/^one\nedit 1\n<!-- START[\s\S]*\nmore\nmore\n$/);
  rmSync(file);
  const created = writeBlock(root, 'CLAUDE.local.md', BLOCK, () => writeFileSync(file, 'theirs\n'));
  expect(created).toMatchObject({ kind: 'written', isNew: false });
  expect(readFileSync(file, 'utf8')).toMatch(/^theirs\n<!-- START/);
});

test('expired blocks of sessions that died are removed, others stay', () => {
  for (const [path, expiresAt] of [
    ['CLAUDE.local.md', '2026-11-16T10:00:00.000Z'],
    ['GEMINI.md', '2026-11-16T12:00:00.000Z'],
  ] as const)
    writeBlock(root, path, { ...BLOCK, expiresAt });
  expect(removeExpired(root, '2026-11-16T11:00:00.000Z')).toEqual([
    { kind: 'removed', path: 'CLAUDE.local.md', id: 'fw_a', isDeleted: true },
  ]);
  expect([existsSync(file), existsSync(join(root, 'GEMINI.md'))]).toEqual([false, true]);
});

test('two writers killed at any moment leave a whole file with one block, and what they left is swept', async () => {
  const program = bundle(join(import.meta.dirname, 'write-block-forever.ts'));
  const rules = `# Rules\n${'Use tabs.\n'.repeat(20_000)}`;
  writeFileSync(file, rules);
  const seen = new Set<string>();
  for (let round = 0; round < scaled(200); round += 1) {
    const children = ['a', 'b'].map((id) =>
      endWithTest(
        spawn(process.execPath, [program, root, 'CLAUDE.local.md', id], { stdio: ['ignore', 'pipe', 'inherit'] }),
      ),
    );
    await Promise.all(children.map((child) => new Promise((resolve) => child.stdout.once('data', resolve))));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
    await Promise.all(children.map(kill));
    const bytes = readFileSync(file);
    expect(bytes.toString().startsWith(rules)).toBe(true);
    const found = managedBlocks(sha256).findBlock(bytes);
    expect(found.kind).toBe('found');
    seen.add(found.kind === 'found' ? found.body : '');
  }
  expect(seen.size).toBeGreaterThan(1);
  for (const name of readdirSync(root)) if (name.endsWith('.tmp')) utimesSync(join(root, name), 1, 1);
  expect(unwriteBlock(root, 'CLAUDE.local.md')).toMatchObject({ kind: 'removed' });
  expect(readdirSync(root)).toEqual(['CLAUDE.local.md']);
  expect(readFileSync(file, 'utf8')).toBe(rules);
  rmSync(program);
});

function kill(child: ChildProcess): Promise<unknown> {
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  return closed;
}

onSmallDisk('on a full disk the old file stays whole, and nothing new is left in part', () => {
  const program = bundle(join(import.meta.dirname, 'fill-block-disk.ts'));
  const count = scaled(100);
  const script = 'mount -t tmpfs -o size=256k tmpfs "$1" && exec "$2" "$3" "$1" "$4"';
  const args = ['-rm', 'sh', '-c', script, 'sh', root, process.execPath, program, String(count)];
  const run = spawnSync('unshare', args, { encoding: 'utf8' });
  rmSync(program);
  const rounds = run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { problems: string[] });
  expect(run.stderr).toBe('');
  expect(rounds.flatMap(({ problems }) => problems)).toEqual([]);
  expect(rounds).toHaveLength(count);
});
