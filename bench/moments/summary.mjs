// From single trials to the published table. Pure.
//
// A request has a shorter prefix with foreword when an earlier one is cut off in it and without foreword either none is, at the same request
// of the same script, or more of it stands unchanged. A request whose beginning is all of an earlier one has nothing to lose.

/** Of one row: the trials that were right, and the requests of which more was kept without foreword. */
export function summarise(trials) {
  const ours = trials.filter(({ way }) => way === 'with');
  const bare = trials.filter(({ way }) => way === 'without');
  const least = leastKept(bare);
  const pairs = ours.flatMap(({ prefixes = [] }) =>
    prefixes.flatMap((one) => {
      const other = least.get(keyOf(one));
      return other === undefined || one.kept === undefined ? [] : [{ one, other }];
    }),
  );
  return {
    row: trials[0].row,
    version: trials[0].version,
    trials: ours.length,
    right: ours.filter(({ isRight }) => isRight).length,
    without: bare.length,
    unlike: bare.filter(({ isRight }) => !isRight).length,
    compared: pairs.length,
    shorter: pairs.filter(isShorter).map(({ one, other }) => ({ ...one, without: other.kept })),
    load: [Math.min(...ours.map(({ load }) => load)), Math.max(...ours.map(({ load }) => load))],
  };
}

function keyOf({ step, nth }) {
  return `${step} ${nth}`;
}

/** By request of the script: the least that was kept of an earlier one in any trial. */
function leastKept(trials) {
  const least = new Map();
  for (const { prefixes = [] } of trials)
    for (const one of prefixes) {
      const known = least.get(keyOf(one));
      if (one.kept !== undefined && (known === undefined || one.kept < known.kept)) least.set(keyOf(one), one);
    }
  return least;
}

/** What stands before the first text of an entry: no model reads it, and after a compaction two entries are alike up to there. */
const BEFORE_TEXT = '{"role":"user","content":"'.length;

function isShorter({ one, other }) {
  const isSameCut = beginOfCut(one) === beginOfCut(other) && [one, other].every(isBeforeText);
  if (isSameCut) return false;
  if (one.broken === undefined) return one.found < one.kept && other.found === other.kept;
  return other.broken === undefined || one.kept < other.kept || one.found < other.found;
}

/** Where the entry begins that is cut. */
function beginOfCut({ kept, broken }) {
  return broken === undefined ? undefined : kept - broken.character;
}

function isBeforeText({ kept, found, broken }) {
  return kept === found && broken?.place === 'conversation' && broken.character <= BEFORE_TEXT;
}

/** One per row and version. */
export function resultsOf(trials) {
  const nameOf = ({ row, version }) => `${row}\n${version}`;
  const names = [...new Set(trials.map(nameOf))];
  return names.map((name) => summarise(trials.filter((one) => nameOf(one) === name)));
}

export function wrongIn(trials) {
  return resultsOf(trials).flatMap(({ row, trials: n, right, unlike, shorter }) => [
    ...(right < n ? [`${row}: ${right} of ${n} right`] : []),
    ...(unlike > 0 ? [`${row}: ${unlike} trials without foreword did not run through`] : []),
    ...shorter.map(
      ({ step, nth, kept, found, without, broken }) =>
        `${row}, ${step}, request ${nth + 1}: ${kept} kept, ${found} found, ${without} without foreword, cut in the ${broken?.place ?? 'marks'}`,
    ),
  ]);
}

/** What a ledger keeps of the results: counts alone. */
export function countsOf(trials) {
  return resultsOf(trials).map(({ shorter, unlike: _, ...counts }) => ({ ...counts, shorter: shorter.length }));
}

/** Counts, of one run or of several together, as a section for docs/figures.md, without its heading. */
export function section(counts) {
  return [
    '`npm run bench:moments`: the real agents at their pinned versions, each trial with a home and a project of its own, offline, against the loopback',
    'model, whose recorded requests decide. *Right*: the model was given what the moment promises, in the request that it promises, once.',
    'The same script ran without foreword; *requests compared* are those that both have, and *shorter prefix* counts those in which less of an',
    'earlier request stands unchanged at the beginning with foreword than without it (tools, instructions, conversation; whole blocks up to a',
    'mark with Anthropic, characters with the others). Runs add up in `bench/ledger/moments.json`, which names the code of each. Nothing here is',
    'written by hand.',
    '',
    '| moment | versions | right | trials without foreword | requests compared | shorter prefix | load |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...counts.map(
      ({ row, version, trials: n, right, without, compared, shorter, load }) =>
        `| ${row} | ${version} | ${right} of ${n} | ${without} | ${compared} | ${compared === 0 ? '' : shorter} | ${load.map((value) => value.toFixed(1)).join(' to ')} |`,
    ),
  ].join('\n');
}
