// Hosts of sessions in tmux, with the whole command: one that was killed is replaced by exactly one, and those of another
// machine are left alone.

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { SessionRecord } from '../../src/kernel/session.ts';
import { openSqliteStores } from '../../src/stores/sqlite/open.ts';
import { untilEntry } from '../agents/tui-log.ts';
import { ownStore } from '../foreword.ts';
import { allProcesses, until } from '../processes/processes.ts';
import { IS_LONG } from '../scale.ts';
import { lively as test, untilSome } from './live.ts';

const isRunning = (pid: number | undefined): boolean => existsSync(`/proc/${pid}`);

describe.concurrent('a detached session whose host is killed', () => {
  test('goes on in one new host with the next texts, which arrive once', async ({ live }) => {
    const here = live();
    const { id, pid, agentPid } = await here.start();
    process.kill(pid, 'SIGKILL');
    await until('the host ended', () => !isRunning(pid));
    expect(await here.sessions()).toMatchObject([{ id }]);
    const texts = ['after the crash', 'and this too', 'and a third one'];
    const sent = await Promise.all(texts.map((text) => here.run(['send', id, text])));
    expect(sent).toMatchObject(texts.map(() => ({ status: 0 })));
    const [session] = await here.sessions();
    expect(session).toMatchObject({ id, agentPid, readiness: 'ready' });
    expect(session?.pid).not.toBe(pid);
    expect(here.seen()).toMatchObject({ starts: 1, duplicates: {}, pastedTwice: {}, harms: [] });
    const given = here.seen().servedTexts.map((text) => text.split('\n').at(-1));
    expect(given.filter((line) => texts.includes(line ?? '')).sort()).toEqual([...texts].sort());
  });

  if (IS_LONG)
    test('goes on though its starter, which waited for a proof, ends with that', async ({ live }) => {
      const here = live({ dialogs: [{ name: 'trust', closesAfterMs: 600_000 }] });
      const starting = here.run(['start', 'tui', '--detach', '--wait', 'acknowledged']);
      const { id, pid, agentPid } = await here.untilShown('it asks', ({ readiness }) => readiness === 'asking');
      process.kill(pid, 'SIGKILL');
      expect(await starting).toMatchObject({ status: 1 });
      expect(isRunning(agentPid)).toBe(true);
      expect(await here.run(['sessions', '--pause', id])).toMatchObject({ status: 0 });
      expect(await here.sessions()).toMatchObject([{ id, agentPid }]);
    });

  if (IS_LONG)
    test('has one new host, also when that one is slow', async ({ live }) => {
      const here = live();
      const { id, pid } = await here.start();
      process.kill(pid, 'SIGKILL');
      await until('the host ended', () => !isRunning(pid));
      const stores = await openSqliteStores(ownStore(here.project));
      const first = here.run(['send', id, 'by the slow one']);
      const [next = 0] = await untilSome('a new host', async () => {
        const found = (await stores.sessions.get(id))?.value.pid ?? pid;
        return found === pid ? [] : [found];
      });
      process.kill(next, 'SIGSTOP');
      const second = here.run(['send', id, 'while it is slow']);
      await new Promise((resolve) => setTimeout(resolve, 5000));
      process.kill(next, 'SIGCONT');
      expect(await Promise.all([first, second])).toMatchObject([{ status: 0 }, { status: 0 }]);
      expect((await stores.sessions.get(id))?.value.pid).toBe(next);
      await stores.close();
      expect(here.seen()).toMatchObject({ duplicates: {}, pastedTwice: {}, harms: [] });
    });

  test('whose host comes second lets go of it, and the next one goes on', async ({ live }) => {
    const here = live();
    const { owner: _, ...record } = await here.start();
    const { id, pid, agentPid } = record;
    const stores = await openSqliteStores(ownStore(here.project));
    const { version = 0 } = (await stores.sessions.get(id)) ?? {};
    expect(await stores.sessions.put(id, { ...record, pid: 2 ** 22 + 1 }, version)).toBe(true);
    await stores.close();
    expect((await here.run(['sessions', '--pause', id])).stderr).toContain('taken over by another process');
    await until('the second host ended', () => !isRunning(pid));
    expect(isRunning(agentPid)).toBe(true);
    expect(await here.run(['send', id, 'after all'])).toMatchObject({ status: 0 });
    expect(await here.sessions()).toMatchObject([{ id, agentPid, paused: false }]);
  });

  test('keeps its store, which is on no command line, wherever the next command is given', async ({ live }) => {
    const here = live();
    const words = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    mkdirSync(join(here.project, 'kept'));
    const { id, pid } = await here.start('--store', 'kept/my.db');
    expect(words(pid)).toMatch(/\/host\.cjs s\w+ tui $/);
    expect(words(pid)).not.toContain('my.db');
    process.kill(pid, 'SIGKILL');
    await until('the host ended', () => !isRunning(pid));
    const elsewhere = ['--cwd', 'src', '--store', '../kept/my.db'];
    expect(await here.run(['send', id, 'from another folder', ...elsewhere])).toMatchObject({ status: 0 });
    const { sessions } = await here.json<{ sessions: readonly SessionRecord[] }>(['sessions', ...elsewhere]);
    expect(sessions).toMatchObject([{ id, readiness: 'ready' }]);
    expect(words(sessions[0]?.pid ?? 0)).toMatch(/\/host\.cjs s\w+ tui $/);
    expect(words(sessions[0]?.pid ?? 0)).not.toContain('my.db');
    expect(existsSync(ownStore(here.project))).toBe(false);
  });

  test('does not give twice what was under way, and what comes after it follows', async ({ live }) => {
    const here = live({ events: [{ on: 'paste', nth: 2, afterMs: 0, do: 'freeze', ms: 800 }] });
    const { id, pid } = await here.start();
    const first = here.run(['send', id, 'under way']);
    await untilEntry(here.log, 'paste', ({ text }) => text.includes('under way'));
    process.kill(pid, 'SIGKILL');
    expect((await first).status).not.toBe(0);
    expect(await here.run(['send', id, 'the next'])).toMatchObject({ status: 0 });
    const { servedTexts, ...seen } = here.seen();
    expect(seen).toMatchObject({ duplicates: {}, pastedTwice: {}, harms: [] });
    expect(servedTexts.filter((text) => text.includes('under way'))).toHaveLength(1);
    expect(servedTexts.filter((text) => text.endsWith('the next'))).toHaveLength(1);
    expect((await here.receipts()).map(({ outcome }) => outcome)).toEqual(['delivered', 'delivered', 'delivered']);
  });

  if (IS_LONG)
    test('is still paused in its new host', async ({ live }) => {
      const here = live();
      const { id, pid } = await here.start();
      await here.run(['sessions', '--pause', id]);
      process.kill(pid, 'SIGKILL');
      await until('the host ended', () => !isRunning(pid));
      const sending = here.run(['send', id, 'held back']);
      await here.untilShown('it waits', ({ waiting }) => waiting[0]?.reason === 'paused');
      await here.run(['sessions', '--resume', id]);
      expect(await sending).toMatchObject({ status: 0 });
    });

  test('and whose agent is gone, too, is closed by whoever looks, with its tmux', async ({ live }) => {
    const here = live();
    const { pid, agentPid = 0, tmux } = await here.start();
    for (const one of [pid, agentPid]) process.kill(one, 'SIGKILL');
    await until('both ended', () => !isRunning(pid) && !isRunning(agentPid));
    expect(await here.sessions('--all')).toMatchObject([{ readiness: 'gone', evidence: 'its host died' }]);
    const server = () => allProcesses().filter(({ command }) => command.includes(tmux?.socket ?? 'no socket'));
    await until('its server ended', () => server().length === 0);
  });
});

describe.concurrent('a session of another machine on the same store', () => {
  test('is shown there and left alone, and whoever asks for it is told where it runs', async ({ live }) => {
    const here = live();
    const mine = await here.start();
    const stores = await openSqliteStores(ownStore(here.project));
    const { agentPid: _, ...record } = mine;
    const far = { ...record, id: 's0ther000', pid: 2 ** 22 + 1, owner: 'build7 b00t:1 99 12345 0123456789abcdef' };
    const paths = { socket: '/nowhere/socket', folder: '/nowhere', tmux: { socket: '/nowhere/tmux', session: 's0' } };
    await stores.sessions.put(far.id, { ...far, ...paths, agentPid: 2 ** 22 + 2, readiness: 'busy' }, 0);
    const shown = await here.run(['sessions']);
    expect(shown.stdout).toMatch(/^s0ther000 +tui +busy +\S.* tmux on build7$/m);
    expect(await here.sessions()).toContainEqual(expect.objectContaining({ id: far.id, on: 'build7' }));
    for (const args of [
      ['send', far.id, 'hello'],
      ['attach', far.id],
      ['sessions', '--stop', far.id],
    ]) {
      const asked = await here.run(args);
      expect(asked.status).toBe(2);
      expect(asked.stderr).toContain(
        'Session s0ther000 runs on build7, and cannot be reached from here.\n  Run this on build7.',
      );
    }
    expect(await stores.sessions.get(far.id)).toMatchObject({ version: 1, value: { readiness: 'busy' } });
    const own = await here.run(['sessions', '--forget', mine.id]);
    expect(own).toMatchObject({ status: 2, stderr: expect.stringContaining('runs on this machine') });
    expect(await here.run(['sessions', '--forget', far.id])).toMatchObject({ status: 0 });
    expect((await stores.sessions.get(far.id))?.value).toMatchObject({ readiness: 'gone' });
    expect((await here.sessions()).map(({ id }) => id)).toEqual([mine.id]);
    await stores.close();
  });
});
