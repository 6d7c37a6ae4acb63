// Many sessions in one process, each on an agent of its own that took one text, answered with more lines than the screen
// keeps, and then does nothing: what a session holds in memory, and what it does while nothing happens. Prints JSON.
// Usage: node --expose-gc bench/sessions/idle.mjs SESSIONS SECONDS   (started by bench/sessions.mjs)

import { setTimeout as sleep } from 'node:timers/promises';
import { contextFor, inParallel, openField, openOn, PROFILES, takeSeat } from './seat.mjs';

const WARM_UP = 4;
const AT_ONCE = 10;
const LINES = 250;
const [count, seconds] = process.argv.slice(2).map(Number);

const missed = [];
const field = await openField();
const script = {
  says: Array.from(
    { length: LINES },
    (_, index) => `line ${index} of an answer, with “words” in it and a number ${index * 7919}`,
  ),
};

try {
  console.log(JSON.stringify(await measure()));
} finally {
  await field.close();
}

async function measure() {
  // The emulator, the PTY and the patterns are loaded and compiled by the first few.
  const first = await openMany(WARM_UP);
  for (const { leave } of first) await leave();
  const before = await resident();
  const baseline = await processorShare(seconds / 4);
  const all = await openMany(count);
  await sleep(2000);
  const after = await resident();
  const idle = await processorShare(seconds);
  for (const { leave } of all) await leave();
  return {
    sessions: count,
    seconds,
    beforeMib: before.rss,
    afterMib: after.rss,
    perSessionMib: (after.rss - before.rss) / count,
    heapPerSessionMib: (after.heap - before.heap) / count,
    buffersPerSessionMib: (after.buffers - before.buffers) / count,
    baselinePercent: baseline,
    idlePercent: idle,
    /** Sessions that are counted though their text was not proved, or their agent not at rest. */
    missed,
  };
}

function openMany(sessions) {
  const works = Array.from({ length: sessions }, (_, index) => async () => {
    const seat = await takeSeat(field, PROFILES[index % PROFILES.length], script);
    const session = await openOn(field, seat);
    const id = `fw_idle${field.next()}`;
    const { outcome, reason } = await session.deliver(id, contextFor(id).text);
    const isIdle = (log) => log.some(({ kind }) => kind === 'said') && stateIn(log) === 'ready';
    const isAtRest = await seat.until(isIdle, outcome === 'delivered' ? 20_000 : 0);
    const isMissed = outcome !== 'delivered' || !isAtRest;
    if (isMissed) missed.push({ outcome, reason, state: stateIn(seat.log()), isServed: id in seat.seen().served });
    const leave = async () => {
      await session.close();
      await seat.leave();
    };
    return { leave };
  });
  return inParallel(works, AT_ONCE);
}

function stateIn(log) {
  return log.findLast(({ kind }) => kind === 'state')?.state;
}

/** MiB after full collections. */
async function resident() {
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc();
    await sleep(100);
  }
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  return { rss: rss / 2 ** 20, heap: heapUsed / 2 ** 20, buffers: arrayBuffers / 2 ** 20 };
}

/** Percent of one core that this process takes. */
async function processorShare(forSeconds) {
  const usage = process.cpuUsage();
  const from = performance.now();
  await sleep(forSeconds * 1000);
  const { user, system } = process.cpuUsage(usage);
  return (user + system) / 10 / (performance.now() - from);
}
