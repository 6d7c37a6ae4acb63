// How long a hand-over takes for a task with 1,000 attempts. Run: node bench/handover.mjs
// Target: the median and the 99th percentile of 2,000 builds under 1 ms, since it is built before every attempt.

import { importSource } from '../scripts/import-source.mjs';

const BUILDS = 2000;
const ATTEMPTS = 1000;
const TARGET_MS = 1;

const { composeHandover } = await importSource('src/context/handover/handover.ts');

const attempts = Array.from({ length: ATTEMPTS }, (_, index) => ({
  attemptNumber: index + 1,
  provider: 'gemini',
  timestamp: '2026-01-04T10:00:00.000Z',
  files_created: index % 10 === 0 ? [`src/part-${index}.ts`] : [],
  files_updated: ['src/index.ts', `src/part-${index - (index % 10)}.ts`],
  files_deleted: [],
  status: 'failed',
  validationErrors: [`${index % 7} of 40 tests failed`, 'GET /api/health answers 404', 'coverage is below 80 %'],
  exitReason: 'validation_failure',
  durationMs: 60_000,
}));

for (const nextAgent of ['gemini', 'codex']) {
  const times = [];
  let last;
  for (let build = 0; build < BUILDS; build += 1) {
    const startedAt = performance.now();
    last = composeHandover({ attempts, nextAgent });
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(share * (times.length - 1))];
  const isGood = at(0.5) < TARGET_MS && at(0.99) < TARGET_MS;
  console.log(
    `${last.type.padEnd(15)} ${ATTEMPTS} attempts, ${BUILDS} builds: median ${at(0.5).toFixed(3)} ms, ` +
      `p99 ${at(0.99).toFixed(3)} ms, ${last.text.length} characters; target under ${TARGET_MS} ms: ${isGood ? 'met' : 'missed'}`,
  );
}
