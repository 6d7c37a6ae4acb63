import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256 } from '../../system/sha256.ts';
import { transcriptLeft } from './newest.ts';

const CWD = '/home/ada/shop';

let folder = '';
beforeEach(() => {
  folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'foreword-newest-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, ...records: readonly object[]): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return path;
}

const left = (agent: string) => transcriptLeft(agent, { folder, cwd: CWD, startedAt: Date.now() - 60_000 });

const CODEX_DAY = 'sessions/2026/11/19';
const ofCodex = (session: string, more: object = {}) => ({
  type: 'session_meta',
  payload: { session_id: session, cwd: CWD, thread_source: 'user', ...more },
});

test('a session of Codex or Gemini CLI is named by the id that its hooks have, not by the path of its file', async () => {
  const codex = write(`${CODEX_DAY}/rollout-2026-11-19T03-47-27-01a1f1ea-a01f.jsonl`, ofCodex('01a1f1ea-a01f'));
  expect(await left('codex')).toEqual({ session: '01a1f1ea-a01f', transcript: codex });
  const about = { sessionId: '6cecb715-1f4e-4d5b', projectHash: sha256(CWD), kind: 'main' };
  const gemini = write('tmp/shop/chats/session-2026-11-19T03-47-6cecb715.jsonl', about);
  expect(await left('gemini')).toEqual({ session: '6cecb715-1f4e-4d5b', transcript: gemini });
});

test('sessions of other folders and sub-agents beside it are not taken for it', async () => {
  write(`${CODEX_DAY}/rollout-1-other.jsonl`, ofCodex('other', { cwd: '/home/ada/blog' }));
  write(`${CODEX_DAY}/rollout-2-helper.jsonl`, ofCodex('own', { thread_source: 'subagent' }));
  const own = write(`${CODEX_DAY}/rollout-3-own.jsonl`, ofCodex('own'));
  expect(await left('codex')).toEqual({ session: 'own', transcript: own });
});

const ofGemini = (sessionId: string) => ({ sessionId, projectHash: sha256(CWD), kind: 'main' });
const ASKED = { id: '2', type: 'user', content: [{ text: 'Good morning.' }] };
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('after a clearing without hooks the conversation that followed it is known', async () => {
  const cleared = write('tmp/shop/chats/session-1-aaaaaaaa.jsonl', ofGemini('aaaaaaaa-1'), ASKED);
  utimesSync(cleared, new Date(), new Date(Date.now() - 10_000));
  const next = write('tmp/shop/chats/session-2-bbbbbbbb.jsonl', ofGemini('bbbbbbbb-1'), ASKED);
  expect(await left('gemini')).toEqual({ session: 'bbbbbbbb-1', transcript: next });
});

test('of two sessions that went on beside one another nobody knows which it was', async () => {
  const one = write('tmp/shop/chats/session-1-aaaaaaaa.jsonl', ofGemini('aaaaaaaa-1'), ASKED);
  write('tmp/shop/chats/session-2-bbbbbbbb.jsonl', ofGemini('bbbbbbbb-1'), ASKED);
  await wait(20);
  appendFileSync(one, `${JSON.stringify(ASKED)}\n`);
  expect(await left('gemini')).toBeUndefined();
});
