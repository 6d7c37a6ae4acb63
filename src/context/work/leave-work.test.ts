// Sessions in terminals of ours, whose agent has no hooks: what is said of them while they go on, and what they leave.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NEWEST_SESSION } from '../../kernel/session-work.ts';
import { work } from '../../stores/contract/samples.ts';
import { memoryStores } from '../../stores/memory.ts';
import { sessionPlace } from '../../system/files/project-state.ts';
import { ownerOf } from '../../system/processes/owner.ts';
import { keepWork } from './keep-work.ts';
import { workId, writeKeptWork } from './kept-works.ts';
import { leaveWork } from './leave-work.ts';
import { runningWork } from './running-work.ts';
import { startupWorks, type WorksAsk, type WorksReader } from './startup-works.ts';
import { foldWorks } from './store-works.ts';

const HOUR_MS = 3_600_000;

let root = '';
let transcript = '';
let ahead = 0;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'foreword-leave-'));
  ahead = 0;
  const folder = join(root, '.copilot/session-state/one');
  mkdirSync(folder, { recursive: true });
  transcript = join(folder, 'events.jsonl');
  const edit = { toolCallId: 't0', success: true, fileEdits: [{ path: join(root, 'src/a.ts') }] };
  writeFileSync(
    transcript,
    [
      { type: 'user.message', data: { content: 'begin' } },
      { type: 'tool.execution_complete', data: edit },
    ]
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(''),
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function asking(): WorksAsk {
  return {
    ...{ root, folder: join(root, 'state'), tree: 'main', searchPath: process.env.PATH, env: { HOME: root } },
    ...{ isAuto: true, isAcross: true, me: undefined, redact: (text) => text, isLate: () => false },
    now: () => Date.now() + ahead,
    openDatabase: () => Promise.reject(new Error('none')),
  };
}

const left = (session = 'one', path = transcript) => ({
  agent: 'copilot',
  startedAt: Date.now() - 1000,
  find: async () => ({ session, transcript: path }),
});

test('a session that another agent took the screen from is not told to others as over, however long it waits', async () => {
  const stores = memoryStores();
  expect(await runningWork(left(), asking(), async () => stores)).not.toEqual([]);
  ahead = HOUR_MS;
  expect((await startupWorks(stores, asking())).works).toEqual([]);
  ahead = 0;
  await leaveWork(left(), asking(), async () => stores);
  const { works } = await startupWorks(stores, asking());
  expect(works).toHaveLength(1);
  expect(works[0]).not.toHaveProperty('isCutOff');
});

test('a session that ends beside another one of the same agent leaves its own record, and the other goes on', async () => {
  const stores = memoryStores();
  const others = join(dirname(dirname(transcript)), 'other/events.jsonl');
  mkdirSync(dirname(others));
  copyFileSync(transcript, others);
  const other = { agent: 'copilot', session: 'other', transcript: others, root, owner: ownerOf(process.ppid) };
  await keepWork({ ...other, event: 'start' }, asking());
  await leaveWork(left(), asking(), async () => stores);
  expect((await startupWorks(stores, asking())).works).toHaveLength(1);
  // Nor when its transcript is the only one that is found.
  await leaveWork(left('other', others), asking(), async () => stores);
  expect((await startupWorks(stores, asking())).works).toHaveLength(1);
});

test('a conversation that follows a clearing is not told what was cleared; the next session is', async () => {
  const stores = memoryStores();
  const owner = ownerOf(process.ppid);
  const cleared = { agent: 'copilot', session: 'one', transcript, root, owner };
  await keepWork({ ...cleared, event: 'start' }, asking());
  await keepWork({ ...cleared, event: 'end' }, asking());
  await keepWork({ ...cleared, session: 'two', transcript: undefined, event: 'start' }, asking());
  const told = async (reader: object) =>
    (await startupWorks(stores, { ...asking(), reader: { agent: 'copilot', session: 'two', ...reader } })).works.length;
  expect(await told({ isCleared: true })).toBe(0);
  expect(await told({ session: 'three' })).toBe(1);
});

test('a conversation that a launch goes on in is not told about itself as another session', async () => {
  const stores = memoryStores();
  const begun = { agent: 'copilot', session: 'one', transcript, root, owner: undefined };
  await keepWork({ ...begun, event: 'end' }, asking());
  const told = async (reader: WorksReader) => (await startupWorks(stores, { ...asking(), reader })).works.length;
  expect(await told({ agent: 'copilot', resumed: 'one' })).toBe(0);
  expect(await told({ agent: 'copilot', resumed: 'two' })).toBe(1);
  expect(await told({ agent: 'codex', resumed: 'one' })).toBe(1);
  // `--continue` names none.
  expect(await told({ agent: 'copilot', resumed: NEWEST_SESSION })).toBe(0);
  expect(await told({ agent: 'codex', resumed: NEWEST_SESSION })).toBe(1);
});

test('a session whose hooks kept it is the same session when its host looks at its transcript, also in older records', async () => {
  const stores = memoryStores();
  const begun = { agent: 'copilot', session: 'its-id', transcript, root, owner: ownerOf(process.pid) };
  await keepWork({ ...begun, event: 'start' }, asking());
  expect(await runningWork(left(transcript), asking(), async () => stores)).toEqual(['Edited: src/a.ts']);
  await keepWork({ ...begun, event: 'end' }, asking());
  await leaveWork(left(transcript), asking(), async () => stores);
  expect((await stores.works.list()).map(({ id }) => id)).toEqual([workId('copilot', 'its-id')]);
  // Until now the host kept one of its own.
  await keepWork({ ...begun, session: transcript, event: 'end' }, asking());
  const [first] = (await stores.works.list()).map(({ value }) => value);
  if (first !== undefined) await stores.works.put('older', { ...first, id: workId('copilot', transcript) }, 0);
  expect((await startupWorks(stores, asking())).works).toHaveLength(1);
});

test('a session in a terminal of ours is running as long as that answers, whichever process called its hooks', async () => {
  const stores = memoryStores();
  const host = 's01234567';
  const { folder, socket } = sessionPlace(host, { home: root, temporary: tmpdir() });
  mkdirSync(folder, { recursive: true });
  const server = createServer((peer) => peer.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  const gone = ownerOf(process.pid)?.replace(/ \d+ (?=\S+$)/, ' 1 ');
  const begun = { agent: 'copilot', session: 'one', transcript, root, owner: gone, host };
  await keepWork({ ...begun, event: 'start' }, asking());
  expect((await startupWorks(stores, asking())).works).toEqual([]);
  // Its host saw it end.
  await leaveWork({ ...left(), host }, asking(), async () => stores);
  const { works } = await startupWorks(stores, asking());
  expect(works).toHaveLength(1);
  expect(works[0]).not.toHaveProperty('isCutOff');
  await new Promise((resolve) => server.close(resolve));
});

test('a session that was thought to have broken off and goes on is not told to others until it ends', async () => {
  const stores = memoryStores();
  const begun = { agent: 'copilot', session: 'one', transcript, root };
  const gone = ownerOf(process.pid)?.replace(/ \d+ (?=\S+$)/, ' 1 ');
  await keepWork({ ...begun, owner: gone, event: 'start' }, asking());
  await foldWorks(asking(), async () => stores);
  expect((await startupWorks(stores, asking())).works).toMatchObject([{ isCutOff: true }]);
  await keepWork({ ...begun, owner: ownerOf(process.pid), event: 'start' }, asking());
  await keepWork({ ...begun, owner: ownerOf(process.pid), event: 'turn' }, asking());
  expect((await startupWorks(stores, asking())).works).toEqual([]);
  await keepWork({ ...begun, owner: gone, event: 'end' }, asking());
  expect((await startupWorks(stores, asking())).works).toMatchObject([{ facts: { promptCount: 1 } }]);
});

test('a session that ended without a prompt leaves nothing, also where a record of it was stored before', async () => {
  const stores = memoryStores();
  writeFileSync(transcript, '');
  const begun = { agent: 'copilot', session: 'one', transcript, root, owner: undefined };
  await keepWork({ ...begun, event: 'start' }, asking());
  const kept = await keepWork({ ...begun, event: 'end' }, asking());
  const ghost = { id: workId('copilot', 'one'), kind: 'session', agent: 'copilot', isCutOff: true } as const;
  const storedAt = kept.startedAt - 1;
  const [startedAt, endedAt] = [new Date(storedAt).toISOString(), new Date(storedAt).toISOString()];
  const { facts } = work('one');
  await stores.works.put(ghost.id, { ...ghost, startedAt, endedAt, ...(facts === undefined ? {} : { facts }) }, 0);
  writeKeptWork(join(root, 'state'), { ...kept, storedAt });
  expect((await startupWorks(stores, asking())).works).toEqual([]);
  await foldWorks(asking(), async () => stores);
  expect((await stores.works.get(ghost.id))?.value).not.toHaveProperty('facts');
});

test('a start that failed and a session that was left without a prompt are no sessions, also with files that are not committed', async () => {
  execFileSync('git', ['init', '-q'], { cwd: root });
  const stores = memoryStores();
  await leaveWork({ ...left(), find: async () => undefined }, asking(), async () => stores);
  const named = join(dirname(transcript), 'never-written.jsonl');
  const begun = { agent: 'copilot', session: 'two', transcript: named, root, owner: undefined };
  await keepWork({ ...begun, event: 'start' }, asking());
  await keepWork({ ...begun, event: 'end' }, asking());
  expect((await startupWorks(stores, asking())).works).toEqual([]);
});

test('of an agent whose transcript nobody can read a session counts when a file changed in it', async () => {
  execFileSync('git', ['init', '-q'], { cwd: root });
  writeFileSync(join(root, '.git/info/exclude'), '.copilot/\nstate/\n');
  writeFileSync(join(root, 'old.ts'), 'x');
  utimesSync(join(root, 'old.ts'), new Date(0), new Date(0));
  const stores = memoryStores();
  const told = async (startedAt: number) => {
    const before = (await stores.works.list()).length;
    await leaveWork({ agent: 'aider', startedAt, find: async () => undefined }, asking(), async () => stores);
    return (await stores.works.list()).length - before;
  };
  expect(await told(Date.now() - 1000)).toBe(0);
  rmSync(join(root, 'state'), { recursive: true });
  writeFileSync(join(root, 'a.ts'), 'x');
  expect(await told(Date.now() - 1000)).toBe(1);
});
