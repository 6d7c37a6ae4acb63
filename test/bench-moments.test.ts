// What bench/moments.mjs and bench/lag.mjs make of single trials: what counts as a shorter prefix, and what they call missed.

import { expect, test } from 'vitest';
import { falseReceipts, hostileCounts, hostileSection, oracleLine } from '../bench/agents/hostile-summary.mjs';
import { type LagStart, laggards, lagLines, lags } from '../bench/agents/lag-summary.mjs';
import { cleanCounts, cleanSection } from '../bench/audit-clean-summary.mjs';
import { type LedgerRun, totals, withRun } from '../bench/ledger.mjs';
import { countsOf, section, summarise, type Trial, type TrialPrefix, wrongIn } from '../bench/moments/summary.mjs';

const whole = { step: 'prompt', nth: 1, all: 900, kept: 700, found: 700, of: 700 };
const cut = (kept: number, found = kept): TrialPrefix => ({
  ...{ step: 'prompt', nth: 1, all: 900, kept, found, of: 700 },
  broken: { place: 'conversation', part: 5, character: 3 },
});
const trial = (way: 'with' | 'without', prefix: TrialPrefix, isRight = true): Trial => ({
  ...{ row: 'turns claude', way, version: '1.0.0', load: 1.5, isRight },
  prefixes: [{ step: 'prompt', nth: 0, all: 700 }, prefix],
});
const shorterOf = (ours: TrialPrefix, ...bare: TrialPrefix[]) =>
  summarise([trial('with', ours), ...bare.map((one) => trial('without', one))]).shorter.length;

test('a request that begins with all of an earlier one lost nothing, however long it is', () => {
  expect(shorterOf(whole, { ...whole, kept: 800, found: 800, of: 800 })).toBe(0);
});

test('a cut is shorter where nothing is cut without foreword, even if more characters are left', () => {
  expect(shorterOf(cut(650), { ...whole, kept: 600, found: 600, of: 600 })).toBe(1);
});

test('where both are cut, the characters count', () => {
  expect(shorterOf(cut(300), cut(300))).toBe(0);
  expect(shorterOf(cut(310), cut(300))).toBe(0);
  expect(shorterOf(cut(299), cut(300))).toBe(1);
});

test('a cut before the first text of the same entry is the same cut, whatever marks stand there', () => {
  const at = (kept: number, character: number, part = 13) => ({
    ...cut(kept),
    broken: { place: 'conversation' as const, part, character },
  });
  expect(shorterOf(at(300, 25), at(301, 26))).toBe(0);
  expect(shorterOf(at(300, 25), at(400, 26, 14))).toBe(1);
  expect(shorterOf(at(300, 27), at(301, 28))).toBe(1);
});

test('what is unchanged but not found is shorter where it is found without foreword', () => {
  expect(shorterOf(cut(300, 0), cut(300, 200))).toBe(1);
  expect(shorterOf({ ...whole, found: 200 }, whole)).toBe(1);
  expect(shorterOf({ ...whole, found: 200 }, { ...whole, found: 150 })).toBe(0);
});

test('an agent that keeps now more, now less by itself is compared with its least', () => {
  expect(shorterOf(cut(300), cut(500), cut(300))).toBe(0);
  expect(shorterOf(cut(299), cut(500), cut(300))).toBe(1);
});

test('a request that the other way has not is not compared', () => {
  const result = summarise([trial('with', { ...cut(10), step: 'start' }), trial('without', whole)]);
  expect(result).toMatchObject({ compared: 0, shorter: [] });
});

test('what is missed is named: wrong trials, shorter prefixes, scripts that did not run through', () => {
  const trials = [trial('with', cut(10), false), trial('with', whole), trial('without', whole, false)];
  expect(wrongIn(trials)).toEqual([
    'turns claude: 1 of 2 right',
    'turns claude: 1 trials without foreword did not run through',
    'turns claude, prompt, request 2: 10 kept, 10 found, 700 without foreword, cut in the conversation',
  ]);
  expect(section(countsOf(trials))).toContain('| turns claude | 1.0.0 | 1 of 2 | 1 | 2 | 1 | 1.5 to 1.5 |');
  expect(wrongIn([trial('with', whole), trial('without', whole)])).toEqual([]);
});

test('runs add up, one that is written again counts once, and another version has a row of its own', () => {
  const run = (id: string, commit: string, ...trials: readonly Trial[]): LedgerRun => ({
    ...{ id, commit, rows: countsOf(trials) },
  });
  const runs = [
    run('2026-01-02', 'b', trial('with', whole), trial('with', cut(10), false)),
    run('2026-01-01', 'a', { ...trial('with', whole), load: 9 }, trial('without', whole)),
    run('2026-01-02', 'b', trial('with', whole), { ...trial('with', whole), version: '2.0.0' }),
  ].reduce<readonly LedgerRun[]>(withRun, []);
  expect(runs.map(({ id }) => id)).toEqual(['2026-01-01', '2026-01-02']);
  expect(totals(runs)).toMatchObject([
    {
      row: 'turns claude',
      version: '1.0.0',
      trials: 2,
      right: 2,
      without: 1,
      load: [1.5, 9],
      commits: ['a', 'b'],
      runs: 2,
    },
    { row: 'turns claude', version: '2.0.0', trials: 1, right: 1, load: [1.5, 1.5], commits: ['b'], runs: 1 },
  ]);
});

test('starts of the hostile oracle are counted by agent and row, and a false receipt shows in the first lines', () => {
  const one = { agent: 'codex', row: 'a dead port', receipts: 2, claimed: 1, untrue: 0 };
  const load: [number, number] = [1, 2];
  const about = { versionOf: () => '1.0.0', load };
  const counts = hostileCounts([one, one, { ...one, agent: 'pi', untrue: 1 }], about);
  expect(counts).toMatchObject([
    { row: 'codex: a dead port', starts: 2, receipts: 4, claimed: 2, untrue: 0 },
    { row: 'pi: a dead port', starts: 1, untrue: 1 },
  ]);
  expect(hostileSection(counts)).toContain('In all: 1 false in 3 starts.');
  expect(hostileSection(counts.slice(0, 1))).toContain('In all: 0 false in 2 starts.');
});

test('one false receipt in one start of the oracle is named, whatever other starts say', () => {
  const one = { agent: 'codex', row: 'a dead port', receipts: 2, claimed: 2, untrue: 0 };
  expect(falseReceipts([one, one])).toEqual([]);
  const starts = [one, { ...one, untrue: 1 }, one];
  expect(falseReceipts(starts)).toEqual(['false receipt: codex: a dead port, 1 of 2 that claim an answer']);
  expect(oracleLine(starts)).toBe('hostile oracle: 3 starts, 6 receipts claim an answer, 1 of them false');
});

test('clean sessions are counted by agent, and every finding in them shows in the first lines', () => {
  const home = { agent: 'codex', load: 1.24, sessions: 5, told: 4, prompts: 6, served: 10, findings: [] };
  const wrong = { ...home, agent: 'pi', sessions: 3, findings: [{ kind: 'again', count: 2 }], fault: 'it ended' };
  const counts = cleanCounts([home, { ...home, load: 3 }, wrong], () => '1.0.0');
  expect(counts).toMatchObject([
    { row: 'codex', homes: 2, sessions: 10, told: 8, prompts: 12, findings: 0, cut: 0, load: [1.2, 3] },
    { row: 'pi', sessions: 3, findings: 2, cut: 1 },
  ]);
  expect(cleanSection(counts)).toContain('In all: 2 findings in 13 sessions, of which 12 are known');
});

const start = (row: string, round: number, servedMs: number): LagStart => ({
  ...{ agent: 'claude', version: '1.0.0', row, round, load: 2, served: true, servedMs, copies: 1 },
});

test('the lag is that of the medians; the differences within a round stand beside it', () => {
  const starts = [0, 1, 2].flatMap((round) => [
    start('bound', round, 1000 + round * 500),
    start('ladder', round, 1300 + round * 500),
    start('typed', round, 1500 + (2 - round) * 500),
  ]);
  expect(lags(starts)).toMatchObject([
    { row: 'ladder', rounds: 3, overMs: 300, pairedMs: 300, limitMs: 400 },
    { row: 'typed', rounds: 3, overMs: 500, pairedMs: 500, limitMs: 600 },
  ]);
  expect(laggards(starts)).toEqual([]);
  expect(lagLines(starts)[2]).toContain(
    '| claude 1.0.0 | ladder | 3 of 3 | 1.80 s | 1.50 s | 0.30 s | 0.30 s | 0.40 s |',
  );
});

test('what is later than its limit, not served or given twice is named; a busy machine has twice the time', () => {
  const late = [start('bound', 0, 1000), start('ladder', 0, 1700), start('typed', 0, 1700)];
  expect(laggards(late)).toEqual([
    'claude, ladder: 700 ms over the bound, not 400',
    'claude, typed: 700 ms over the bound, not 600',
  ]);
  expect(laggards(late, { factor: 2 })).toEqual([]);
  const codex = late.map((one) => ({ ...one, agent: 'codex' }));
  expect(laggards(codex)).toEqual(['codex, ladder: 700 ms over the bound, not 400']);
  const { servedMs: _, ...rest } = start('ladder', 1, 0);
  const lost = [...late, { ...rest, served: false }, { ...start('typed', 1, 1700), copies: 2 }];
  expect(laggards(lost, { factor: 2 })).toEqual([
    'claude, ladder: 1 of 2 served once',
    'claude, typed: 1 of 2 served once',
  ]);
});
