import { expect, test } from 'vitest';
import { type LineupCandidate, lineupFault, lineupNotes, proposeLineup } from './lineup.ts';

const USUAL = ['gemini', 'codex', 'claude'];
const here = (name: string, more: Partial<LineupCandidate> = {}): LineupCandidate => ({
  name,
  isInstalled: true,
  ...more,
});

test('the installed agents are proposed in the usual order, others behind them, one that is no longer served last', () => {
  const gone = { retired: 'Nobody serves it.' };
  expect(proposeLineup([here('pi'), here('claude'), here('gemini', gone), here('codex')], USUAL)).toEqual([
    'codex',
    'claude',
    'pi',
    'gemini',
  ]);
  expect(proposeLineup([here('claude', { isInstalled: false })], USUAL)).toEqual([]);
});

test('an agent that could not be started is left out and named', () => {
  const all = [here('codex', { cannotStart: 'cannot start: codex exited' }), here('claude')];
  expect(proposeLineup(all, USUAL)).toEqual(['claude']);
  expect(lineupNotes(all)).toEqual(['codex is not in the lineup: cannot start: codex exited.']);
});

test('whom the vendor no longer serves is named where the agent is installed', () => {
  const retired = 'Nobody serves it.';
  expect(lineupNotes([here('gemini', { retired })])).toEqual([retired]);
  expect(lineupNotes([here('gemini', { retired, isInstalled: false })])).toEqual([]);
});

test('a lineup of unknown or doubled names is refused', () => {
  const all = [here('codex'), here('claude')];
  expect(lineupFault(['claude', 'codex'], all)).toBe(undefined);
  expect(lineupFault(['claude', 'nope'], all)).toMatch(/^there is no agent "nope" .* codex, claude$/);
  expect(lineupFault(['claude', 'claude'], all)).toBe('each agent is named once');
  expect(lineupFault([], all)).toBe('a lineup names at least one agent');
});
