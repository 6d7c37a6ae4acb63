import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DeliveryRecord } from '../../kernel/delivery.ts';
import type { SessionRecord } from '../../kernel/session.ts';
import type { TranscriptText } from '../../kernel/transcript.ts';
import { fakeProject, fakeRecord, temporaryFolder } from '../../testing/fake-session.ts';
import type { HostRequest } from '../host/request.ts';
import { keepNote, placesIn } from '../places.ts';
import { serveSocket } from '../socket.ts';
import { attachSession, sessionToAttach } from './attach.ts';
import { cleanProject } from './clean.ts';
import { findSession, forgetSession, listSessions, sessionForRedelivery, viewSessions } from './list.ts';
import type { ClientParts } from './parts.ts';
import { ensureHost } from './reach.ts';

/** `owner` is `here alive`, `here gone` or `elsewhere alive`. */
const OWNERS = {
  stateOf: (owner: string) => (owner.endsWith('alive') ? 'alive' : 'gone') as 'alive' | 'gone',
  placeOf: (owner: string) => owner.split(' ')[0] as 'here' | 'elsewhere',
  hostOf: () => 'build7',
};

/** Ids as sessions that were started have them. */
const [ONE, TWO] = ['s00000001', 's00000002'];

async function field(...records: readonly Partial<SessionRecord>[]) {
  const project = fakeProject();
  const places = placesIn({ XDG_RUNTIME_DIR: temporaryFolder(), home: '', temporary: '' });
  /** As a session that was started here leaves it; the record names it as well. */
  const place = async (id: string, more: Partial<SessionRecord> = {}, config?: string) => {
    const at = places.at(id);
    mkdirSync(at.folder, { recursive: true, mode: 0o700 });
    keepNote(project, at, { config });
    const record = fakeRecord({ id, owner: 'here alive', folder: at.folder, socket: at.socket, ...more });
    await project.stores.sessions.put(id, record, 0);
    return { ...at, record };
  };
  for (const one of records) {
    const record = fakeRecord({ owner: 'here alive', ...one });
    await project.stores.sessions.put(record.id, record, 0);
  }
  const ended: string[] = [];
  const requests: { readonly request: HostRequest; readonly cwd: string }[] = [];
  const commands: (readonly string[])[] = [];
  const written: TranscriptText[] = [];
  const notes: string[] = [];
  const parts: ClientParts = {
    project,
    owners: { ...OWNERS, socketsOf: (record) => places.of(project, record) },
    places,
    tmux: {
      end: async ({ socket }) => void ended.push(socket),
      attachCommand: async ({ socket, session }) => ['tmux', '-S', socket, 'attach', session],
    },
    spawnHost: (request, cwd) => {
      requests.push({ request, cwd });
      return {
        started: Promise.resolve({ message: { kind: 'hosted' }, notes: [] }),
        send: () => undefined,
        cancel: async () => 'ended',
      };
    },
    readTranscript: async () => written,
    runInTerminal: async (command) => void commands.push(command),
    show: () => undefined,
    note: (text) => void notes.push(text),
    leaveWork: async () => undefined,
  };
  return { project, parts, place, ended, requests, commands, written, notes };
}

test('of two agents in one terminal the one in front is known, and a hint about the other is not shown', async () => {
  const hint = 'claude: limit; go on with: foreword switch codex s00000001';
  const { parts, project } = await field(
    { id: ONE, agent: 'claude', hint, shows: TWO, terminal: 'pty' },
    { id: TWO, agent: 'codex', beside: ONE, terminal: 'pty' },
  );
  const seen = async () =>
    (await listSessions(parts, { isAll: false })).map(({ seating, hint: shown }) => [seating, shown]);
  expect(await seen()).toEqual([
    ['behind', undefined],
    ['in front', undefined],
  ]);
  const first = (await project.stores.sessions.get(ONE)) ?? expect.fail();
  await project.stores.sessions.put(ONE, { ...first.value, shows: undefined }, first.version);
  expect(await seen()).toEqual([
    ['in front', hint],
    ['behind', undefined],
  ]);
});

const waiting = (session: string, id: string): DeliveryRecord =>
  ({
    id,
    session,
    moment: 'prompt',
    priority: 'normal',
    text: '',
    ladder: ['typed'],
    required: 'submitted',
    queuedAt: '2027-01-15T08:00:00.000Z',
    deadline: '2027-01-15T09:00:00.000Z',
    proof: 'queued',
    attempts: 0,
    stage: 'queued',
    stageAt: '2027-01-15T08:00:00.000Z',
    rung: 0,
    placedOn: [],
    waiting: 'agent-busy',
  }) as DeliveryRecord;

describe('the list of sessions', () => {
  test('shows what runs, what waits for it, and the log where there is one', async () => {
    const { project, parts, place } = await field({ id: 's2', endedAt: '2027-01-15T09:00:00.000Z' });
    const { record, log } = await place(ONE);
    writeFileSync(log, 'a fault\n');
    await project.stores.deliveries.put('fw_1', waiting(ONE, 'fw_1'), 0);
    const shown = await listSessions(parts, { isAll: false });
    expect(shown).toMatchObject([{ ...record, log, waiting: [{ id: 'fw_1', reason: 'agent-busy' }] }]);
    expect(shown[0]?.deliveries).toMatchObject([
      { id: 'fw_1', proof: 'queued', moment: 'prompt', reason: 'agent-busy' },
    ]);
    const all = (await listSessions(parts, { isAll: true })).map(({ id, readiness }) => [id, readiness]);
    expect(all.toSorted()).toEqual([
      [ONE, 'ready'],
      ['s2', 'gone'],
    ]);
  });

  test('every text that has not ended is listed, whatever its stage, with what it waits for', async () => {
    const { project, parts, place } = await field();
    await place(ONE);
    const of = (stage: DeliveryRecord['stage']) => {
      const { waiting: _, ...facts } = waiting(ONE, `fw_${stage}`) as DeliveryRecord & { readonly waiting: string };
      return { ...facts, stage, presses: 1 } as DeliveryRecord;
    };
    for (const stage of ['queued', 'typing', 'placed', 'submitting', 'submitted'] as const)
      await project.stores.deliveries.put(`fw_${stage}`, of(stage), 0);
    const [shown] = await listSessions(parts, { isAll: false });
    expect(shown?.waiting.map(({ id, reason }) => `${id} ${reason}`)).toEqual([
      'fw_queued in the queue',
      'fw_typing being typed',
      'fw_placed not taken by the agent yet',
      'fw_submitting not taken by the agent yet',
      'fw_submitted no answer of the model yet',
    ]);
  });

  test('an answer that came after the host had died still counts when the session is closed', async () => {
    const { project, parts, place, written } = await field();
    await place(ONE, { owner: 'here gone' });
    const sent = { stage: 'submitted', proof: 'submitted', placedOn: ['typed'], required: 'served' } as const;
    for (const id of ['fw_1', 'fw_2', 'fw_3']) {
      const { waiting: _, ...facts } = waiting(ONE, id) as DeliveryRecord & { readonly waiting: string };
      await project.stores.deliveries.put(id, { ...facts, ...sent }, 0);
    }
    const text = (kind: TranscriptText['kind'], said: string) => ({
      kind,
      role: 'user',
      text: said,
      evidence: 'log:1',
    });
    written.push(text('given', 'fw_1'), text('reply', ''), text('given', 'fw_2'), text('fault', '401 no'));
    expect(await listSessions(parts, { isAll: false })).toEqual([]);
    const receipts = (await project.stores.receipts.read()).map(({ value }) => value);
    expect(receipts.map(({ delivery, proof, outcome, reason }) => [delivery, proof, outcome, reason])).toEqual([
      ['fw_1', 'served', 'delivered', undefined],
      ['fw_2', 'submitted', 'uncertain', 'the session ended before the proof: refused: 401'],
      ['fw_3', 'submitted', 'uncertain', 'the session ended before the proof'],
    ]);
  });

  test('closes a session that died: its deliveries fail, and its tmux ends', async () => {
    const { project, parts, place, ended } = await field();
    // The tmux session in the record is not used.
    const elsewhere = { socket: '/nowhere/tmux', session: 'work' };
    const { tmux } = await place(ONE, { owner: 'here gone', tmux: elsewhere });
    await project.stores.deliveries.put('fw_1', waiting(ONE, 'fw_1'), 0);
    expect(await listSessions(parts, { isAll: false })).toEqual([]);
    expect((await project.stores.sessions.get(ONE))?.value).toMatchObject({
      readiness: 'gone',
      evidence: 'its host died',
      endedAt: new Date(project.clock.now()).toISOString(),
    });
    expect((await project.stores.deliveries.get('fw_1'))?.value).toMatchObject({ outcome: 'failed' });
    expect(ended).toEqual([tmux.socket]);
  });

  test('ends no tmux of a session that was not started here', async () => {
    const { parts, ended } = await field({
      id: ONE,
      owner: 'here gone',
      tmux: { socket: '/run/tmux', session: 'work' },
    });
    expect(await listSessions(parts, { isAll: true })).toMatchObject([
      { readiness: 'gone', evidence: 'its host died' },
    ]);
    expect(ended).toEqual([]);
  });

  test('shows a record whose folder is not where sessions are kept, and leaves it as it is', async () => {
    const { project, parts } = await field({ id: ONE, folder: '/home/me/thesis', owner: 'here gone' });
    expect(await listSessions(parts, { isAll: true })).toMatchObject([
      { readiness: 'gone', evidence: 'its folder is not where sessions are kept here' },
    ]);
    expect(await project.stores.sessions.get(ONE)).toMatchObject({ version: 1, value: { readiness: 'ready' } });
  });

  test('that only looks leaves the record of a session that died as it is', async () => {
    const { project, parts, ended } = await field({ owner: 'here gone' });
    expect(await viewSessions(parts, project.stores, { isAll: false })).toMatchObject([{ readiness: 'gone' }]);
    expect((await project.stores.sessions.get('s1'))?.version).toBe(1);
    expect(ended).toEqual([]);
  });

  test('names the machine of a session that runs elsewhere, and leaves it alone', async () => {
    const { project, parts } = await field({ owner: 'elsewhere gone' });
    expect(await listSessions(parts, { isAll: false })).toMatchObject([{ id: 's1', on: 'build7', readiness: 'ready' }]);
    expect((await project.stores.sessions.get('s1'))?.version).toBe(1);
  });
});

describe('finding a session', () => {
  test('takes the beginning of an id, and the whole one where it begins another', async () => {
    const { parts } = await field({ id: 'sa1' }, { id: 'sa12' }, { id: 'sb' });
    expect((await findSession(parts, 'sb')).id).toBe('sb');
    expect((await findSession(parts, 'sa12')).id).toBe('sa12');
    expect((await findSession(parts, 'sa1')).id).toBe('sa1');
    await expect(findSession(parts, 'sa')).rejects.toMatchObject({
      message: 'More than one session begins with "sa".',
    });
    await expect(findSession(parts, 'x')).rejects.toMatchObject({
      code: 'unknown-session',
      message: 'No session "x" runs.',
      hint: 'Running: sa1 (mine), sa12 (mine), sb (mine).',
    });
  });

  test('does not take an empty id for the only session that runs', async () => {
    const { parts } = await field({});
    await expect(findSession(parts, '')).rejects.toMatchObject({
      code: 'unknown-session',
      message: 'No session "" runs.',
      hint: 'Running: s1 (mine).',
    });
    await expect(attachSession(parts, '')).rejects.toMatchObject({ code: 'unknown-session' });
  });

  test('to give it up is for sessions of other machines', async () => {
    const tmux = { socket: '/nowhere/tmux', session: 's2' };
    const { project, parts, ended } = await field({}, { id: 's2', owner: 'elsewhere alive', tmux });
    await expect(forgetSession(parts, 's1')).rejects.toMatchObject({ message: 'Session s1 runs on this machine.' });
    expect(await forgetSession(parts, 's2')).toMatchObject({ id: 's2', readiness: 'gone' });
    expect((await project.stores.sessions.get('s2'))?.value.endedAt).toBeDefined();
    expect(ended).toEqual([]);
  });

  test('for a failed delivery takes the one named, its own, or the only one here', async () => {
    const { project, parts } = await field({}, { id: 's2' });
    await project.stores.deliveries.put('fw_1', waiting('s1', 'fw_1'), 0);
    await project.stores.deliveries.put('fw_2', waiting('s0', 'fw_2'), 0);
    expect((await sessionForRedelivery(parts, 'fw_1', 's2')).id).toBe('s2');
    expect((await sessionForRedelivery(parts, 'fw_1', undefined)).id).toBe('s1');
    await expect(sessionForRedelivery(parts, 'fw_2', undefined)).rejects.toMatchObject({
      code: 'session-gone',
      hint: 'Name another with --to.',
    });
    await expect(sessionForRedelivery(parts, 'fw_3', undefined)).rejects.toMatchObject({ code: 'bad-usage' });
    const only = await field({ id: 's5' }, { id: 's6', owner: 'elsewhere alive' });
    await only.project.stores.deliveries.put('fw_2', waiting('s0', 'fw_2'), 0);
    expect((await sessionForRedelivery(only.parts, 'fw_2', undefined)).id).toBe('s5');
  });
});

describe('a host for a session', () => {
  test('is not started where one listens', async () => {
    const { parts, place, requests } = await field();
    const { socket, record } = await place(ONE);
    const server = await serveSocket(socket, () => undefined);
    await ensureHost(parts, record);
    expect(requests).toEqual([]);
    await server.close();
  });

  test('is started anew where the agent lives on in tmux', async () => {
    const { project, parts, place, requests } = await field();
    const more = { owner: 'here gone', agentPid: process.pid, cwd: '/elsewhere' };
    const { tmux, record } = await place(ONE, { ...more, tmux: { socket: '/run/tmux', session: ONE } }, 'my.yaml');
    writeFileSync(tmux.socket, '');
    await ensureHost(parts, record);
    // From its own note, not from its record.
    const terms = { fleet: undefined, allowVolatile: false, allowPlainRedis: false };
    const request = { kind: 'take-over', session: ONE, agent: 'mine', config: join(project.cwd, 'my.yaml'), ...terms };
    expect(requests).toEqual([{ request, cwd: project.cwd }]);
  });

  test('is not started for a session whose folder is not where sessions are kept', async () => {
    const more = { id: ONE, owner: 'here gone', folder: '/run/another', agentPid: process.pid };
    const { parts, requests } = await field(more);
    await expect(ensureHost(parts, fakeRecord(more))).rejects.toMatchObject({
      code: 'bad-usage',
      message: `The folder of session ${ONE} is not where sessions are kept here.`,
    });
    expect(requests).toEqual([]);
  });

  test('cannot be started where the agent is gone, too, or on another machine', async () => {
    const gone = await field({ owner: 'here gone' });
    await expect(ensureHost(gone.parts, fakeRecord({ owner: 'here gone' }))).rejects.toMatchObject({
      code: 'session-gone',
      message: 'Session s1 is gone: its host died, and its agent with it.',
    });
    const far = await field({ owner: 'elsewhere alive' });
    await expect(ensureHost(far.parts, fakeRecord({ owner: 'elsewhere alive' }))).rejects.toMatchObject({
      code: 'bad-usage',
      message: 'Session s1 runs on build7, and cannot be reached from here.',
    });
  });
});

describe('attaching', () => {
  const tmux = { socket: '/run/s2/tmux', session: 's2' };
  const view = (more: Partial<SessionRecord>) => ({ ...fakeRecord(more), deliveries: [], waiting: [] });

  test('without an id takes the only session in tmux here', () => {
    const far = { ...view({ id: 's3', tmux }), on: 'build7' };
    expect(sessionToAttach([view({}), view({ id: 's2', tmux }), far], undefined).id).toBe('s2');
    expect(() => sessionToAttach([view({ tmux }), view({ id: 's2', tmux })], undefined)).toThrow('More than one');
  });

  test('a session that is not in tmux is refused', async () => {
    const { parts, commands } = await field({});
    await expect(attachSession(parts, 's1')).rejects.toMatchObject({
      message: 'Session s1 runs in another terminal, not in tmux.',
    });
    expect(commands).toEqual([]);
  });

  test('ends with the exit code of an agent that ended meanwhile', async () => {
    const { project, parts, place, commands } = await field();
    const { tmux: own, socket } = await place(TWO, { tmux });
    const server = await serveSocket(socket, () => undefined);
    const runInTerminal: ClientParts['runInTerminal'] = async (command) => {
      commands.push(command);
      const ended = fakeRecord({ id: TWO, tmux, exitStatus: 7, endedAt: '2027-01-15T09:00:00.000Z' });
      await project.stores.sessions.put(TWO, ended, 1);
    };
    expect(await attachSession({ ...parts, runInTerminal }, undefined)).toBe(7);
    expect(commands).toEqual([['tmux', '-S', own.socket, 'attach', TWO]]);
    await server.close();
  });
});

test('cleaning removes the folders of sessions that are gone, and no other', async () => {
  const foreign = temporaryFolder();
  const { parts, place } = await field({ id: 's00000003', folder: foreign, owner: 'here gone' });
  const gone = await place(ONE, { owner: 'here gone' });
  const runs = await place(TWO);
  const { folder } = gone;
  expect(await cleanProject(parts, { isOnlyExpired: false })).toEqual({ removed: [], refused: [], folders: [folder] });
  expect([folder, runs.folder, foreign].map(existsSync)).toEqual([false, true, true]);
});

test('cleaning keeps the folder of a session whose host replies, whatever its record holds', async () => {
  const { parts, place } = await field();
  const { socket, folder } = await place(ONE, { endedAt: '2027-01-15T09:00:00.000Z' });
  const server = await serveSocket(socket, () => undefined);
  expect(await cleanProject(parts, { isOnlyExpired: false })).toMatchObject({ folders: [] });
  expect(existsSync(folder)).toBe(true);
  await server.close();
});
