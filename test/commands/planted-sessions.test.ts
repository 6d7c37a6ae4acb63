// A clone, or an agent that may write anything in its workspace, can bring a store with records of sessions. None of the
// places they name is used.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import type { SessionRecord } from '../../src/kernel/session.ts';
import { openSqliteStores } from '../../src/stores/sqlite/open.ts';
import { ownStore } from '../foreword.ts';
import { type Live, lively } from './live.ts';

const START = '2026-11-01T00:00:00.000Z';
const DEAD = 2 ** 22 + 1;

async function plantSession(project: string, record: Partial<SessionRecord> & { readonly id: string }): Promise<void> {
  mkdirSync(join(project, '.foreword'), { recursive: true });
  const stores = await openSqliteStores(ownStore(project));
  const whole = { agent: 'tui', cwd: project, pid: DEAD, startedAt: START, readiness: 'ready', paused: false } as const;
  await stores.sessions.put(record.id, { ...whole, ...record }, 0);
  await stores.close();
}

/** A tmux server that is no session of ours. */
interface Stranger {
  readonly folder: string;
  readonly tmux: { readonly socket: string; readonly session: string };
  readonly pid: number;
  ask(...args: string[]): { readonly status: number | null; readonly stdout: string };
}

const strange = lively.extend<{ readonly stranger: (home: string) => Stranger }>({
  stranger: async ({ task: _ }, use) => {
    const ends: (() => void)[] = [];
    await use((home) => {
      const folder = join(home, 'stranger');
      mkdirSync(folder, { mode: 0o700 });
      const tmux = { socket: join(folder, 'tmux'), session: 'work' };
      const ask: Stranger['ask'] = (...args) =>
        spawnSync('tmux', ['-f', '/dev/null', '-S', tmux.socket, ...args], { encoding: 'utf8' });
      ask('new-session', '-d', '-s', tmux.session, '--', 'sleep', '600');
      ends.push(() => ask('kill-server'));
      return { folder, tmux, pid: Number(ask('list-panes', '-F', '#{pane_pid}').stdout), ask };
    });
    for (const end of ends) end();
  },
});

const homeOf = (here: Live): string => dirname(here.project);

describe.concurrent('a planted record of a session', () => {
  strange('that names a folder of somebody else: clean leaves that alone', async ({ live }) => {
    const here = live();
    const victims = ['victim', 'victim-2'].map((name) => join(homeOf(here), name));
    for (const victim of victims) {
      mkdirSync(victim);
      writeFileSync(join(victim, 'thesis.txt'), 'years of work');
    }
    const ended = { endedAt: START, readiness: 'gone' } as const;
    await plantSession(here.project, { id: 's00000001', folder: '../victim', ...ended });
    const way = '../../victim-2';
    await plantSession(here.project, { id: way, folder: join(homeOf(here), 'foreword/s', way), ...ended });
    const { stdout } = await here.run(['clean']);
    expect(victims.map((victim) => existsSync(join(victim, 'thesis.txt')))).toEqual([true, true]);
    expect(stdout).not.toContain('victim');
  });

  strange('that names the tmux of somebody else: no command ends that', async ({ live, stranger }) => {
    const here = live();
    const { tmux, ask } = stranger(homeOf(here));
    await plantSession(here.project, { id: 's00000002', terminal: 'tmux', tmux });
    for (const command of [['receipts'], ['sessions'], ['sessions', '--all'], ['clean']]) {
      await here.run(command);
      expect([command, ask('list-sessions').status]).toEqual([command, 0]);
    }
  });

  strange('that names the tmux of somebody else: attach does not go there', async ({ live, stranger }) => {
    const here = live();
    const { tmux, ask, pid, folder } = stranger(homeOf(here));
    const marker = join(folder, 'hook-ran');
    ask('set-hook', '-g', 'client-attached', `run-shell "touch ${marker}" ; detach-client`);
    const socket = join(folder, 'socket');
    const host = createServer((peer) => peer.on('error', () => undefined)).listen(socket);
    const record = { terminal: 'tmux', agentPid: pid, folder, socket, tmux } as const;
    await plantSession(here.project, { id: 's00000003', ...record });
    const seat = here.sit(['attach', 's00000003']);
    expect(await seat.status).not.toBe(0);
    host.close();
    expect(existsSync(marker)).toBe(false);
  });

  strange(
    'that names a folder with a configuration: no command takes that for the person’s',
    async ({ live, stranger }) => {
      const here = live();
      const { tmux, pid, folder } = stranger(homeOf(here));
      writeFileSync(join(folder, 'evil.json'), '{ "planted": true }');
      writeFileSync(join(folder, 'config-path'), join(folder, 'evil.json'));
      const record = { terminal: 'tmux', agentPid: pid, folder, socket: join(folder, 'socket'), tmux } as const;
      await plantSession(here.project, { id: 's00000004', ...record });
      for (const command of [
        ['send', 's00000004', 'hello'],
        ['sessions', '--pause', 's00000004'],
      ]) {
        const { status, stderr } = await here.run(command);
        expect(status).not.toBe(0);
        expect(stderr).not.toContain('planted');
        expect(stderr).not.toContain('evil.json');
      }
      expect(readdirSync(folder).toSorted()).toEqual(['config-path', 'evil.json', 'tmux']);
    },
  );
});
