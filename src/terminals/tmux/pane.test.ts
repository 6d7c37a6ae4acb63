// Parses tmux's description of a pane.

import assert from 'node:assert/strict';
import { test } from 'vitest';
import { parsePane } from './pane.ts';

const described = (dead: string, deadStatus: string, signal: string, status: string): string =>
  ['%3', '100', '/dev/pts/1', '80', '24', dead, '0', deadStatus, signal, '0', '0', '1', '0', '', '101', status].join(
    '\t',
  );

test('the keeper reports how an agent ended, else tmux does', () => {
  assert.equal(parsePane(described('', '', '', ''))?.exit, undefined);
  assert.deepEqual(parsePane(described('', '', '', '7'))?.exit, { status: 7 });
  assert.deepEqual(parsePane(described('1', '3', '', ''))?.exit, { status: 3 });
  assert.deepEqual(parsePane(described('1', '', '9', ''))?.exit, { status: 137 });
});

test('a pane whose device closed before tmux knew how its process ended is dead, and its end is not known yet', () => {
  const pane = parsePane(described('1', '', '', ''));
  assert.equal(pane?.isDead, true);
  assert.equal(pane.exit, undefined);
});
