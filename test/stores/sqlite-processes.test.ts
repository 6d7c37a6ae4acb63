// One SQLite file and several real processes: none loses what another acknowledged, whatever dies or stops when.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { event, record } from '../../src/stores/contract/samples.ts';
import { openSqliteStores } from '../../src/stores/sqlite/open.ts';
import { bundle, temporaryFolder } from '../bundle.ts';
import { IS_LONG, scaled } from '../scale.ts';
import { Child, endChildren } from './child.ts';

vi.setConfig({ testTimeout: IS_LONG ? 1_200_000 : 120_000 });

let worker: string;
let folder: string;
let file: string;
beforeAll(() => {
  worker = bundle(join(import.meta.dirname, 'worker.ts'));
});
afterAll(() => rmSync(worker));
beforeEach(() => {
  folder = temporaryFolder('processes');
  file = join(folder, 'foreword.db');
});
afterEach(async () => {
  await endChildren();
  rmSync(folder, { recursive: true });
});

const start = (...args: readonly string[]) => new Child(process.execPath, [worker, ...args]);

async function journalIds(): Promise<string[]> {
  const stores = await openSqliteStores(file);
  const entries = await stores.journal.read();
  await stores.close();
  expect(entries.map(({ number }) => number)).toEqual(entries.map((_, index) => index + 1));
  return entries.map(({ value }) => value.id);
}

function integrity(): unknown {
  const bare = new Libsql(file);
  const rows = bare.prepare('PRAGMA integrity_check').all();
  bare.close();
  return rows;
}

test('two processes that append to one journal lose nothing and agree on the order', async () => {
  const count = scaled(5_000);
  const writers = ['one', 'other'].map((name) => start('append', file, name, String(count)));
  const ledger = (await Promise.all(writers.map((writer) => writer.finish()))).flat();
  const ids = await journalIds();
  expect(ids.length).toBe(2 * count);
  for (const line of ledger) {
    const [number, id] = line.split(' ');
    expect(ids[Number(number) - 1]).toBe(id);
  }
  expect(new Set(ledger.map((line) => line.split(' ')[0])).size).toBe(2 * count);
});

test('a writer killed at any moment loses nothing that it was told is stored', async () => {
  const ledger: string[] = [];
  for (let round = 0; round < scaled(500); round++) {
    const writer = start('append', file, `round${round}`, '1000000');
    await writer.waitForLines(1 + Math.floor(Math.random() * 60));
    writer.signal('SIGKILL');
    await writer.ended;
    ledger.push(...writer.lines.map((line) => line.split(' ')[1] ?? ''));
    expect(integrity()).toEqual([{ integrity_check: 'ok' }]);
  }
  const kept = new Set(await journalIds());
  expect(ledger.filter((id) => !kept.has(id))).toEqual([]);
  expect(readdirSync(folder).filter((name) => /corrupt|newer|damaged/.test(name))).toEqual([]);
});

test('twenty processes that create one file at the same moment all get the same store', async () => {
  const openers = Array.from({ length: 20 }, () => start('open'));
  for (const opener of openers) await opener.waitForLines(1);
  const rounds = scaled(50);
  for (let round = 1; round <= rounds; round++) {
    file = join(folder, `new-${round}.db`);
    for (const opener of openers) opener.say(file);
    for (const opener of openers) await opener.waitForLines(1 + round);
    expect(openers.map(({ lines }) => lines.at(-1))).toEqual(openers.map(() => '{"moved":[]}'));
    expect(new Set(await journalIds()).size).toBe(20);
  }
});

test('of many processes that find a corrupt file at the same moment one sets it aside, and none the fresh one', async () => {
  const openers = Array.from({ length: 10 }, () => start('open'));
  for (const opener of openers) await opener.waitForLines(1);
  const rounds = scaled(100);
  for (let round = 1; round <= rounds; round++) {
    file = join(folder, `bad-${round}.db`);
    const bytes = `garbage ${round} `.repeat(1_000);
    writeFileSync(file, bytes);
    for (const opener of openers) opener.say(file);
    for (const opener of openers) await opener.waitForLines(1 + round);
    const answers = openers.map(({ lines }) => JSON.parse(lines.at(-1) ?? '{}') as { moved: string[]; error?: string });
    const moved = answers.flatMap((answer) => answer.moved);
    expect(moved.length).toBe(1);
    expect(readFileSync(moved[0]!, 'utf8')).toBe(bytes);
    expect(answers.flatMap(({ error }) => error ?? [])).toEqual([]);
    expect(new Set(await journalIds()).size).toBe(10);
  }
});

test('eight processes that take one task from each other lose no accepted write and accept no stale one', async () => {
  const stores = await openSqliteStores(file);
  await stores.tasks.add(record('shared', 'queued'));
  const goal = scaled(5_000);
  const workers = Array.from({ length: 8 }, () => start('contend', file, String(goal)));
  const results = (await Promise.all(workers.map((one) => one.finish()))).map(
    ([line]) => JSON.parse(line ?? '{}') as { accepted: number; refused: number },
  );
  const sum = (key: 'accepted' | 'refused') => results.reduce((total, result) => total + result[key], 0);
  expect(Number((await stores.tasks.get('shared'))?.result)).toBe(sum('accepted'));
  expect(sum('accepted')).toBeGreaterThanOrEqual(goal);
  expect(sum('refused')).toBeGreaterThan(0);
  await stores.close();
});

test('an owner that was stopped beyond its lease cannot write once another finished the task', async () => {
  const holder = start('hold', file);
  const stores = await openSqliteStores(file);
  const rounds = scaled(100);
  for (let round = 1; round <= rounds; round++) {
    const id = `task ${round}`;
    await stores.tasks.add(record(id, 'queued'));
    holder.say(id);
    await holder.waitForLines(2 * round - 1);
    expect(holder.lines.at(-1)).toBe('held 1');
    holder.signal('SIGSTOP');
    const claim = await stores.tasks.claim(id, { owner: 'next', now: Date.now() + 1_000, leaseMs: 60_000 });
    expect(claim?.token).toBe(2);
    if (round % 2 === 0) await stores.tasks.update(claim!, record(id, 'completed'));
    holder.signal('SIGCONT');
    holder.say('finish');
    await holder.waitForLines(2 * round);
    expect(holder.lines.at(-1)).toBe('stale-owner');
    if (round % 2 === 1) await stores.tasks.update(claim!, record(id, 'completed'));
    expect(await stores.tasks.get(id)).toEqual(record(id, 'completed'));
  }
  await stores.close();
});

test('a store that another process keeps locked is reported after five seconds, and works when it is let go', async () => {
  const stores = await openSqliteStores(file);
  const other = new Libsql(file);
  other.exec('BEGIN IMMEDIATE');
  const begun = performance.now();
  await expect(stores.journal.append(event('a'))).rejects.toMatchObject({
    code: 'store-unreachable',
    message: `The store ${file} is locked by another process.`,
  });
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect(await stores.journal.read()).toEqual([]);
  other.exec('ROLLBACK');
  other.close();
  expect(await stores.journal.append(event('a'))).toBe(1);
  await stores.close();
});
