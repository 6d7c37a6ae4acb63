// Sessions that are over, with a real repository and a made-up database of the agent.

import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type EndedAt, endedWorks } from './ended-works.ts';
import { keepWork } from './keep-work.ts';
import { newKeptWork, readKeptWork, workId, writeKeptWork } from './kept-works.ts';

const MINUTE_MS = 60_000;
const STARTED_AT = Date.parse('2026-11-01T10:00:00Z');

let root = '';
let folder = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'foreword-ended-'));
  folder = join(root, 'state');
  git(STARTED_AT - MINUTE_MS, 'init', '-q');
  commit(STARTED_AT - MINUTE_MS, 'first');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function git(at: number, ...args: string[]): string {
  const date = new Date(at).toISOString();
  const who = { NAME: 'a', EMAIL: 'a@example.com', DATE: date };
  const env = Object.entries(who).flatMap(([key, value]) =>
    ['AUTHOR', 'COMMITTER'].map((role) => [`GIT_${role}_${key}`, value]),
  );
  return execFileSync('git', args, {
    cwd: root,
    env: { ...process.env, ...Object.fromEntries(env) },
    encoding: 'utf8',
  });
}

function commit(at: number, subject: string): void {
  git(at, 'commit', '-q', '--allow-empty', '-m', subject);
}

/** One prompt and one edit, which the agent wrote down at this time. */
function looking(writtenAt: number, isLate = () => false): EndedAt {
  const parts = [
    { role: 'user', part: { type: 'text', text: 'begin' } },
    {
      role: 'assistant',
      part: {
        ...{ type: 'tool', tool: 'write', callID: 'c1' },
        state: { status: 'completed', input: { filePath: join(root, 'src/a.ts') }, metadata: {} },
      },
    },
  ];
  const rows = parts.map((record, index) => ({ cursor: `p${index}`, at: writtenAt, record: JSON.stringify(record) }));
  return {
    ...{ root, folder, tree: 'main', searchPath: process.env.PATH, env: { HOME: root } },
    redact: (text) => text,
    now: () => STARTED_AT + 60 * MINUTE_MS,
    isLate,
    openDatabase: async () => ({
      all: (_sql, _session, cursor) => (cursor === '' ? rows : []),
      close: () => undefined,
    }),
  };
}

function leave(): void {
  writeKeptWork(folder, {
    ...newKeptWork('opencode', 'one', STARTED_AT),
    head: git(STARTED_AT, 'rev-parse', 'HEAD').trim(),
  });
}

test('a session that was killed in its first turn has the commits of that turn, and none that came after it', async () => {
  leave();
  commit(STARTED_AT + MINUTE_MS, 'of the session');
  commit(STARTED_AT + 30 * MINUTE_MS, 'of somebody later');
  const [ended] = await endedWorks(looking(STARTED_AT + MINUTE_MS + 500));
  expect(ended?.work?.facts?.commits).toEqual([expect.stringMatching(/^\w+ of the session$/)]);
  expect(ended?.work).toMatchObject({ isCutOff: true, endedAt: new Date(STARTED_AT + MINUTE_MS + 500).toISOString() });
});

/** There is time for the transcript, and for nothing else. */
function hurried(): EndedAt {
  let looks = 0;
  return looking(STARTED_AT + 2 * MINUTE_MS, () => {
    looks += 1;
    return looks > 1;
  });
}

test('the commit of a session is known when there is no time to ask git', async () => {
  leave();
  commit(STARTED_AT + MINUTE_MS, 'of the session');
  commit(STARTED_AT + 30 * MINUTE_MS, 'of somebody later');
  const [first] = await endedWorks(hurried());
  expect(first?.work?.facts).toMatchObject({
    commits: [expect.stringMatching(/^\w{7} of the session$/)],
    missing: ['uncommitted files, for which there was no time'],
  });
  const [again] = await endedWorks(looking(STARTED_AT + 2 * MINUTE_MS));
  expect(again?.work?.facts).toMatchObject({ commits: first?.work?.facts?.commits, missing: [] });
});

test('what git had no time to say is asked for at the next look, and said to be missing until then', async () => {
  leave();
  commit(STARTED_AT + MINUTE_MS, 'of the session');
  // Its files are gone into a pack, which only git reads.
  git(STARTED_AT, 'gc', '-q', '--prune=now');
  const [first] = await endedWorks(hurried());
  expect(first?.work?.facts).toMatchObject({
    commits: [],
    missing: ['commits and uncommitted files, for which there was no time'],
  });
  const [again] = await endedWorks(looking(STARTED_AT + 2 * MINUTE_MS));
  expect(again?.work?.facts).toMatchObject({ commits: [expect.stringContaining('of the session')], missing: [] });
  expect(readKeptWork(folder, workId('opencode', 'one'))?.git?.commits).toHaveLength(1);
});

test("files of the person's own ignore lists are not among those that are not committed", async () => {
  leave();
  mkdirSync(join(root, '.config/git'), { recursive: true });
  writeFileSync(join(root, '.config/git/ignore'), '.config/\nnotes.txt\nstate/\n');
  writeFileSync(join(root, '.git/info/exclude'), 'scratch.txt\n');
  for (const name of ['notes.txt', 'scratch.txt', 'work.txt']) writeFileSync(join(root, name), 'x');
  const [ended] = await endedWorks(looking(STARTED_AT + MINUTE_MS));
  expect(ended?.work?.facts?.uncommitted).toEqual(['work.txt']);
});

/** Copilot writes its log in batches; the last one comes after the hook at its end. */
const record = (type: string, data: object) => `${JSON.stringify({ type, data })}\n`;
const RAN = { toolCallId: 't1', toolName: 'bash', arguments: { command: 'npm test -- health' } };
const FAILED = {
  ...{ toolCallId: 't1', success: true, shellExecution: { exitCode: 1 } },
  result: { content: 'AssertionError: expected 200 but got 404' },
};

async function endedTooEarly(): Promise<string> {
  const transcript = join(root, '.copilot/session-state/one/events.jsonl');
  mkdirSync(dirname(transcript), { recursive: true });
  const edit = { toolCallId: 't0', success: true, fileEdits: [{ path: join(root, 'src/a.ts') }] };
  writeFileSync(
    transcript,
    record('user.message', { content: 'begin' }) +
      record('tool.execution_complete', edit) +
      record('tool.execution_start', RAN),
  );
  const moment = { agent: 'copilot', session: 'one', transcript, root, owner: undefined };
  await keepWork({ ...moment, event: 'end' }, looking(STARTED_AT));
  return transcript;
}

test('a failing test that the agent wrote down after the hook of its end is told to the next session', async () => {
  const transcript = await endedTooEarly();
  appendFileSync(transcript, record('tool.execution_complete', FAILED));
  const [ended] = await endedWorks(looking(STARTED_AT));
  expect(ended?.work?.facts).toMatchObject({
    files: [{ path: 'src/a.ts' }],
    commands: [{ command: 'npm test -- health', isFailed: true, error: 'AssertionError: expected 200 but got 404' }],
  });
});

test('an edit that the agent wrote into its database after the hook of its end is told to the next session', async () => {
  const whole = looking(STARTED_AT);
  const rows = (await whole.openDatabase('')).all('', 'one', '');
  const database = (some: typeof rows) => async () => ({
    all: (_sql: string, _session: unknown, after: unknown) => some.filter((row) => String(row.cursor) > String(after)),
    close: () => undefined,
  });
  const moment = { agent: 'opencode', session: 'one', transcript: undefined, root, owner: undefined };
  await keepWork({ ...moment, event: 'end' }, { ...whole, openDatabase: database(rows.slice(0, 1)) });
  const [ended] = await endedWorks({ ...whole, openDatabase: database(rows) });
  expect(ended?.work?.facts).toMatchObject({ prompts: ['begin'], files: [{ path: 'src/a.ts', edits: 1 }] });
});

test('a record that is in the store is made again when its transcript became longer, and only then', async () => {
  const transcript = await endedTooEarly();
  const store = (): void => {
    const kept = readKeptWork(folder, workId('copilot', 'one'));
    if (kept?.endedAt !== undefined) writeKeptWork(folder, { ...kept, storedAt: kept.endedAt });
  };
  expect(await endedWorks(looking(STARTED_AT))).toHaveLength(1);
  store();
  expect(await endedWorks(looking(STARTED_AT))).toEqual([]);
  appendFileSync(transcript, record('tool.execution_complete', FAILED));
  const [again] = await endedWorks(looking(STARTED_AT));
  expect(again?.work?.facts?.commands).toHaveLength(1);
  expect(again?.kept.endedAt).not.toBe(again?.kept.storedAt);
  store();
  expect(await endedWorks(looking(STARTED_AT))).toEqual([]);
  // Half a line, as of an agent that was killed, brings nothing new.
  appendFileSync(transcript, '{"type":"session.sh');
  expect(await endedWorks(looking(STARTED_AT))).toEqual([]);
});

test('a session ended when it was last worked in, whatever the agent writes into its transcript at a later start', async () => {
  const transcript = join(root, '.gemini/tmp/shop/chats/session-1-aaaaaaaa.jsonl');
  mkdirSync(dirname(transcript), { recursive: true });
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  const asked = (minutes: number, text: string) =>
    line({ type: 'user', timestamp: new Date(STARTED_AT + minutes * MINUTE_MS).toISOString(), content: [{ text }] });
  writeFileSync(transcript, asked(1, 'begin') + asked(2, 'go on'));
  const moment = { agent: 'gemini', session: 'one', transcript, root, owner: undefined };
  const at = (minutes: number): EndedAt => ({
    ...looking(STARTED_AT),
    now: () => STARTED_AT + minutes * MINUTE_MS,
  });
  await keepWork({ ...moment, event: 'start' }, at(0));
  const endedAt = async () => (await endedWorks(at(600)))[0]?.work?.endedAt;
  utimesSync(transcript, new Date(), new Date(STARTED_AT + 3 * MINUTE_MS));
  expect(await endedAt()).toBe(new Date(STARTED_AT + 2 * MINUTE_MS).toISOString());
  const kept = readKeptWork(folder, workId('gemini', 'one'));
  if (kept?.endedAt !== undefined) writeKeptWork(folder, { ...kept, storedAt: kept.endedAt });
  appendFileSync(transcript, line({ $set: { summary: 'done' } }));
  expect(await endedAt()).toBe(new Date(STARTED_AT + 2 * MINUTE_MS).toISOString());
});
