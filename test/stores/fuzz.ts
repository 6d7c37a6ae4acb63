// Mutates exports and store files at random and in hostile ways, and puts each through import, opening and doctor's look. Runs
// in a process of its own: a crash or a hang must be seen by the test and not end it.

import { copyFileSync, createReadStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { type ImportInto, importLines, importStoreFile } from '../../src/app/transfer.ts';
import { isForewordError } from '../../src/kernel/errors.ts';
import type { Stores } from '../../src/kernel/stores.ts';
import { fill } from '../../src/stores/contract/filled.ts';
import { event, NOON } from '../../src/stores/contract/samples.ts';
import { memoryStores } from '../../src/stores/memory.ts';
import { examineSqliteFile } from '../../src/stores/sqlite/examine.ts';
import { openSqliteStores, readSqliteStores } from '../../src/stores/sqlite/open.ts';
import { exportLines } from '../../src/stores/transfer.ts';
import { hostileChanges, mutateBytes, mutateText } from './mutate.ts';
import { randomFrom } from './random.ts';

export interface FuzzRun {
  readonly folder: string;
  readonly seed: number;
  readonly count: number;
  readonly say: (line: string) => void;
}

/** Says one line per case: `{index, way, outcome, cpuMs, problem?}`. */
export async function fuzzAll(run: FuzzRun): Promise<void> {
  const random = randomFrom(run.seed);
  const good = await makeGood(run.folder);
  for (let index = 0; index < run.count; index++) {
    const work = join(run.folder, `case-${index}`);
    mkdirSync(work);
    const before = process.cpuUsage();
    const result = await (index % 3 === 0 ? fuzzText : fuzzFile)(good, work, random);
    const { user, system } = process.cpuUsage(before);
    run.say(JSON.stringify({ index, ...result, cpuMs: Math.round((user + system) / 1000) }));
    rmSync(work, { recursive: true });
  }
}

interface Good {
  readonly file: string;
  readonly text: string;
}

async function makeGood(folder: string): Promise<Good> {
  const file = join(folder, 'good.db');
  const stores = await openSqliteStores(file);
  await fill(stores);
  for (let index = 0; index < 400; index++) await stores.journal.append(event(`more ${index}`));
  const lines: string[] = [];
  for await (const line of exportLines(stores)) lines.push(line);
  await stores.close();
  return { file, text: `${lines.join('\n')}\n` };
}

interface Result {
  readonly way: string;
  readonly outcome: string;
  readonly problem?: string;
}

async function fuzzText(good: Good, work: string, random: () => number): Promise<Result> {
  const { way, bytes } = mutateText(good.text, random);
  const file = join(work, 'all.jsonl');
  writeFileSync(file, bytes);
  const pieces = createReadStream(file, { encoding: 'utf8', highWaterMark: 4096 }) as AsyncIterable<string>;
  const done = await attempt(() => importLines(pieces, into()));
  return { way, outcome: done.outcome, ...problemOf(done, isSame(file, bytes)) };
}

async function fuzzFile(good: Good, work: string, random: () => number): Promise<Result> {
  const file = join(work, 'old.db');
  const isHostile = random() < 0.4;
  let way: string;
  if (isHostile) {
    const change = hostileChanges(random);
    way = change.way;
    copyFileSync(good.file, file);
    change.apply(file, Libsql);
  } else {
    const mutated = mutateBytes(readFileSync(good.file), random);
    way = mutated.way;
    writeFileSync(file, mutated.bytes);
  }
  const bytes = readFileSync(file);
  const imported = await attempt(() => importStoreFile(file, into()));
  const looked = await attempt(async () => examineSqliteFile(file, { isOurs: false }));
  const untouched = isSame(file, bytes);
  const read = await attempt(async () => useAll(readSqliteStores(file, 100)));
  const opened = await attempt(async () => useAll(await openSqliteStores(file, { damaged: 'refuse' })));
  const outcome = [imported, looked, read, opened].map((one) => one.outcome).join(', ');
  const wrong = [imported, looked, read, opened].find((one) => one.wrong !== undefined);
  return { way, outcome, ...problemOf(wrong ?? imported, untouched) };
}

function into(): ImportInto {
  const stores = memoryStores();
  return { stores: async () => stores, where: 'fuzzed', now: NOON, redact: (text) => text };
}

async function useAll(stores: Stores): Promise<void> {
  try {
    await stores.tasks.list();
    await stores.tasks.recentFinished(5);
    await stores.attempts.taskIds();
    await stores.journal.read();
    await stores.continuity.last(1);
    await stores.breakers.list();
    await stores.sessions.list();
    await stores.runs.list();
    await stores.deliveries.list('ses_1');
  } finally {
    await stores.close();
  }
}

interface Attempted {
  readonly outcome: string;
  /** An error that is not one of ours with a message for a person. */
  readonly wrong?: string;
}

async function attempt(work: () => Promise<unknown>): Promise<Attempted> {
  try {
    await work();
    return { outcome: 'accepted' };
  } catch (error) {
    if (isForewordError(error) && error.code !== 'internal' && error.message !== '') return { outcome: error.code };
    return { outcome: 'wrong', wrong: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

function problemOf({ wrong }: Attempted, isUntouched: boolean): { readonly problem?: string } {
  if (wrong !== undefined) return { problem: wrong };
  return isUntouched ? {} : { problem: 'the original was changed' };
}

function isSame(file: string, bytes: Uint8Array): boolean {
  return readFileSync(file).equals(bytes);
}
