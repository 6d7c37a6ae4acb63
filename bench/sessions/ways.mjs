// Two ways of getting the first text into an agent that starts at its own pace, on the same seeds: a session of ours, and a
// fixed pause, then silence, then the text and Enter as plain keys. What came of it is what the agent's log says.

import { setTimeout as sleep } from 'node:timers/promises';
import { makeDraw } from '../../test/agents/person.mjs';
import { contextFor, inParallel, openOn, PROFILES, takeSeat } from './seat.mjs';

const PAUSE_MS = 3000;
const SILENCE_MS = 1500;
const LIMIT_MS = 60_000;
/** How long a text that was sent may take to be served. */
const PATIENCE_MS = 6000;
/** Nobody can look and write in the same instant; both ways are excused the same. */
const GRACE_MS = 100;

export async function compareWays(field, { starts, atOnce, seed }) {
  const works = Array.from({ length: starts }, (_, index) => ['ours', 'timed'].map((way) => [way, index])).flat();
  const outcomes = await inParallel(
    works.map(
      ([way, index]) =>
        () =>
          startOnce(field, way, { index, seed: seed + index }),
    ),
    atOnce,
  );
  return Object.fromEntries(['ours', 'timed'].map((way) => [way, outcomes.filter((outcome) => outcome.way === way)]));
}

async function startOnce(field, way, { index, seed }) {
  const script = scriptFrom(seed);
  const seat = await takeSeat(field, PROFILES[index % PROFILES.length], script);
  const id = `fw_${way}${seed}`;
  const { text, typed } = contextFor(id);
  const session = way === 'ours' ? await openOn(field, seat) : undefined;
  try {
    const isClaimed = session === undefined ? await typeWhenSilent(seat, typed) : await claims(session, id, text);
    const isWhole = (log) => log.some((entry) => entry.kind === 'served' && entry.text === typed);
    await seat.until((log) => isWhole(log) || hasGone(log), PATIENCE_MS);
    const log = seat.log();
    const seen = seat.seen({ graceMs: GRACE_MS });
    const submit = log.find((entry) => entry.kind === 'submit' && entry.text === typed);
    const ready = log.find((entry) => entry.kind === 'shown' && entry.state === 'ready');
    const harms = seen.harms.filter(({ isExcused, what }) => !isExcused && what !== 'unframed').map(({ what }) => what);
    return {
      way,
      seed,
      kinds: kindsOf(script),
      isClaimed,
      isWhole: seen.servedTexts.filter((served) => served === typed).length === 1,
      harms: [...new Set(harms)],
      hasGone: hasGone(log),
      submitMs: submit === undefined ? undefined : submit.at - seat.launchedAt,
      afterReadyMs: submit === undefined || ready === undefined ? undefined : submit.at - ready.at,
    };
  } finally {
    await session?.close();
    await seat.leave();
  }
}

async function claims(session, id, text) {
  return (await session.deliver(id, text)).outcome === 'delivered';
}

/** What it claims is that the keys were taken. */
async function typeWhenSilent({ terminal }, text) {
  const from = performance.now();
  let heardAt = from;
  terminal.onOutput(() => {
    heardAt = performance.now();
  });
  await sleep(PAUSE_MS);
  while (performance.now() - heardAt < SILENCE_MS) {
    if (performance.now() - from > LIMIT_MS) return false;
    await sleep(50);
  }
  try {
    await terminal.write(Buffer.from(text));
    await terminal.write(Buffer.from('\r'));
    return true;
  } catch {
    return false;
  }
}

/** Up to 6 s until there is a composer, part of it perhaps with a picture of itself already; half of the agents say
 *  nothing meanwhile. A question first in one of five, which a person answers some seconds later; at work first in one of
 *  four. */
function scriptFrom(seed) {
  const draw = makeDraw(seed);
  const between = (low, high) => Math.round(low + draw() * (high - low));
  const pick = (...list) => list[Math.floor(draw() * list.length)];
  const totalMs = between(0, 6000);
  const loadingMs = draw() < 0.5 ? 0 : Math.round(totalMs * draw());
  const isSilent = draw() < 0.5;
  const trust = {
    name: 'trust',
    preselected: pick('yes', 'no'),
    first: pick('yes', 'no'),
    closesAfterMs: between(1000, 8000),
  };
  return {
    seed,
    startMs: totalMs - loadingMs,
    loadingMs,
    ...(isSilent ? { startLines: ['starting'] } : {}),
    dialogs: draw() < 0.2 ? [trust] : [],
    busyAtStartMs: draw() < 0.25 ? between(500, 6000) : 0,
  };
}

function kindsOf({ startLines, dialogs, busyAtStartMs }) {
  const kinds = [startLines === undefined ? 'talks' : 'silent'];
  if (dialogs.length > 0) kinds.push('trust');
  if (busyAtStartMs > 0) kinds.push('busy');
  return kinds;
}

function hasGone(log) {
  return log.some((entry) => entry.kind === 'state' && entry.state === 'gone');
}
