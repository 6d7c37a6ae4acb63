import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkLine as check } from '../config/schemas/records.ts';
import type { Stores } from '../kernel/stores.ts';
import { fill } from './contract/filled.ts';
import { attempt, delivery, event, NOON, record } from './contract/samples.ts';
import { memoryStores } from './memory.ts';
import { openSqliteStores } from './sqlite/open.ts';
import { exportLines, importLines } from './transfer.ts';

let folder: string;
let count = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-transfer-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const kinds: Record<string, () => Promise<Stores>> = {
  memory: async () => memoryStores(),
  sqlite: () => openSqliteStores(join(folder, `${count++}.db`)),
};

async function linesOf(stores: Stores): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportLines(stores)) lines.push(line);
  return lines;
}

const text = (...lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join('\n');
const HEADER = { foreword_export: 1 };

async function faultsOf(input: string, stores = memoryStores()): Promise<unknown> {
  const error: unknown = await importLines(input, stores, { where: 'a.jsonl', check }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: 'bad-input' });
  return (error as { faults: unknown }).faults;
}

describe('an export', () => {
  const pairs = Object.keys(kinds).flatMap((from) => Object.keys(kinds).map((to) => ({ from, to })));
  test.each(pairs)('from $from to $to and out again gives the same lines', async ({ from, to }) => {
    const [source, target] = [await kinds[from]!(), await kinds[to]!()];
    await fill(source);
    const lines = await linesOf(source);
    expect(await importLines(lines.join('\n'), target, { check })).toEqual({
      added: lines.length - 1,
      kept: 0,
      leftOut: {},
    });
    expect(await linesOf(target)).toEqual(lines);
    expect(await importLines(`${lines.join('\r\n')}\r\n`, target, { check })).toEqual({
      added: 0,
      kept: lines.length - 1,
      leftOut: {},
    });
    expect(await linesOf(target)).toEqual(lines);
    expect((await target.attempts.open('taken')).map(({ attemptNumber }) => attemptNumber)).toEqual([3]);
    await source.close();
    await target.close();
  });

  test('of an empty store is its first line', async () => {
    expect(await linesOf(memoryStores())).toEqual(['{"foreword_export":1,"records":0}']);
  });

  test('has one line per record, by kind', async () => {
    const stores = memoryStores();
    await fill(stores);
    const kindsSeen = (await linesOf(stores)).slice(1).map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect([...new Set(kindsSeen)]).toEqual([
      'task',
      'attempt',
      'cleared',
      'event',
      'receipt',
      'continuity',
      'breaker',
      'delivery',
      'session',
      'run',
      'work',
    ]);
  });

  test('with a running task lets a new owner take it over', async () => {
    const [source, target] = [memoryStores(), memoryStores()];
    await fill(source);
    await importLines((await linesOf(source)).join('\n'), target, { check });
    expect((await target.tasks.get('taken'))?.status).toBe('running');
    expect(await target.tasks.claim('taken', { owner: 'new', now: NOON, leaseMs: 1 })).toEqual({
      taskId: 'taken',
      owner: 'new',
      token: 1,
    });
  });

  test('into a store that has some of it adds the rest and keeps what is there', async () => {
    const [source, target] = [memoryStores(), memoryStores()];
    await fill(source);
    await target.tasks.add(record('task queued', 'blocked'));
    await target.journal.append(event('e2'));
    await target.attempts.append('taken', attempt(1));
    const lines = await linesOf(source);
    expect(await importLines(lines.join('\n'), target, { check })).toEqual({
      added: lines.length - 4,
      kept: 3,
      leftOut: {},
    });
    expect((await target.tasks.get('task queued'))?.status).toBe('blocked');
    expect(await target.attempts.list('taken')).toEqual(await source.attempts.list('taken'));
    expect(await target.attempts.clearedUpTo('taken')).toBe(2);
  });
});

describe('an import', () => {
  test('names every fault with its line and path, and writes nothing', async () => {
    const stores = memoryStores();
    const faults = await faultsOf(
      text(
        HEADER,
        { kind: 'task', record: record('fine', 'queued') },
        { kind: 'task', record: { ...record('a', 'queued'), status: 'lost', intent: 7 } },
        { kind: 'attempt', task: 'a', record: { ...attempt(2), files_created: ['x', null] } },
        { kind: 'song' },
        { kind: 'event', record: { id: 'e', at: 'now' } },
        { kind: 'breaker', id: 'b', record: { agent: 'b', state: 'open', reason: 'quota' } },
      ).concat('\n{"kind":"task","rec'),
      stores,
    );
    const at = (line: number, path: string, message: string) => ({ where: 'a.jsonl', line, path, message });
    expect(faults).toEqual([
      at(3, 'record.status', 'must be one of queued, running, completed, failed, blocked, needs-review.'),
      at(3, 'record.intent', 'must be text, not number.'),
      at(4, 'record.files_created[1]', 'must be text, not null.'),
      at(
        5,
        'kind',
        'must be one of task, attempt, cleared, event, receipt, continuity, breaker, delivery, session, run, work.',
      ),
      at(6, 'record.at', 'must be a time such as 2026-01-31T12:00:00Z.'),
      at(6, 'record.kind', 'is missing.'),
      at(7, 'record.openedAt', 'is missing.'),
      at(7, 'record.until', 'is missing.'),
      at(8, '', 'is not a JSON map; every line must be one.'),
    ]);
    expect(await stores.tasks.list()).toEqual([]);
  });

  test('refuses attempts with gaps, and a closing ahead of them', async () => {
    expect(
      await faultsOf(
        text(
          HEADER,
          { kind: 'attempt', task: 'a', record: attempt(1) },
          { kind: 'attempt', task: 'a', record: attempt(3) },
          { kind: 'cleared', task: 'b', up_to: 1 },
        ),
      ),
    ).toMatchObject([
      { line: 3, path: 'record.attemptNumber', message: "must be 2, the task's next." },
      { line: 4, path: 'up_to' },
    ]);
  });

  test('notices a file that was cut off between two lines', async () => {
    const source = memoryStores();
    await fill(source);
    const lines = await linesOf(source);
    expect(await faultsOf(lines.slice(0, -1).join('\n'))).toMatchObject([
      { line: 1, path: 'records', message: expect.stringContaining('cut off') },
    ]);
  });

  test('refuses what is no export, and an export of a newer version', async () => {
    expect(await faultsOf('')).toMatchObject([{ message: 'is empty; an export begins with {"foreword_export":1}.' }]);
    expect(await faultsOf('hello')).toMatchObject([{ line: 1 }, { path: '' }]);
    expect(await faultsOf('{"kind":"task"}')).toMatchObject([{ line: 1, path: 'foreword_export' }]);
    expect(await faultsOf('{"foreword_export":2}')).toMatchObject([{ message: expect.stringContaining('Update') }]);
  });

  test('refuses to mix two histories of one task, and writes nothing', async () => {
    const stores = memoryStores();
    await stores.attempts.append('a', { ...attempt(1), durationMs: 99 });
    const faults = await faultsOf(
      text(
        HEADER,
        { kind: 'task', record: record('a', 'queued') },
        { kind: 'attempt', task: 'a', record: attempt(1) },
        { kind: 'attempt', task: 'a', record: attempt(2) },
      ),
      stores,
    );
    expect(faults).toMatchObject([{ line: 3, message: expect.stringContaining('differs from the one in the store') }]);
    expect(await stores.tasks.list()).toEqual([]);
    expect((await stores.attempts.list('a')).length).toBe(1);
  });

  test('takes a delivery of any stage as an older version wrote it: with the same members in each', async () => {
    const stages = ['queued', 'typing', 'typed', 'placed', 'submitting', 'submitted'];
    const before = [...stages, 'ended'].map((stage) => ({
      ...delivery(`fw_${stage}`, 'ses_1'),
      stage,
      presses: 0,
      notBefore: '2026-01-01T12:00:01.000Z',
      ...(stage === 'ended' ? { outcome: 'failed' } : {}),
    }));
    const stores = memoryStores();
    const lines = before.map((one) => ({ kind: 'delivery', id: one.id, record: one }));
    await importLines(text(HEADER, ...lines), stores, { check });
    expect((await stores.deliveries.list()).map(({ value }) => value)).toEqual(before);
  });

  test('names what is missing in a delivery, by its stage', async () => {
    const line = (part: object) => ({
      kind: 'delivery',
      id: 'fw_1',
      record: { ...delivery('fw_1', 'ses_1'), ...part },
    });
    const lines = [line({ stage: 'ended' }), line({ stage: 'submitting' }), line({ stage: 'lost' })];
    expect(await faultsOf(text(HEADER, ...lines))).toMatchObject([
      { line: 2, path: 'record.outcome', message: 'is missing.' },
      { line: 3, path: 'record.presses', message: 'is missing.' },
      { line: 4, path: 'record.stage' },
    ]);
  });

  test('keeps fields that a later version added', async () => {
    const stores = memoryStores();
    const later = { ...record('a', 'queued'), mood: 'good' };
    await importLines(text(HEADER, { kind: 'task', record: later }), stores, { check });
    expect(await stores.tasks.get('a')).toEqual(later);
  });

  test('with a value nested far too deep is refused with its line, and overflows nothing', async () => {
    const deep = `{"kind":"event","record":{"id":"e","at":"2026-01-01T00:00:00Z","kind":"x","more":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`;
    const input = [JSON.stringify(HEADER), deep, deep.replaceAll('[', '{"a":').replaceAll(']', '}')].join('\n');
    expect(await faultsOf(input)).toEqual([
      { where: 'a.jsonl', line: 2, path: '', message: 'is nested deeper than 64 levels.' },
      { where: 'a.jsonl', line: 3, path: '', message: 'is nested deeper than 64 levels.' },
    ]);
  });

  test('takes brackets and escaped quotes in a text for text', async () => {
    const stores = memoryStores();
    const texts = ['['.repeat(300), `"${'{'.repeat(300)}`, '\\'.repeat(9)];
    const lines = texts.map((reason, index) => ({
      kind: 'event',
      record: { ...event(`e${index}`), kind: 'state-dump-failed', reason },
    }));
    expect(await importLines(text(HEADER, ...lines), stores, { check })).toMatchObject({ added: 3 });
  });

  test('of a long file in pieces gives the same as in one, and shows how far it is', async () => {
    const source = memoryStores();
    await fill(source);
    const whole = `\ufeff${(await linesOf(source)).join('\n')}\n`;
    async function* pieces() {
      for (let from = 0; from < whole.length; from += 7) yield whole.slice(from, from + 7);
    }
    const [one, other] = [memoryStores(), memoryStores()];
    const read: number[] = [];
    const written: string[] = [];
    const counts = await importLines(pieces(), one, {
      check,
      onRead: (count) => read.push(count),
      onWrite: (done, total) => written.push(`${done}/${total}`),
    });
    expect(counts).toEqual(await importLines(whole, other, { check }));
    expect(await linesOf(one)).toEqual(await linesOf(other));
    expect([read.at(-1), written.at(-1)]).toEqual([31, '31/31']);
  });
});
