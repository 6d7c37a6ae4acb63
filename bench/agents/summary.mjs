// From single starts to the published table. Pure; a share is given with the exact one-sided bound of 95 % (Clopper and
// Pearson): with 50 of 50 that is 94.2 %, and 0 of 50 means less than 5.8 %.

const CONFIDENCE = 0.95;

/** The share below which the true one lies with less than 5 %, given k of n. */
export function atLeast(k, n) {
  if (n === 0 || k === 0) return 0;
  // The probability of k or more of n grows with p.
  return bisect((p) => tail(k, n, p) < 1 - CONFIDENCE);
}

/** The share above which the true one lies with less than 5 %. */
export function atMost(k, n) {
  return n === 0 ? 1 : 1 - atLeast(n - k, n);
}

function bisect(isTooLow) {
  let [low, high] = [0, 1];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (isTooLow(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** P(X ≥ k) of n tries with p each, by logarithms: no factorial overflows. */
function tail(k, n, p) {
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  let sum = 0;
  let logChoose = 0;
  for (let i = 0; i <= n; i += 1) {
    if (i > 0) logChoose += Math.log(n - i + 1) - Math.log(i);
    if (i >= k) sum += Math.exp(logChoose + i * Math.log(p) + (n - i) * Math.log1p(-p));
  }
  return sum;
}

/** One row of the results from its starts. `bound` are the starts of the bound in the same conditions. */
export function summarise(starts, bound) {
  const count = (test) => starts.filter(test).length;
  const n = starts.length;
  const isOurs = starts.some(({ attempts }) => attempts !== undefined);
  const servedMs = medianOf(starts);
  const boundMs = medianOf(bound);
  return {
    agent: starts[0].agent,
    version: starts[0].version,
    row: starts[0].row,
    starts: n,
    served: share(
      count(({ served }) => served),
      n,
    ),
    ...(isOurs ? { firstAttempt: share(count(isFirst), n) } : {}),
    ...(isOurs
      ? {
          acknowledged: share(
            count(({ acknowledged, asked }) => acknowledged && asked),
            n,
          ),
        }
      : {}),
    duplicates: count(({ copies }) => copies > 1),
    partial: count(({ partial }) => partial === true),
    interrupted: count(({ interrupted }) => interrupted === true),
    ...(starts.some(({ dialogTouched }) => dialogTouched !== undefined)
      ? { intoDialog: count(({ dialogTouched }) => dialogTouched === true) }
      : {}),
    ...(starts.some(({ reported }) => reported !== undefined)
      ? { reported: count(({ reported }) => reported === true) }
      : {}),
    ...(starts.some(({ claimed }) => claimed !== undefined)
      ? { claimedNotServed: count(({ claimed, served }) => claimed === true && !served) }
      : {}),
    ...(servedMs === undefined ? {} : { medianMs: servedMs }),
    ...(boundMs === undefined ? {} : { boundMs }),
    load: { median: middle(starts.map(({ load }) => load)), most: Math.max(...starts.map(({ load }) => load)) },
  };
}

function isFirst({ served, attempts, row, channel }) {
  const wanted = row.startsWith('typed') ? channel === 'typed' : channel === 'flag' || channel === 'hook';
  return served && attempts <= 1 && wanted;
}

function share(k, n) {
  return { count: k, atLeast: Math.floor(atLeast(k, n) * 1000) / 1000 };
}

function medianOf(starts) {
  return middle(starts.flatMap(({ servedMs }) => (servedMs === undefined ? [] : [servedMs])));
}

function middle(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** The results as a section for docs/figures.md, without its heading. */
export function section({ results, machine }) {
  const agents = [...new Set(results.map(({ agent }) => agent))];
  const lines = [
    'Cold starts of the real agents at their pinned versions, each with a home of its own, offline, against the loopback',
    'model, whose recorded requests decide. `bound` is the agent alone with the same text as the prompt of its launch;',
    '`naive` is a pause of 3 s, then silence, then the text as plain keys and Enter in tmux. All rows of an agent were',
    `taken in turns in one run (${machine}). In brackets: what the true share exceeds with 95 % confidence (exact`,
    'binomial). "Trust question": the agent asks whether the folder is trusted, and a person answers after ten seconds.',
    '"At work": it answers a first prompt for ten seconds. "Under load": two busy loops beside it. Typed',
    'text comes later than the bound: the screen must be still for 0.3 s, and there is a pause before the submit key. Made',
    'by `npm run bench:agents`; nothing here is written by hand.',
  ];
  for (const agent of agents) {
    const own = results.filter((result) => result.agent === agent);
    lines.push('', `### ${agent} ${own[0].version}`, '', ...tableOf(own));
  }
  return lines.join('\n');
}

const HEAD = [
  'row',
  'starts',
  'served at the first attempt',
  'served',
  'acknowledged',
  'given twice',
  'typed into a question',
  'claimed, not served',
  'launch to served, median',
  'bound',
  'load',
];

function tableOf(results) {
  const rows = results.map((result) => [
    result.row,
    String(result.starts),
    shareText(result.firstAttempt, result.starts),
    shareText(result.served, result.starts),
    shareText(result.acknowledged, result.starts),
    String(result.duplicates),
    result.intoDialog === undefined ? '' : String(result.intoDialog),
    result.claimedNotServed === undefined ? '' : String(result.claimedNotServed),
    seconds(result.medianMs),
    result.row.startsWith('bound') ? '' : seconds(result.boundMs),
    `${result.load.median.toFixed(1)} to ${result.load.most.toFixed(1)}`,
  ]);
  const line = (cells) => `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`;
  return [HEAD, HEAD.map(() => '---'), ...rows].map(line);
}

function shareText(value, n) {
  return value === undefined ? '' : `${value.count} of ${n} (${(value.atLeast * 100).toFixed(1)} %)`;
}

function seconds(value) {
  return value === undefined ? '' : `${(value / 1000).toFixed(2)} s`;
}

/** What was wanted and did not come about, in words. */
export function missed(results) {
  return results.flatMap((result) => {
    const { agent, row, starts: n } = result;
    const wants = [];
    const want = (holds, words) => holds || wants.push(`${agent}, ${row}: ${words}`);
    if (row === 'ladder') want(result.firstAttempt.count === n, `first attempt ${result.firstAttempt.count} of ${n}`);
    if (row === 'typed')
      want(result.firstAttempt.count >= n * 0.98, `first attempt ${result.firstAttempt.count} of ${n}`);
    if (row.startsWith('ladder') || row.startsWith('typed')) {
      want(result.served.count === n, `served ${result.served.count} of ${n}`);
      want(result.acknowledged.count >= n * 0.96, `acknowledged ${result.acknowledged.count} of ${n}`);
      want(result.duplicates === 0, `given twice ${result.duplicates} times`);
      want((result.intoDialog ?? 0) === 0, `typed into a question ${result.intoDialog} times`);
      want(result.interrupted === 0, `an answer was interrupted ${result.interrupted} times`);
    }
    if (row === 'ladder' || row === 'typed')
      want(result.medianMs - result.boundMs <= 500, `${result.medianMs - result.boundMs} ms over the bound`);
    return wants;
  });
}
