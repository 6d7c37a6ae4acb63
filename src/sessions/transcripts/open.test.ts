// The reader on real files: growing, torn, rotated, linked, other people's.

import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { scaled } from '../../../test/scale.ts';
import { TRANSCRIPTS } from '../../agents/transcripts.ts';
import type { TranscriptReader } from '../../kernel/transcript.ts';
import { followConversations } from './conversation.ts';
import { LineCutter } from './lines.ts';
import { type OpenOptions, openTranscript } from './open.ts';

const CWD = '/home/ada/shop';
const SESSION = '11111111-2222-4333-8444-555555555555';
const fixture = (agent: string) => readFileSync(join(import.meta.dirname, '../../agents', agent, 'transcript.jsonl'));
/** Where each agent puts it. */
const FILES: Readonly<Record<string, string>> = {
  claude: `.claude/projects/-home-ada-shop/${SESSION}.jsonl`,
  codex: `.codex/sessions/2026/11/15/rollout-2026-11-15T12-00-00-${SESSION}.jsonl`,
  gemini: '.gemini/tmp/shop/chats/session-2026-11-15T12-00-11111111.jsonl',
  qwen: `.qwen/projects/-home-ada-shop/chats/${SESSION}.jsonl`,
  copilot: `.copilot/session-state/${SESSION}/events.jsonl`,
  pi: `.pi/agent/sessions/--home-ada-shop--/2026-11-15T12-00-00-000Z_${SESSION}.jsonl`,
};

let home = '';
const open: TranscriptReader[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'foreword-transcripts-'));
});
afterEach(() => {
  for (const reader of open.splice(0)) reader.close();
  rmSync(home, { recursive: true });
});

function start(agent: string, more: Partial<OpenOptions> = {}): TranscriptReader {
  const spec = TRANSCRIPTS[agent];
  if (spec === undefined) throw new Error(agent);
  const reader = openTranscript(spec, { home, cwd: CWD, startedAfterMs: 0, ...more });
  open.push(reader);
  return reader;
}

function put(path: string, content: string | Uint8Array): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

const textsOf = async (reader: TranscriptReader) =>
  (await reader.poll()).filter(({ kind }) => kind !== 'forgotten').map(({ text }) => text);
const claudeLine = (text: string) => `${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`;

describe.each(Object.entries(FILES))('%s', (agent, path) => {
  test('is found where it keeps it, returned with file and line, and returned once', async () => {
    put(path, fixture(agent));
    const reader = start(agent);
    const texts = await reader.poll();
    expect(texts.length).toBeGreaterThan(4);
    expect(new Set(texts.map(({ sessionId }) => sessionId))).toEqual(new Set([SESSION]));
    expect(texts[0]?.evidence).toMatch(/^~\/\.[\w./-]+\.jsonl:\d+$/);
    expect(await reader.poll()).toEqual([]);
    expect(await start(agent, { sessionId: SESSION }).poll()).toEqual(texts);
    expect(await start(agent, { sessionId: '99999999-2222-4333-8444-555555555555' }).poll()).toEqual([]);
    expect(await start(agent, { cwd: '/home/ada/other' }).poll()).toEqual([]);
  });

  test('grows in any pieces, and gives the same texts', async () => {
    const bytes = fixture(agent);
    const file = put(path, bytes);
    const whole = await start(agent).poll();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: bytes.length }), { maxLength: 6 }), async (cuts) => {
        const places = [...new Set([0, ...cuts, bytes.length])].sort((a, b) => a - b);
        rmSync(file);
        writeFileSync(file, '');
        const reader = start(agent, { sessionId: SESSION });
        const texts = [...(await reader.poll())];
        for (const [index, to] of places.entries()) {
          appendFileSync(file, bytes.subarray(places[index - 1] ?? 0, index === 0 ? 0 : to));
          await reader.follow(file);
          texts.push(...(await reader.poll()));
        }
        expect(texts).toEqual(whole);
      }),
      { numRuns: scaled(100) },
    );
  });
});

test('any pieces give the same lines, and a line that is too long costs nothing but itself', () => {
  const bytes = fc.array(fc.constantFrom('a', 'bc', '\n', '\r\n', 'é', '"{}"'), { maxLength: 30 });
  fc.assert(
    fc.property(bytes, fc.array(fc.nat({ max: 60 }), { maxLength: 8 }), (parts, cuts) => {
      const all = new TextEncoder().encode(parts.join(''));
      const shown = (pieces: readonly Uint8Array[]) => {
        const cutter = new LineCutter(5);
        return pieces
          .flatMap((piece) => cutter.push(piece))
          .map(({ number, bytes: line }) => [number, line && [...line]]);
      };
      const places = [...cuts.map((cut) => cut % (all.length + 1)), all.length].sort((a, b) => a - b);
      const pieces = places.map((to, index) => all.subarray(places[index - 1] ?? 0, to));
      expect(shown(pieces)).toEqual(shown([all]));
      const lines = new TextDecoder().decode(all).split('\n').slice(0, -1);
      expect(shown([all]).map(([, line]) => line)).toEqual(
        lines.map((line) => {
          const wanted = [...new TextEncoder().encode(line)];
          return wanted.length > 5 ? undefined : wanted;
        }),
      );
    }),
    { numRuns: scaled(20_000) },
  );
});

describe('a file', () => {
  const path = FILES.claude ?? '';

  test('that appears late is found', async () => {
    const reader = start('claude');
    expect(await textsOf(reader)).toEqual([]);
    put(path, claudeLine('late'));
    await expect.poll(() => textsOf(reader), { timeout: 5000, interval: 50 }).toEqual(['late']);
  });

  test('whose last line is not whole yet waits for it', async () => {
    const file = put(path, claudeLine('one').slice(0, -5));
    const reader = start('claude');
    expect(await textsOf(reader)).toEqual([]);
    appendFileSync(file, claudeLine('one').slice(-5));
    expect(await textsOf(reader)).toEqual(['one']);
  });

  test('that is cut, replaced or written anew is read from its start', async () => {
    const file = put(path, claudeLine('one') + claudeLine('two'));
    const reader = start('claude');
    expect(await textsOf(reader)).toEqual(['one', 'two']);
    truncateSync(file, 0);
    appendFileSync(file, claudeLine('three'));
    expect(await textsOf(reader)).toEqual(['three']);
    writeFileSync(`${file}.new`, claudeLine('three') + claudeLine('four'));
    renameSync(`${file}.new`, file);
    expect(await textsOf(reader)).toEqual(['three', 'four']);
    // In place, and longer than what was read.
    writeFileSync(file, claudeLine('five') + claudeLine('six') + claudeLine('seven'));
    expect(await textsOf(reader)).toEqual(['five', 'six', 'seven']);
    rmSync(file);
    expect(await textsOf(reader)).toEqual([]);
    writeFileSync(file, claudeLine('eight'));
    expect(await textsOf(reader)).toEqual(['eight']);
  });

  test('of a sub-agent is read as its own, though it names the session of its parent', async () => {
    const thread = 'aaaaaaaa-2222-4333-8444-555555555555';
    const lines = [
      { type: 'session_meta', payload: { session_id: SESSION, id: thread, cwd: CWD, thread_source: 'subagent' } },
      { type: 'event_msg', payload: { type: 'task_complete' }, timestamp: '2026-11-15T12:00:00.000Z' },
    ];
    const path = `.codex/sessions/2026/11/15/rollout-2026-11-15T12-00-00-${thread}.jsonl`;
    put(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const texts = await start('codex').poll();
    expect(texts.map(({ kind, isSubagent }) => [kind, isSubagent])).toEqual([['ended', true]]);
  });

  // Copilot CLI 1.0.102: who presses Esc before the answer has the text back in the composer, and the log without it.
  test('that lost its end says that it is read again: answers before that end are none to what stood there', async () => {
    const said = (uuid: string) => `${JSON.stringify({ type: 'assistant', uuid, message: { id: `msg_${uuid}` } })}\n`;
    const before = claudeLine('one') + said('a1') + claudeLine('two') + said('a2');
    const file = put(path, before + claudeLine('[fw_a1] three'));
    const reader = start('claude');
    const first = followConversations({}, await reader.poll());
    writeFileSync(file, before);
    const again = followConversations(first.conversations, await reader.poll());
    expect(again.answered).toEqual([]);
    expect(again.failed.map(({ id, reason }) => [id, reason])).toEqual([
      ['fw_a1', 'the agent took it out of the conversation'],
    ]);
    appendFileSync(file, claudeLine('[fw_a1] three') + said('a3'));
    const last = followConversations(again.conversations, await reader.poll());
    expect(last.answered.map(({ id }) => id)).toEqual(['fw_a1']);
  });

  test('of any bytes is survived, and the lines that are right are read', async () => {
    const bad = Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x7b, 0x0a, 0x5b, 0x31, 0x0a, 0xc3, 0x28, 0x0a, 0x0a]);
    put(
      path,
      Buffer.concat([
        bad,
        Buffer.from(claudeLine('one')),
        bad,
        Buffer.from('null\n3\n"x"\n[]\n'),
        Buffer.from(claudeLine('é')),
      ]),
    );
    expect(await textsOf(start('claude'))).toEqual(['one', 'é']);
  });

  test('is read some megabytes at a time, and nothing is lost', async () => {
    const filler = 'x'.repeat(1024 * 1024);
    put(path, Array.from({ length: 20 }, (_, index) => claudeLine(`${index} ${filler}`)).join(''));
    const reader = start('claude');
    const counts: number[] = [];
    const all: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      const texts = await textsOf(reader);
      counts.push(texts.length);
      all.push(...texts.map((text) => text.split(' ')[0] ?? ''));
    }
    expect(Math.max(...counts)).toBeLessThanOrEqual(8);
    expect(all).toEqual(Array.from({ length: 20 }, (_, index) => String(index)));
  });

  test('may hold a line over 32 MB: it is skipped and noted', async () => {
    put(path, `${claudeLine('one')}${'y'.repeat(33 * 1024 * 1024)}\n${claudeLine('two')}`);
    const reader = start('claude');
    const texts: string[] = [];
    for (let round = 0; round < 6; round += 1) texts.push(...(await textsOf(reader)));
    expect(texts).toEqual(['one', 'two']);
    expect(reader.notes).toEqual([`~/${path}:2: longer than 33554432 bytes, skipped`]);
  });

  test('of before the session began is left alone', async () => {
    const file = put(path, claudeLine('old'));
    utimesSync(file, 1, 1);
    expect(await textsOf(start('claude', { startedAfterMs: Date.now() - 60_000 }))).toEqual([]);
  });

  test('that the agent names is the only one read, when it is its own', async () => {
    const mine = put('.claude/projects/elsewhere/mine.jsonl', claudeLine('mine'));
    put(path, claudeLine('another session'));
    const reader = start('claude');
    expect(await reader.follow('/etc/passwd')).toBe(false);
    expect(await reader.follow(join(home, '.claude/../secret.jsonl'))).toBe(false);
    expect(await reader.follow(mine)).toBe(true);
    expect(await reader.poll()).toMatchObject([{ text: 'mine', sessionId: 'mine' }]);
    expect(await textsOf(reader)).toEqual([]);
  });

  test('is looked for where a variable points', async () => {
    put('moved/projects/-home-ada-shop/a.jsonl', claudeLine('moved'));
    expect(await textsOf(start('claude', { env: { CLAUDE_CONFIG_DIR: join(home, 'moved') } }))).toEqual(['moved']);
  });

  test('or folder that is a link to elsewhere is not read', async () => {
    const outside = put('secret/a.jsonl', claudeLine('secret'));
    mkdirSync(join(home, '.claude/projects/-home-ada-shop'), { recursive: true });
    symlinkSync(outside, join(home, path));
    expect(await textsOf(start('claude'))).toEqual([]);
    const named = start('claude');
    await named.follow(join(home, path));
    expect(await textsOf(named)).toEqual([]);
    rmSync(join(home, '.claude/projects/-home-ada-shop'), { recursive: true });
    symlinkSync(join(home, 'secret'), join(home, '.claude/projects/-home-ada-shop'));
    expect(await textsOf(start('claude'))).toEqual([]);
    const deeper = start('claude');
    await deeper.follow(join(home, '.claude/projects/-home-ada-shop/a.jsonl'));
    expect(await textsOf(deeper)).toEqual([]);
  });
});

test('two calls at once do not return the same twice', async () => {
  put(FILES.claude ?? '', claudeLine('one') + claudeLine('two'));
  const reader = start('claude');
  const [first, second] = await Promise.all([textsOf(reader), textsOf(reader)]);
  expect([...(first ?? []), ...(second ?? [])]).toEqual(['one', 'two']);
});

test('a project whose folder is marked as another one is not looked into', async () => {
  put('.gemini/tmp/shop/.project_root', '/home/ada/other');
  put(FILES.gemini ?? '', fixture('gemini'));
  expect(await textsOf(start('gemini'))).toEqual([]);
  put('.gemini/tmp/shop/.project_root', CWD);
  expect((await textsOf(start('gemini'))).length).toBeGreaterThan(4);
});

test('of several sessions in one folder, those that began since are read, each with its id', async () => {
  const old = put('.claude/projects/-home-ada-shop/old.jsonl', claudeLine('old'));
  await new Promise((resolve) => setTimeout(resolve, 30));
  const startedAfterMs = Date.now();
  await new Promise((resolve) => setTimeout(resolve, 30));
  put('.claude/projects/-home-ada-shop/new.jsonl', claudeLine('new'));
  appendFileSync(old, claudeLine('old goes on'));
  const texts = await start('claude', { startedAfterMs }).poll();
  expect(texts.map(({ text, sessionId }) => [sessionId, text])).toEqual([['new', 'new']]);
});

test('a look at what has not changed takes next to no time', async () => {
  put(FILES.claude ?? '', claudeLine('one'));
  const reader = start('claude', { sessionId: SESSION });
  expect(await textsOf(reader)).toEqual(['one']);
  const startedAt = performance.now();
  for (let round = 0; round < 500; round += 1) await reader.poll();
  expect((performance.now() - startedAt) / 500).toBeLessThan(3);
});
