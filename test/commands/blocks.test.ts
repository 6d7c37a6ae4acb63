// Context in instruction files, with the whole command: it goes when it is proved, when its time is over, when its session
// is gone, and by `foreword clean`; nothing else in the files changes.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import type { SessionRecord } from '../../src/kernel/session.ts';
import { writeBlock } from '../../src/sessions/channels/file/managed-block-file.ts';
import { openSqliteStores } from '../../src/stores/sqlite/open.ts';
import { ensureFolder } from '../../src/system/files/own-folder.ts';
import type { tuiAgent } from '../agents/tui-log.ts';
import { foreword, ownStore } from '../foreword.ts';
import { kill, until } from '../processes/processes.ts';
import { type Live, lively as test } from './live.ts';

const BY_FILE = ['start', 'tui', '--detach', '--wait', 'placed', '--channel', 'file'];

/** A session whose context stands in its agent's instruction file. */
async function inFile(here: Live): Promise<SessionRecord> {
  return (await here.json<{ session: SessionRecord }>(BY_FILE)).session;
}

/** Host and agent, so that nothing is left that could clear away. */
async function killAll({ pid, agentPid }: SessionRecord): Promise<void> {
  for (const one of [pid, agentPid]) kill(one);
  await until('they ended', () => [pid, agentPid].every((one) => !existsSync(`/proc/${one}`)));
}

type TuiAgent = ReturnType<typeof tuiAgent>;

const quoted = (words: readonly string[]): string =>
  words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');

const OLD = { id: 'fw_old', body: 'of a session long ago', expiresAt: '2020-01-01T00:00:00.000Z' };

describe.concurrent('a block in an instruction file', () => {
  test('is taken out byte for byte by foreword clean', async ({ live }) => {
    const here = live();
    const file = join(here.project, 'AGENTS.md');
    const before = Buffer.from('# Rules\r\nno tabs\n\n  last line without an end');
    writeFileSync(file, before);
    const { status } = await here.run(['start', 'tui', '--detach', '--wait', 'placed', '--channel', 'file']);
    expect(status).toBe(0);
    expect(readFileSync(file, 'utf8').includes('Auto-Injected')).toBe(true);
    const { stdout } = await here.run(['clean']);
    expect(stdout).toContain('AGENTS.md: removed the block');
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('of a session that died goes when somebody looks for sessions', async ({ live }) => {
    const here = live();
    const session = await inFile(here);
    const file = join(here.project, 'AGENTS.md');
    expect(readFileSync(file, 'utf8')).toContain('Auto-Injected');
    await killAll(session);
    expect(await here.sessions()).toEqual([]);
    expect(existsSync(file)).toBe(false);
  });

  test('goes from a file that only an agent of ones own reads, also when the agent is no longer known', async ({
    live,
  }) => {
    const here = live({}, { file: 'docs/for-agents.md' });
    mkdirSync(join(here.project, 'docs'));
    const file = join(here.project, 'docs/for-agents.md');
    writeFileSync(file, 'ours\n');
    await killAll(await inFile(here));
    expect(readFileSync(file, 'utf8')).toContain('Auto-Injected');
    const home = dirname(here.project);
    const cleaned = await foreword(['clean'], { cwd: here.project, env: { HOME: home, XDG_RUNTIME_DIR: home } });
    expect(cleaned.stdout).toContain('docs/for-agents.md: removed the block\n');
    expect(readFileSync(file, 'utf8')).toBe('ours\n');
  });

  test('whose time is over goes with the next session, and others stay', async ({ live }) => {
    const here = live({}, { file: 'docs/for-agents.md' });
    const later = { ...OLD, id: 'fw_later', expiresAt: '2999-01-01T00:00:00.000Z' };
    for (const path of ['CLAUDE.local.md', 'docs/for-agents.md']) writeBlock(here.project, path, OLD);
    writeBlock(here.project, 'GEMINI.md', later);
    await here.start('--no-context');
    expect(existsSync(join(here.project, 'CLAUDE.local.md'))).toBe(false);
    expect(existsSync(join(here.project, 'docs'))).toBe(false);
    expect(existsSync(join(here.project, 'GEMINI.md'))).toBe(true);
  });

  test('whose time is over goes with the next session that an agent itself begins', async ({ live }) => {
    const { project } = live();
    ensureFolder(project);
    writeBlock(project, 'CLAUDE.local.md', OLD);
    const payload = { session_id: 'a1b2', hook_event_name: 'SessionStart', source: 'startup', cwd: project };
    const env = { HOME: dirname(project), XDG_STATE_HOME: join(dirname(project), 'state') };
    const args = ['hook', 'session-start', '--agent', 'claude'];
    const { stdout } = await foreword(args, { cwd: project, env, input: JSON.stringify(payload) });
    expect(stdout).toContain('What is known of this project');
    expect(existsSync(join(project, 'CLAUDE.local.md'))).toBe(false);
  });

  test('goes when its time is over though its session goes on', async ({ live }) => {
    const here = live();
    const { id, pid } = await inFile(here);
    kill(pid);
    await until('the host ended', () => !existsSync(`/proc/${pid}`));
    const stores = await openSqliteStores(ownStore(here.project));
    for (const { id: delivery, value, version } of await stores.deliveries.list(id))
      if (value.file !== undefined)
        await stores.deliveries.put(delivery, { ...value, deadline: value.queuedAt }, version);
    await stores.close();
    expect(await here.run(['send', id, 'somebody looks again'])).toMatchObject({ status: 0 });
    await until('the block is gone', () => !existsSync(join(here.project, 'AGENTS.md')));
    expect(await here.sessions()).toMatchObject([{ id }]);
  });

  test('reaches an agent that reads only files its launch names', async ({ live }) => {
    const here = live();
    const config = join(dirname(here.project), 'live.json');
    const words = join(dirname(here.project), 'words');
    const { agents } = JSON.parse(readFileSync(config, 'utf8')) as { agents: Record<string, TuiAgent> };
    const { file: _, ...tui } = agents.tui as TuiAgent;
    // Writes down what it was given besides its own words, and how large that file was.
    const script = `for word; do echo "$word"; wc -c < "$word"; done > ${words} 2>&1; exec "$0" ${quoted(tui.interactive.command.slice(1))}`;
    const command = ['/bin/sh', '-c', script, tui.interactive.command[0]];
    writeFileSync(config, JSON.stringify({ agents: { aider: { ...tui, interactive: { command } } } }));
    const { status } = await here.run(['start', 'aider', '--detach', '--wait', 'placed', '--channel', 'file']);
    expect(status).toBe(0);
    const file = join(here.project, '.foreword/aider.local.md');
    expect(readFileSync(words, 'utf8')).toMatch(/^--read\n.*\n\S+\n0\n$/);
    expect(readFileSync(words, 'utf8').split('\n')[2]).toBe(file);
    expect(readFileSync(file, 'utf8')).toContain('Auto-Injected');
    await here.run(['clean']);
    expect(readFileSync(file, 'utf8')).toBe('');
  });

  test('in our own folder is nothing that git shows', async ({ live }) => {
    const { project } = live();
    writeBlock(project, join(ensureFolder(project), 'aider.local.md').slice(project.length + 1), OLD);
    const shown = execFileSync('git', ['status', '--porcelain', '--untracked-files=all'], { cwd: project });
    expect(shown.toString()).toBe('?? .foreword/.gitignore\n');
  });
});
