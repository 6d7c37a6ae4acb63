// Damages copies of a good database in every random way and works with them. Runs in a process of its own: if SQLite
// crashed on a damaged file, the test must see that and not die of it.

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isForewordError } from '../../src/kernel/errors.ts';
import type { Stores } from '../../src/kernel/stores.ts';
import { fill } from '../../src/stores/contract/filled.ts';
import { attempt, event, NOON, record } from '../../src/stores/contract/samples.ts';
import { openSqliteStores } from '../../src/stores/sqlite/open.ts';
import { randomFrom } from './random.ts';

const PAGE = 4096;
const WAYS = [
  'flip',
  'flip in the schema',
  'truncate',
  'zero page',
  'garbage page',
  'newer version',
  'garbage header',
] as const;
type Way = (typeof WAYS)[number];

/** Says one line per damaged file: `{index, way, outcome, problem?}`. */
export async function corruptAndUse(run: {
  readonly folder: string;
  readonly seed: number;
  readonly count: number;
  readonly say: (line: string) => void;
}): Promise<void> {
  const random = randomFrom(run.seed);
  const good = join(run.folder, 'good');
  mkdirSync(good);
  await makeGood(good);
  for (let index = 0; index < run.count; index++) {
    const way = WAYS[index % WAYS.length] ?? 'flip';
    const hasLog = random() < 0.3;
    const work = join(run.folder, `case-${index}`);
    mkdirSync(work);
    const file = join(work, 'foreword.db');
    copyFileSync(join(good, hasLog ? 'with-log.db' : 'plain.db'), file);
    if (hasLog) copyFileSync(join(good, 'with-log.db-wal'), `${file}-wal`);
    const bytes = damage(readFileSync(file), way, random);
    writeFileSync(file, bytes);
    const result = await use(file, bytes, hasLog);
    run.say(JSON.stringify({ index, way, hasLog, ...result }));
    rmSync(work, { recursive: true });
  }
}

/** One database whole in its file, and one whose newest half is still in its log, as after a kill. */
async function makeGood(folder: string): Promise<void> {
  const stores = await openSqliteStores(join(folder, 'plain.db'));
  await fill(stores);
  for (let index = 0; index < 300; index++) await stores.journal.append(event(`more ${index}`));
  await stores.close();
  copyFileSync(join(folder, 'plain.db'), join(folder, 'open.db'));
  const open = await openSqliteStores(join(folder, 'open.db'));
  for (let index = 0; index < 100; index++) await open.tasks.add(record(`t${index}`, 'queued'));
  // By another process: closing a descriptor of an open database here would drop SQLite's locks.
  for (const end of ['', '-wal']) {
    execFileSync('cp', [join(folder, `open.db${end}`), join(folder, `with-log.db${end}`)]);
  }
  await open.close();
}

function damage(original: Buffer, way: Way, random: () => number): Buffer {
  const bytes = Buffer.from(original);
  const below = (end: number) => Math.floor(random() * end);
  const noise = (from: number, length: number) => {
    for (let at = from; at < from + length; at++) bytes[at] = below(256);
  };
  switch (way) {
    case 'flip': {
      const flips = 1 + below(20);
      for (let flip = 0; flip < flips; flip++) {
        const at = below(bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
      }
      return bytes;
    }
    case 'flip in the schema':
      for (let flips = 1 + below(8); flips > 0; flips--) {
        const at = 100 + below(PAGE - 100);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
      }
      return bytes;
    case 'truncate':
      return bytes.subarray(0, below(bytes.length));
    case 'zero page':
      return bytes.fill(0, ...pageAt(below(bytes.length / PAGE)));
    case 'garbage page':
      noise(pageAt(below(bytes.length / PAGE))[0], PAGE);
      return bytes;
    case 'newer version':
      bytes.writeUInt32BE(2 + below(1000), 60);
      return bytes;
    case 'garbage header':
      noise(below(100), 1 + below(40));
      return bytes;
  }
}

function pageAt(index: number): [number, number] {
  return [index * PAGE, (index + 1) * PAGE];
}

interface Result {
  readonly outcome: 'set aside' | 'reported' | 'unnoticed';
  readonly problem?: string;
}

async function use(file: string, damagedBytes: Buffer, hasLog: boolean): Promise<Result> {
  let outcome: Result['outcome'] = 'unnoticed';
  const moved: string[] = [];
  try {
    // First only looking: then the damaged bytes must still be somewhere, exactly.
    const first = await attemptAll(file, { moved, isWriting: false });
    if (moved.length > 0) outcome = 'set aside';
    else if (first !== undefined) outcome = 'reported';
    const kept = moved[0] ?? file;
    // A log that was not yet moved into the file is moved there when a file that looks sound is closed.
    if ((!hasLog || moved.length > 0) && !isSameBut(readFileSync(kept), damagedBytes)) {
      return { outcome, problem: `the original bytes are gone from ${kept}` };
    }
    if (hasLog && moved.length > 0 && !existsSync(`${kept}-wal`)) return { outcome, problem: 'the log is gone' };
    // Then working: damage may be met once or twice, but the tool must come out of it by itself.
    for (let round = 0; round < 4; round++) {
      if ((await attemptAll(file, { moved, isWriting: true })) === undefined) return { outcome };
    }
    return { outcome, problem: 'still not usable after four openings' };
  } catch (error) {
    return { outcome, problem: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

/** The first error, if any; anything but a ForewordError is thrown. */
async function attemptAll(
  file: string,
  how: { readonly moved: string[]; readonly isWriting: boolean },
): Promise<string | undefined> {
  let stores: Stores | undefined;
  let met: string | undefined;
  const meet = (error: unknown) => {
    if (!isForewordError(error) || error.message === '') throw error;
    if (error.code === 'internal') throw new Error(`internal: ${error.message}`);
    met ??= `${error.code}: ${error.message}`;
  };
  try {
    stores = await openSqliteStores(file, { isOurs: true, onSetAside: ({ to }) => how.moved.push(to) });
    const calls = how.isWriting ? [...readings(stores), ...writings(stores)] : readings(stores);
    for (const call of calls) await call().catch(meet);
  } catch (error) {
    meet(error);
  } finally {
    await stores?.close();
  }
  return met;
}

function readings(stores: Stores): (() => Promise<unknown>)[] {
  return [
    () => stores.tasks.list(),
    () => stores.tasks.recentFinished(9),
    () => stores.tasks.blocked(),
    () => stores.tasks.get('t1'),
    () => stores.attempts.taskIds(),
    () => stores.attempts.open('taken'),
    () => stores.journal.read(),
    () => stores.journal.last(3),
    () => stores.receipts.read(),
    () => stores.continuity.read(),
    () => stores.breakers.list(),
    () => stores.deliveries.list('ses_1'),
    () => stores.sessions.get('ses_1'),
    () => stores.runs.list(),
  ];
}

function writings(stores: Stores): (() => Promise<unknown>)[] {
  const id = `new-${Math.random()}`;
  return [
    () => stores.journal.append(event(id)),
    () => stores.tasks.add(record(id, 'queued')),
    async () => {
      const claim = await stores.tasks.claim(id, { owner: 'w', now: NOON, leaseMs: 1 });
      if (claim !== undefined) await stores.tasks.update(claim, record(id, 'completed'));
    },
    () => stores.attempts.append(id, attempt(1)),
    () => stores.breakers.put(id, { agent: id, state: 'closed', failures: [] }, 0),
  ];
}

/** Equal but for what SQLite may set when it turns the write-ahead log on for a file that had it off: the two format
 *  bytes, the change counter and its copy. */
function isSameBut(a: Buffer, b: Buffer): boolean {
  if (b.length === 0) return true;
  if (a.length !== b.length) return false;
  const blank = (bytes: Buffer) => {
    const copy = Buffer.alloc(Math.max(bytes.length, 100));
    bytes.copy(copy);
    copy.fill(0, 18, 20);
    copy.fill(0, 24, 28);
    copy.fill(0, 92, 100);
    return copy;
  };
  return blank(a).equals(blank(b));
}
