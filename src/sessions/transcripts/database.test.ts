// An agent's database, made here as the agent makes it, written to while it is read.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TRANSCRIPTS } from '../../agents/transcripts.ts';
import type { TranscriptReader } from '../../kernel/transcript.ts';
import { openForeignDatabase } from '../../stores/sqlite/foreign.ts';
import { proofIn } from '../proof-search.ts';
import { type OpenOptions, openTranscript } from './open.ts';

const CWD = '/home/ada/shop';
const SCHEMA = `
  PRAGMA journal_mode=WAL;
  CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, time_updated integer NOT NULL);
  CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
  CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
  CREATE INDEX part_session_idx ON part (session_id);`;

let home = '';
let file = '';
let agent: Libsql.Database;
const open: TranscriptReader[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'foreword-opencode-'));
  mkdirSync(join(home, '.local/share/opencode'), { recursive: true });
  file = join(home, '.local/share/opencode/opencode.db');
  agent = create();
  session('ses_1', CWD, null);
});
afterEach(() => {
  for (const reader of open.splice(0)) reader.close();
  agent.close();
  rmSync(home, { recursive: true });
});

function create(): Libsql.Database {
  const database = new Libsql(file);
  database.exec(SCHEMA);
  return database;
}

function session(id: string, directory: string, parent: string | null): void {
  agent.prepare('INSERT INTO session VALUES (?, ?, ?, 5000)').run(id, parent, directory);
  message(`${id}_user`, { role: 'user' });
  answer(`${id}_assistant`, `${id}_user`, 1500);
}

function message(id: string, data: object): void {
  agent.prepare('INSERT INTO message VALUES (?, ?, 5000, ?)').run(id, sessionOf(id), JSON.stringify(data));
}

function answer(id: string, parentID: string, at: number): void {
  message(id, { role: 'assistant', parentID });
  part(`${id}_begun`, at, { type: 'step-start' }, id);
}

function sessionOf(messageId: string): string {
  return messageId.split('_').slice(0, 2).join('_');
}

function part(id: string, changedAt: number, data: unknown, of = 'ses_1_user'): void {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  agent.prepare('INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?)').run(id, of, sessionOf(of), changedAt, text);
}

function start(more: Partial<OpenOptions> = {}): TranscriptReader {
  const spec = TRANSCRIPTS.opencode;
  if (spec === undefined) throw new Error('no format');
  const options = { home, cwd: CWD, startedAfterMs: 1000, openDatabase: openForeignDatabase, ...more };
  const reader = openTranscript(spec, options);
  open.push(reader);
  return reader;
}

const textsOf = async (reader: TranscriptReader) =>
  (await reader.poll()).filter(({ role }) => role !== '').map(({ text }) => text);
const typed = (text: string) => ({ type: 'text', text });

test('what the agent keeps proves what its transcript would', async () => {
  const lines = readFileSync(join(import.meta.dirname, '../../agents/opencode/transcript.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  for (const line of lines) {
    const row = JSON.parse(line) as { role: string; id: string; changedAt: number; part: unknown };
    part(row.id, row.changedAt, row.part, `ses_1_${row.role}`);
  }
  const texts = await start().poll();
  expect(texts[0]).toEqual({
    kind: 'given',
    role: 'user',
    text: expect.stringContaining('fw_typed1'),
    sessionId: 'ses_1',
    at: '1004',
    evidence: '~/.local/share/opencode/opencode.db prt_1',
  });
  expect(proofIn(texts, { id: 'fw_typed1', replyCode: '7QX4', channels: ['typed'] })).toEqual({
    proof: 'acknowledged',
    evidence: '~/.local/share/opencode/opencode.db prt_6',
  });
});

test('rows are returned when they come and when they change, several in one millisecond, each once', async () => {
  const reader = start();
  expect(await textsOf(reader)).toEqual([]);
  part('p1', 2000, typed('one'));
  part('p2', 2000, typed('two'));
  expect(await textsOf(reader)).toEqual(['one', 'two']);
  expect(await textsOf(reader)).toEqual([]);
  part('p3', 2000, typed('three'));
  expect(await textsOf(reader)).toEqual(['three']);
  part('p1', 2001, typed('one, longer'));
  expect(await textsOf(reader)).toEqual(['one, longer']);
});

test('a message that waits behind an answer is returned once that has a reply itself, and not again', async () => {
  const reader = start();
  message('ses_1_user2', { role: 'user' });
  part('p1', 2000, typed('waits'), 'ses_1_user2');
  part('p2', 2100, typed('a long answer'), 'ses_1_assistant');
  expect(await textsOf(reader)).toEqual(['a long answer']);
  // Its answer is there, but nothing came from the model yet.
  message('ses_1_xanswer', { role: 'assistant', parentID: 'ses_1_user2' });
  part('p2', 2900, typed('a long answer, ended'), 'ses_1_assistant');
  expect(await textsOf(reader)).toEqual(['a long answer, ended']);
  part('p3', 3000, { type: 'step-start' }, 'ses_1_xanswer');
  expect(await textsOf(reader)).toEqual(['waits']);
  part('p4', 3100, typed('answered'), 'ses_1_xanswer');
  expect(await textsOf(reader)).toEqual(['answered']);
  part('p5', 3200, { type: 'step-finish' }, 'ses_1_xanswer');
  expect(await textsOf(reader)).toEqual([]);
});

test('a shell command of the person is no answer of a model to what was sent before it', async () => {
  const reader = start();
  message('ses_1_user2', { role: 'user' });
  part('p1', 2000, typed('[fw_typed1] refused'), 'ses_1_user2');
  message('ses_1_user3', { role: 'user' });
  part(
    'p2',
    2500,
    { type: 'text', text: 'The following tool was executed by the user', synthetic: true },
    'ses_1_user3',
  );
  message('ses_1_xshell', { role: 'assistant', parentID: 'ses_1_user3' });
  part('p3', 2600, { type: 'tool', tool: 'bash', state: { status: 'completed', output: 'ok' } }, 'ses_1_xshell');
  const texts = await reader.poll();
  expect(proofIn(texts, { id: 'fw_typed1' })?.proof).not.toBe('served');
  expect(texts.filter(({ kind }) => kind === 'reply')).toEqual([]);
  answer('ses_1_xyanswer', 'ses_1_user3', 3000);
  part('p4', 3100, typed('answered'), 'ses_1_xyanswer');
  expect(proofIn([...texts, ...(await reader.poll())], { id: 'fw_typed1' })?.proof).toBe('served');
});

test('messages sent one after the other are given together with the answer to the last', async () => {
  for (const id of ['ses_1_user2', 'ses_1_user3', 'ses_1_user4']) {
    message(id, { role: 'user' });
    part(`${id}_p`, 2000, typed(id), id);
  }
  answer('ses_1_xanswer', 'ses_1_user3', 2500);
  expect(await textsOf(start())).toEqual(['ses_1_user2', 'ses_1_user3']);
});

test.each([3, 1300])('more rows than one look takes all come, %i in a millisecond', async (together) => {
  agent.exec('BEGIN');
  const count = 5100;
  for (let index = 0; index < count; index += 1)
    part(`p${String(index).padStart(5, '0')}`, 2000 + Math.floor(index / together), typed(`${index}`));
  agent.exec('COMMIT');
  const reader = start();
  const all: string[] = [];
  for (let round = 0; round < 8; round += 1) all.push(...(await textsOf(reader)));
  expect(all).toEqual(Array.from({ length: count }, (_, index) => String(index)));
});

test('of other folders, of before the session, and of sub-agents is returned as such or not at all', async () => {
  session('ses_2', '/home/ada/other', null);
  session('ses_3', CWD, 'ses_1');
  part('p1', 2000, typed('other folder'), 'ses_2_user');
  part('p2', 999, typed('before'));
  part('p3', 2000, typed('of a sub-agent'), 'ses_3_user');
  expect((await start().poll()).map(({ text, isSubagent }) => [text, isSubagent])).toEqual([['of a sub-agent', true]]);
  expect(await textsOf(start({ sessionId: 'ses_2' }))).toEqual(['other folder']);
});

test('bytes that are no text, and rows that are no JSON, are survived', async () => {
  part('p1', 2000, 'not JSON');
  agent.exec("INSERT INTO part VALUES ('p2', 'ses_1_user', 'ses_1', 2000, CAST(X'7B22FFC328' AS TEXT))");
  agent.exec("INSERT INTO message VALUES ('ses_1_bad', 'ses_1', 1, 'not JSON')");
  part('p3', 2000, typed('unknown role'), 'ses_1_bad');
  part('p4', 2001, typed('right'));
  expect(await textsOf(start())).toEqual(['right']);
});

test('nothing is written to it, and the agent goes on writing', async () => {
  part('p1', 2000, typed('one'));
  agent.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const before = statSync(file).mtimeMs;
  const reader = start();
  expect(await textsOf(reader)).toEqual(['one']);
  reader.close();
  expect(statSync(file).mtimeMs).toBe(before);
  const direct = await openForeignDatabase(file);
  expect(() => direct.all("INSERT INTO session VALUES ('x', NULL, 'y', 1)")).toThrow();
  direct.close();
  part('p2', 2001, typed('two'));
  expect(await textsOf(start())).toEqual(['one', 'two']);
});

test('a file that is missing, no database, or replaced by another one is survived', async () => {
  const reader = start();
  part('p1', 2000, typed('one'));
  expect(await textsOf(reader)).toEqual(['one']);
  agent.close();
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  expect(await textsOf(reader)).toEqual([]);
  writeFileSync(file, 'no database at all, but long enough to be taken for one'.repeat(20));
  expect(await textsOf(reader)).toEqual([]);
  expect(reader.notes).toHaveLength(1);
  rmSync(file);
  agent = create();
  session('ses_1', CWD, null);
  part('p9', 3000, typed('of the new one'));
  expect(await textsOf(reader)).toEqual(['of the new one']);
});

test('without somebody who can open a database nothing is read', async () => {
  part('p1', 2000, typed('one'));
  const { openDatabase: _, ...rest } = { home, cwd: CWD, startedAfterMs: 0, openDatabase: undefined };
  const spec = TRANSCRIPTS.opencode;
  expect(spec === undefined ? undefined : await openTranscript(spec, rest).poll()).toEqual([]);
});
