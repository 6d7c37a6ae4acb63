import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type DeliveryRecord, waitingReasonOf } from '../../kernel/delivery.ts';
import { fakeHosting, fakePlace, fakePrepared, fakeProject, fakeTerminal } from '../../testing/fake-session.ts';
import { leaveText } from '../client/leave-text.ts';
import { askSocket, canReach, type SocketMessage } from '../socket.ts';
import { type AgentTerminal, runSession } from './run-session.ts';

const SIZE = { cols: 80, rows: 24 };

function field(kind: 'pty' | 'tmux' = 'tmux') {
  const project = fakeProject();
  const parts = fakeHosting(project);
  const place = fakePlace();
  const terminal = fakeTerminal(kind);
  const onSwitch = () => Promise.reject(new Error('nothing is switched here'));
  const agent: AgentTerminal = { terminal, size: SIZE, onSwitch };
  return { project, parts, place, folder: place.folder, terminal, agent, prepared: fakePrepared(place) };
}

const STARTUP = {
  id: 'fw_1',
  text: 'where we were',
  code: 'kanto-river',
  ladder: ['typed'],
  launched: undefined,
  required: 'submitted',
} as const;

describe('a session that runs', () => {
  test('is stored, announced and reachable, and its startup context is on its way', async () => {
    const { project, parts, place, terminal, agent, prepared } = field();
    const running = await runSession(parts, { ...prepared, startup: STARTUP }, agent);
    const { value } = (await project.stores.sessions.get('s1')) ?? {};
    expect(value).toEqual(running.record());
    expect(value).toMatchObject({
      id: 's1',
      agent: 'mine',
      pid: process.pid,
      agentPid: terminal.pid,
      terminal: 'tmux',
      folder: place.folder,
      socket: place.socket,
      tmux: place.tmux,
      startedAt: new Date(project.clock.now()).toISOString(),
    });
    expect(project.events[0]).toEqual({
      kind: 'session-started',
      session: 's1',
      agent: 'mine',
      terminal: 'tmux',
      isTakenOver: false,
    });
    expect(running.startup()).toMatchObject({ id: 'fw_1', session: 's1', text: 'where we were', ladder: ['typed'] });
    expect(await canReach(place.socket)).toBe(true);
    terminal.exit(0);
    await running.ended;
  });

  test('that a person stopped with Ctrl-Z is stored as suspended, and so is the reason of what waits', async () => {
    const { project, parts, place, terminal, agent, prepared } = field('pty');
    const running = await runSession(parts, prepared, agent);
    terminal.print('> ');
    const sent = new Promise<SocketMessage>((resolve) => {
      void askSocket(place.socket, { kind: 'send', text: 'a text', id: 'fw_text1' }, (reply) => {
        resolve(reply);
        return true;
      });
    });
    await sent;
    await running.suspend(true);
    const readiness = async () => (await project.stores.sessions.get('s1'))?.value.readiness;
    const waiting = async () => {
      const found = (await project.stores.deliveries.get('fw_text1'))?.value as DeliveryRecord;
      return waitingReasonOf(found);
    };
    expect([await readiness(), await waiting()]).toEqual(['suspended', 'suspended']);
    await running.suspend(false);
    expect(await readiness()).not.toBe('suspended');
    expect(await waiting()).not.toBe('suspended');
    terminal.exit(0);
    await running.ended;
  });

  test('takes up a text that a command left for it while it was stopped', async () => {
    const { project, parts, place, terminal, agent, prepared } = field('pty');
    const running = await runSession(parts, prepared, agent);
    await running.suspend(true);
    const left = await leaveText(project, running.record(), { text: 'meanwhile', priority: 'low' });
    expect(left).toMatchObject({ stage: 'queued', waiting: 'suspended', priority: 'low', required: 'submitted' });
    expect((await project.stores.deliveries.get(left.id))?.value).toEqual(left);
    expect(project.events.at(-1)).toMatchObject({ kind: 'delivery-queued', delivery: left.id, agent: 'mine' });
    await running.suspend(false);
    let found: SocketMessage | undefined;
    await askSocket(place.socket, { kind: 'follow', id: left.id, wait: 'queued' }, (reply) => {
      found = reply;
      return reply.kind !== 'changed';
    });
    expect(found).toMatchObject({ kind: 'done', delivery: { id: left.id, text: 'meanwhile' } });
    terminal.exit(0);
    await running.ended;
    expect((await project.stores.deliveries.get(left.id))?.value).toMatchObject({ stage: 'ended', outcome: 'failed' });
  });

  test('is closed when its agent ends, and leaves its exit code and what the next one should know', async () => {
    const { project, parts, folder, terminal, agent, prepared } = field('pty');
    const left: string[] = [];
    const context = { ...parts.context, leaveWork: async (of: string) => void left.push(of) };
    const running = await runSession({ ...parts, context }, prepared, agent);
    terminal.exit(7);
    expect(await running.ended).toEqual({ status: 7 });
    const { value } = (await project.stores.sessions.get('s1')) ?? {};
    expect(value).toMatchObject({ readiness: 'gone', exitStatus: 7, endedAt: expect.any(String) });
    expect(project.events.slice(1)).toEqual([{ kind: 'session-ended', session: 's1', agent: 'mine', status: 7 }]);
    expect(left).toEqual(['mine']);
    expect(await canReach(`${folder}/socket`)).toBe(false);
    expect(existsSync(folder)).toBe(false);
    expect(project.clock.pending).toBe(0);
  });

  test('is let go of when another process took it over, and its agent goes on in tmux', async () => {
    const { project, parts, folder, terminal, agent, prepared } = field();
    const running = await runSession(parts, prepared, agent);
    const { value, version } = (await project.stores.sessions.get('s1')) ?? {};
    if (value === undefined || version === undefined) throw new Error('no record');
    await project.stores.sessions.put('s1', { ...value, pid: 1 }, version);
    // The next change of the screen is stored, and refused.
    terminal.print('> ');
    expect(await running.ended).toEqual({ status: 0 });
    expect(terminal.calls).toEqual(['release']);
    expect(existsSync(folder)).toBe(true);
    expect(await canReach(`${folder}/socket`)).toBe(false);
  });

  test('that was begun by another host goes on, paused as it was, without a second startup context', async () => {
    const { project, parts, folder, terminal, agent, prepared: plain } = field();
    const prepared = { ...plain, startup: STARTUP };
    const first = await runSession(parts, prepared, agent);
    const value = { ...first.record(), paused: true };
    await project.stores.sessions.put('s1', value, 1);
    const again = await runSession(parts, prepared, { ...agent, before: { value, version: 2 } });
    expect(again.record()).toEqual(value);
    expect((await project.stores.deliveries.list('s1')).map(({ value: { id } }) => id)).toEqual(['fw_1']);
    expect(project.events.at(-1)).toMatchObject({ kind: 'session-started', isTakenOver: true });
    const isPaused = ({ delivery }: SocketMessage): boolean => waitingReasonOf(delivery as DeliveryRecord) === 'paused';
    await askSocket(`${folder}/socket`, { kind: 'send', text: 'hello' }, isPaused);
    terminal.exit(0);
    await again.ended;
  });

  test('that cannot be stored does not run', async () => {
    const { project, parts, agent, prepared } = field();
    await project.stores.sessions.put('s1', { ...(await recordOf()), pid: 1 }, 0);
    await expect(runSession(parts, prepared, agent)).rejects.toMatchObject({ code: 'stale-owner' });
  });
});

async function recordOf() {
  const { parts, terminal, agent, prepared } = field();
  const running = await runSession(parts, prepared, agent);
  terminal.exit(0);
  await running.ended;
  return running.record();
}
