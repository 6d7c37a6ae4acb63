// What the starts of bench/hostile.mjs add up to. Pure.

/** From a line per start to a row per agent and disturbance. */
export function hostileCounts(starts, { versionOf, load }) {
  const names = [...new Set(starts.map(nameOf))];
  return names.map((row) => {
    const own = starts.filter((one) => nameOf(one) === row);
    const sum = (field) => own.reduce((total, one) => total + one[field], 0);
    return {
      ...{ row, version: versionOf(own[0].agent), starts: own.length },
      ...{ receipts: sum('receipts'), claimed: sum('claimed'), untrue: sum('untrue'), load },
    };
  });
}

function nameOf({ agent, row }) {
  return `${agent}: ${row}`;
}

/** Counts, of one run or of several together, as a section for docs/figures.md, without its heading. */
export function hostileSection(counts) {
  const [starts, untrue] = ['starts', 'untrue'].map((field) => counts.reduce((sum, one) => sum + one[field], 0));
  const bound =
    starts < 30 ? '' : `; 0 of ${starts} means below ${((3 / starts) * 100).toFixed(1)} % at 95 % confidence`;
  return [
    '`npm run bench:hostile`: every receipt of every start is held against the requests that the model answered. *Claimed* are receipts that say',
    '`served` or better, or `delivered`; *false* those that no answered request confirms. Runs add up in `bench/ledger/hostile.json`, which names the',
    `code of each. In all: ${untrue} false in ${starts} starts${untrue === 0 ? bound : ''}.`,
    '',
    '| agent and row | version | starts | receipts | claimed | false | load |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...counts.map(
      (one) =>
        `| ${one.row} | ${one.version} | ${one.starts} | ${one.receipts} | ${one.claimed} | ${one.untrue} | ${one.load.map((value) => value.toFixed(1)).join(' to ')} |`,
    ),
  ].join('\n');
}

/** A line for each start with a receipt that no answered request confirms; one is too many, whatever a second try says. */
export function falseReceipts(starts) {
  return starts
    .filter(({ untrue }) => untrue > 0)
    .map((one) => `false receipt: ${nameOf(one)}, ${one.untrue} of ${one.claimed} that claim an answer`);
}

export function oracleLine(starts) {
  const sum = (field) => starts.reduce((total, one) => total + one[field], 0);
  return `hostile oracle: ${starts.length} starts, ${sum('claimed')} receipts claim an answer, ${sum('untrue')} of them false`;
}
