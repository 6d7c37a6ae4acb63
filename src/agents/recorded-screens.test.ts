// The recorded screens themselves: what tests of rules rely on. Recorded by scripts/record-screens.mjs and
// scripts/record-amp.mjs; those of agents that were not run are called described-….

import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readScreen, writeScreen } from '../kernel/screen.ts';

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.txt'))
  .map((file) => join(import.meta.dirname, file));

test('every screen reads back to its file, has the size of its name and a state for a folder', () => {
  expect(files.length).toBeGreaterThan(500);
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    const screen = readScreen(text);
    expect(writeScreen(screen), file).toBe(text);
    expect(basename(file), file).toContain(`-${screen.cols}x${screen.rows}.txt`);
    expect(screen.lines, file).toHaveLength(screen.rows);
    expect(['starting', 'ready', 'busy', 'asking'], file).toContain(basename(dirname(file)));
  }
});

test('no screen shows a place of the machine it was recorded on', () => {
  // Everything that was made for the recording is below /srv.
  const place = /(?<![\w.:~@-])\/(work|root|home|tmp|usr|var|opt|mnt|Users)\//;
  for (const file of files) expect(readFileSync(file, 'utf8'), file).not.toMatch(place);
});

test('what was typed is in the line of the cursor', () => {
  const typed: Readonly<Record<string, string>> = {
    'draft-typed': 'Please look at the failing test',
    'draft-plain': 'Please look at the failing test',
    'draft-unasked': 'Please look at the failing test',
    'draft-long': 'stop.',
    'draft-slash': '/',
    'draft-shell': 'ls',
    'draft-file': 'see @',
    'draft-while-streaming-1': 'Also run the linter',
    'draft-over-suggestion': 'Also',
    'pasted-3-lines': 'Third and last line',
  };
  let seen = 0;
  for (const file of files) {
    const { lines, cursor } = readScreen(readFileSync(file, 'utf8'));
    const words = typed[basename(file).replace(/^described-|-\d+x\d+\.txt$/g, '')];
    // One agent shows a placeholder for three lines already.
    if (words === undefined || /\[Pasted ~3 lines\]/.test(lines[cursor.row] ?? '')) continue;
    expect(lines[cursor.row], file).toContain(words);
    seen += 1;
  }
  expect(seen).toBeGreaterThan(100);
});

test('each agent that was run has screens of every state, and of every size', () => {
  for (const agent of readdirSync(import.meta.dirname)) {
    const folder = join(import.meta.dirname, agent, 'screens');
    const own = files.filter((file) => file.startsWith(`${folder}/`));
    // Of the others there are only screens made after their source.
    if (own.every((file) => basename(file).startsWith('described-'))) continue;
    for (const state of ['starting', 'ready', 'busy', 'asking'])
      for (const size of ['80x24', '120x40', '200x60'])
        expect(
          own.filter((file) => file.startsWith(`${join(folder, state)}/`) && file.endsWith(`-${size}.txt`)).length,
          `${agent} ${state} ${size}`,
        ).toBeGreaterThan(0);
  }
});
