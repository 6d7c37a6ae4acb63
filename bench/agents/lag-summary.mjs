// What the starts of bench/lag.mjs add up to. Pure.

/** Milliseconds over the bound at the median. Codex takes a paste slower than the others. */
const LIMITS = { ladder: () => 400, typed: (agent) => (agent === 'codex' ? 900 : 600) };

/** Of each agent and way: the medians, and the median of the differences within a round. */
export function lags(starts) {
  const agents = [...new Set(starts.map(({ agent }) => agent))];
  return agents.flatMap((agent) =>
    Object.keys(LIMITS).flatMap((row) => {
      const own = starts.filter((one) => one.agent === agent);
      const ours = own.filter((one) => one.row === row);
      const bound = own.filter((one) => one.row === 'bound');
      const pairs = ours.flatMap((one) => {
        const other = bound.find(({ round }) => round === one.round);
        return one.served && other?.served ? [one.servedMs - other.servedMs] : [];
      });
      if (pairs.length === 0) return [];
      const [oursMs, boundMs] = [ours, bound].map((all) => median(all.flatMap((one) => one.servedMs ?? [])));
      const load = own.map((one) => one.load);
      return {
        ...{ agent, row, version: own[0].version, starts: ours.length, rounds: pairs.length },
        served: ours.filter((one) => one.served && one.copies === 1).length,
        ...{ oursMs, boundMs, overMs: oursMs - boundMs, pairedMs: median(pairs) },
        ...{ limitMs: LIMITS[row](agent), load: [Math.min(...load), Math.max(...load)] },
      };
    }),
  );
}

export function lagLines(starts) {
  const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
  return [
    '| agent | way | served once | launch to model, median | bound, median | over it | within a round | limit | load |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...lags(starts).map(
      ({ agent, version, row, starts: n, served, oursMs, boundMs, overMs, pairedMs, limitMs, load }) =>
        `| ${agent} ${version} | ${row} | ${served} of ${n} | ${seconds(oursMs)} | ${seconds(boundMs)} | ${seconds(overMs)} | ${seconds(pairedMs)} | ${seconds(limitMs)} | ${load.map((one) => one.toFixed(1)).join(' to ')} |`,
    ),
  ];
}

/** What was wanted and did not come about; `factor` for a busy machine. */
export function laggards(starts, { factor = 1 } = {}) {
  return lags(starts).flatMap(({ agent, row, starts: n, served, overMs, limitMs }) => [
    ...(served < n ? [`${agent}, ${row}: ${served} of ${n} served once`] : []),
    ...(overMs > limitMs * factor ? [`${agent}, ${row}: ${overMs} ms over the bound, not ${limitMs * factor}`] : []),
  ]);
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : Math.round((sorted[middle - 1] + sorted[middle]) / 2);
}
