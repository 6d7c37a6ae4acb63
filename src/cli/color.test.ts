import { expect, test } from 'vitest';
import { canRedraw, paintedCell, paintedDiffLine, wantsColor } from './color.ts';

test.each([
  [{ TERM: 'xterm' }, true, true],
  [{ TERM: 'xterm' }, false, false],
  [{ TERM: 'dumb' }, true, false],
  [{ TERM: 'xterm', NO_COLOR: '1' }, true, false],
  [{ TERM: 'xterm', NO_COLOR: '' }, true, true],
  [{ TERM: 'xterm', NO_COLOR: '1', FORCE_COLOR: '1' }, true, true],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ TERM: 'xterm', FORCE_COLOR: '0' }, true, false],
])('colour with %j, on a terminal: %s', (env, isTerminal, has) => {
  expect(wantsColor(env, isTerminal)).toBe(has);
});

test('a dumb terminal gets lines, one without colour is drawn again', () => {
  expect(canRedraw({ TERM: 'dumb' }, true)).toBe(false);
  expect(canRedraw({ TERM: 'xterm', NO_COLOR: '1' }, true)).toBe(true);
  expect(canRedraw({ TERM: 'xterm' }, false)).toBe(false);
});

const [GREEN, RED, YELLOW, CYAN, OFF] = ['\u001b[32m', '\u001b[31m', '\u001b[33m', '\u001b[36m', '\u001b[0m'];

test.each([
  ['served', `${GREEN}served${OFF}`],
  ['served 1.2 s  ', `${GREEN}served${OFF} 1.2 s  `],
  ['in place: ~/.claude/settings.json', `${GREEN}in place${OFF}: ~/.claude/settings.json`],
  ['needs-review', `${YELLOW}needs-review${OFF}`],
  ['validation_failure (hang)', `${RED}validation_failure${OFF} (hang)`],
  ['busy, paused', `${CYAN}busy${OFF}, paused`],
  ['failed', `${RED}failed${OFF}`],
  ['failed_task', 'failed_task'],
  ['nothing of ours', 'nothing of ours'],
  ['ready.txt', 'ready.txt'],
  ['', ''],
])('the cell %j', (cell, expected) => {
  expect(paintedCell(cell)).toBe(expected);
});

test('added and removed lines of a diff', () => {
  const lines = ['--- a', '+++ b', '@@ -1 +1 @@', '-old', '+new', ' same'];
  expect(lines.map(paintedDiffLine).join('|')).toBe(
    `\u001b[1m--- a${OFF}|\u001b[1m+++ b${OFF}|${CYAN}@@ -1 +1 @@${OFF}|${RED}-old${OFF}|${GREEN}+new${OFF}| same`,
  );
});
