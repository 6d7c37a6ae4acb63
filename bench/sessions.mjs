// Live sessions on the scripted terminal agent of the tests: how soon the first text is in once the agent is ready, how
// that compares with a fixed pause and silence on the same random starts, and what fifty idle sessions cost. Times are
// from the agent's own log.
// Usage: node bench/sessions.mjs [--starts N] [--seed N] [--at-once N] [--json]
// --starts: random starts for the comparison (40; the full count is 200). --at-once: how many of them together (14).

import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median, ms, table } from './measure.mjs';
import { measurePromptness } from './sessions/promptness.mjs';
import { openField } from './sessions/seat.mjs';
import { compareWays } from './sessions/ways.mjs';

const PROMPT_STARTS = 50;
const SESSIONS = 50;
const IDLE_SECONDS = 10;
const WANTED_MS = 400;

const text = { type: 'string' };
const { values } = parseArgs({
  options: { starts: text, seed: text, 'at-once': text, json: { type: 'boolean' } },
});
const starts = Number(values.starts ?? 40);
const seed = Number(values.seed ?? 1);
const atOnce = Number(values['at-once'] ?? 14);

const field = await openField();
const report = { load: { cores: cpus().length, before: loadavg() } };
try {
  report.prompt = await measurePromptness(field, PROMPT_STARTS);
  const ways = await compareWays(field, { starts, atOnce, seed });
  report.ways = { starts, seed, atOnce, ...Object.fromEntries(Object.entries(ways).map(([k, v]) => [k, summary(v)])) };
  report.ways.both = pairs(ways);
  report.outcomes = Object.values(ways).flat();
} finally {
  await field.close();
}
report.idle = idleSessions();
report.load.after = loadavg();

if (values.json) console.log(JSON.stringify(report, null, 2));
else show(report);

function summary(outcomes) {
  const whole = outcomes.filter(({ isWhole }) => isWhole);
  const harmed = outcomes.filter(({ harms }) => harms.length > 0);
  const share = (some) => some.length / outcomes.length;
  const kinds = [...new Set(outcomes.flatMap((one) => one.kinds))];
  return {
    whole: share(whole),
    harmed: share(harmed),
    claimedNotServed: share(outcomes.filter(({ isClaimed, isWhole }) => isClaimed && !isWhole)),
    ended: share(outcomes.filter(({ hasGone }) => hasGone)),
    submitMs: finite(median(outcomes.map((one) => (one.isWhole ? one.submitMs : Number.POSITIVE_INFINITY)))),
    harms: counted(harmed.flatMap(({ harms }) => harms)),
    wholeByKind: Object.fromEntries(
      kinds.map((kind) => {
        const those = outcomes.filter((one) => one.kinds.includes(kind));
        return [kind, `${those.filter(({ isWhole }) => isWhole).length} of ${those.length}`];
      }),
    ),
  };
}

/** The seeds that both ways served: otherwise the way that loses the slow starts would look quick. */
function pairs({ ours, timed }) {
  const served = new Set(timed.filter(({ isWhole }) => isWhole).map((one) => one.seed));
  const seeds = new Set(ours.filter((one) => one.isWhole && served.has(one.seed)).map((one) => one.seed));
  const medians = (outcomes) => {
    const those = outcomes.filter((one) => seeds.has(one.seed));
    const of = (name) => (those.length === 0 ? null : median(those.map((one) => one[name])));
    return { submitMs: of('submitMs'), afterReadyMs: of('afterReadyMs') };
  };
  return { count: seeds.size, ours: medians(ours), timed: medians(timed) };
}

/** In a process of its own, so that nothing of the rest is counted. */
function idleSessions() {
  const args = ['--expose-gc', join(import.meta.dirname, 'sessions/idle.mjs'), String(SESSIONS), String(IDLE_SECONDS)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
}

function show({ load, prompt, ways, idle }) {
  const told = (values) => values.map((value) => value.toFixed(1)).join(' ');
  console.log(
    `load of the last 1, 5, 15 minutes on ${load.cores} cores: ${told(load.before)}; at the end ${told(load.after)}`,
  );
  const { ours: first, bare } = prompt;
  table(`from the ready screen to the submitted text, without the agent's submit delay; ${prompt.starts} starts`, [
    ['submitted, median', ms(first.medianMs), 'at most 400 ms', first.medianMs <= WANTED_MS],
    ['… 90 of 100', ms(first.p90Ms)],
    ['… slowest', ms(first.mostMs)],
    ['… of it until the text is typed, median', ms(first.typedMs)],
    ['… of it until the key is pressed, median', ms(first.pressedMs)],
    ['bare: 300 ms of silence, paste, Enter; median', ms(bare.medianMs)],
    ['… 90 of 100', ms(bare.p90Ms)],
    ['ours later by, at the median', ms(first.medianMs - bare.medianMs)],
  ]);
  const { ours, timed } = ways;
  const beside = (one, other) => `${one.padStart(8)} | ${other.padStart(8)}`;
  const both = (name, shown) => [name, beside(shown(ours), shown(timed))];
  const percent = (name) => (way) => `${(way[name] * 100).toFixed(1)} %`;
  const seconds = (value) => (value === null ? 'never' : `${(value / 1000).toFixed(2)} s`);
  const pair = (of, name) => beside(seconds(of.ours[name]), seconds(of.timed[name]));
  table(`${ways.starts} random starts: a session | 3 s, then 1.5 s of silence, then plain keys`, [
    [...both('served whole, once', percent('whole'))],
    [
      ...both('harmed: keys into a question, line mode, no composer', percent('harmed')),
      'a session: none',
      ours.harmed === 0,
    ],
    [...both('claimed, not served', percent('claimedNotServed')), 'a session: none', ours.claimedNotServed === 0],
    both('the agent ended by it', percent('ended')),
    [`launch to submit, median of ${ways.both.count} that both served`, pair(ways.both, 'submitMs')],
    ['first ready screen to submit, the same', pair(ways.both, 'afterReadyMs')],
    ['launch to submit, median of all, not served being never', pair({ ours, timed }, 'submitMs')],
    ...Object.keys(ours.wholeByKind).map((kind) => both(`served: ${kind}`, (way) => way.wholeByKind[kind])),
  ]);
  table(`${idle.sessions} sessions in one process, after one text and a long answer each`, [
    ['sessions whose text was not proved', String(idle.missed.length), 'none', idle.missed.length === 0],
    ['memory of the process before', `${idle.beforeMib.toFixed(1)} MiB`],
    ['… with the sessions', `${idle.afterMib.toFixed(1)} MiB`],
    ['memory per session', `${idle.perSessionMib.toFixed(2)} MiB`],
    ['… of it on the heap', `${idle.heapPerSessionMib.toFixed(2)} MiB`],
    ['… of it in buffers', `${idle.buffersPerSessionMib.toFixed(2)} MiB`],
    ['processor, no session, share of a core', `${idle.baselinePercent.toFixed(2)} %`],
    [
      `processor, all idle for ${idle.seconds} s`,
      `${idle.idlePercent.toFixed(2)} %`,
      'at most 1 %',
      idle.idlePercent <= 1,
    ],
  ]);
}

function counted(values) {
  const counts = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/** JSON knows no infinity. */
function finite(value) {
  return Number.isFinite(value) ? value : null;
}
