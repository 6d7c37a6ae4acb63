import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeEmptyTwins } from './empty-twin.ts';

let folder = '';
let chats = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-twin-'));
  chats = join(folder, 'tmp/shop/chats');
  mkdirSync(chats, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, ...records: readonly object[]) =>
  writeFileSync(join(chats, name), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
const about = (sessionId: string) => ({ sessionId, projectHash: 'x', kind: 'main' });
const SET_UP = { $set: { messages: [{ id: '1', type: 'user', content: [{ text: '<session_context>' }] }] } };
const ASKED = { id: '2', type: 'user', content: [{ text: 'Good morning.' }] };
const remove = () =>
  removeEmptyTwins('gemini', { cwd: '/home/ada/shop', startedAt: Date.now() - 60_000 }, () => folder);

test('the second file of a session, without a message, is removed, so that the agent does not delete the conversation', async () => {
  write('session-1-aaaaaaaa.jsonl', about('aaaaaaaa-1'), ASKED);
  write('session-2-aaaaaaaa.jsonl', about('aaaaaaaa-1'), SET_UP);
  await remove();
  expect(readdirSync(chats)).toEqual(['session-1-aaaaaaaa.jsonl']);
});

test('a session that has no message yet, and one with two conversations, stay as they are', async () => {
  write('session-1-aaaaaaaa.jsonl', about('aaaaaaaa-1'), SET_UP);
  write('session-2-bbbbbbbb.jsonl', about('bbbbbbbb-1'), ASKED);
  write('session-3-bbbbbbbb.jsonl', about('bbbbbbbb-1'), SET_UP, ASKED);
  await remove();
  expect(readdirSync(chats)).toHaveLength(3);
});
