// What every benchmark here shares: interleaved rounds in one run, medians, and a table. Figures are ratios to a
// baseline measured in the same run; absolute times depend on the machine and are shown for orientation.

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Runs each candidate once per round, in turn, and answers the median milliseconds of each. */
export async function interleave(candidates, rounds, warmUp = 2) {
  const times = Object.fromEntries(Object.keys(candidates).map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(candidates)) {
      const started = performance.now();
      await run();
      if (round >= 0) times[name].push(performance.now() - started);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]));
}

/** `rows`: [what, value, target, holds]. Prints a table; a target that does not hold is marked, not thrown. */
export function table(title, rows) {
  console.log(`\n${title}`);
  const width = Math.max(...rows.map(([what]) => what.length));
  for (const [what, value, target, holds] of rows) {
    const verdict = holds === undefined ? '' : holds ? '  ok' : '  MISSED';
    console.log(`  ${what.padEnd(width)}  ${value.padStart(12)}  ${target ?? ''}${verdict}`);
  }
}

export const ms = (value) => `${value.toFixed(value < 1 ? 3 : 1)} ms`;
export const times = (value) => `${value.toFixed(2)} x`;
