// How soon a text is submitted once the agent shows that it is ready: a session of ours, and beside it, at the same time on
// an agent of its own, the least that any way must do: 300 ms of silence, a framed paste, the agent's submit delay,
// Enter, without reading the screen and without a record. Whatever else the machine does hits both.

import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../measure.mjs';
import { contextFor, openOn, PROFILES, takeSeat } from './seat.mjs';

const STABLE_MS = 300;
const LIMIT_MS = 20_000;

export async function measurePromptness(field, starts) {
  const found = { ours: [], bare: [] };
  let left = Promise.resolve();
  for (let index = 0; index < starts; index += 1) {
    const pair = await Promise.all([startOurs(field, index), startBare(field, index)]);
    await left;
    found.ours.push(pair[0].times);
    found.bare.push(pair[1].times);
    // The next two may start while these end.
    left = Promise.all(pair.map(({ leave }) => leave()));
  }
  await left;
  return { starts, ours: figures(found.ours), bare: figures(found.bare) };
}

async function startOurs(field, index) {
  const seat = await takeSeat(field, PROFILES[index % PROFILES.length], { seed: index });
  const session = await openOn(field, seat);
  const id = `fw_prompt${index}`;
  const { outcome, reason } = await session.deliver(id, contextFor(id).text);
  if (outcome !== 'delivered') throw new Error(`not delivered: ${reason}`);
  const leave = async () => {
    await session.close();
    await seat.leave();
  };
  return { times: timesIn(seat), leave };
}

async function startBare(field, index) {
  const seat = await takeSeat(field, PROFILES[index % PROFILES.length], { seed: index });
  const { terminal } = seat;
  await new Promise((resolve) => {
    let timer;
    terminal.onOutput(() => {
      clearTimeout(timer);
      timer = setTimeout(resolve, STABLE_MS);
    });
  });
  await terminal.paste(contextFor(`fw_bare${index}`).typed);
  await sleep(seat.submitDelayMs);
  await terminal.pressEnter();
  if (!(await seat.until((log) => log.some(({ kind }) => kind === 'submit'), LIMIT_MS))) throw new Error('not taken');
  return { times: timesIn(seat), leave: seat.leave };
}

/** Milliseconds by the agent's own clock. */
function timesIn(seat) {
  const log = seat.log();
  const ready = log.find((entry) => entry.kind === 'shown' && entry.state === 'ready');
  const paste = log.find((entry) => entry.kind === 'paste');
  const submit = log.find((entry) => entry.kind === 'submit');
  const pressed = submit.t - paste.t - seat.submitDelayMs;
  return { typed: paste.t - ready.t, pressed, submitted: submit.t - ready.t - seat.submitDelayMs };
}

function figures(times) {
  const submitted = times.map((one) => one.submitted).sort((a, b) => a - b);
  return {
    typedMs: median(times.map((one) => one.typed)),
    pressedMs: median(times.map((one) => one.pressed)),
    medianMs: median(submitted),
    p90Ms: submitted[Math.floor(0.9 * (submitted.length - 1))],
    mostMs: submitted.at(-1),
  };
}
