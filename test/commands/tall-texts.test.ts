// Texts that are taller than the screen of an agent of one's own, whatever its composer shows of them. A detached session has 40
// rows.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { SessionRecord } from '../../src/kernel/session.ts';
import { type Live, lively as test } from './live.ts';

const LINES = Array.from({ length: 60 }, (_, index) => `line ${index + 1} of a long text about the route`);
const TALL = LINES.join('\n');
const PROGRAM = join(import.meta.dirname, '../agents/line-agent.mjs');

describe.concurrent('foreword send of 60 lines at 40 rows', () => {
  test.for([
    ['a composer that scrolls', 'plain', null],
    ['a box that scrolls', 'boxed', null],
    ['a placeholder', 'plain', { lines: 10, chars: 1000, style: 'numbered' }],
    ['a placeholder in a box', 'boxed', { lines: 10, chars: 1000, style: 'about' }],
  ] as const)('is submitted once to an agent that shows it in %s', async ([, profile, collapse], { live }) => {
    const here = live({ collapse }, { profile });
    const { id } = await here.start();
    await sendTall(here, id);
    const seen = here.seen();
    expect(seen).toMatchObject({ harms: [], pastedTwice: {}, duplicates: {}, bytesOutsideEmptyComposer: 0 });
    expect(seen.servedTexts.filter((text) => text.includes(TALL))).toHaveLength(1);
  });

  test('is submitted once to an agent whose screen shows nothing but its end', async ({ live }) => {
    const here = live({}, { settings: { agents: { tui: lineAgent } } });
    const submits = `${here.project}/submits.jsonl`;
    const { session } = await here.json<{ session: SessionRecord }>(['start', 'tui', '--detach', '--', submits]);
    await sendTall(here, session.id);
    const taken = existsSync(submits) ? readFileSync(submits, 'utf8').trimEnd().split('\n') : [];
    expect(taken.filter((line) => JSON.parse(line).includes(TALL))).toHaveLength(1);
  });
});

async function sendTall(here: Live, id: string): Promise<void> {
  const sent = await here.run(['send', id, '-', '--wait', 'submitted'], TALL);
  expect(sent, sent.stderr).toMatchObject({ status: 0 });
  expect(sent.stdout).toMatch(/^fw_[0-9a-f]{12}: submitted /);
}

const lineAgent = {
  interactive: { command: [process.execPath, PROGRAM] },
  screens: [
    { state: 'busy', bottom: 'esc to interrupt' },
    { state: 'ready', cursorLine: '^>( |$)' },
  ],
  composer: { line: '^> ?(.*)$' },
  submit: { key: 'enter', delayMs: 100 },
  ladder: ['typed', 'file', 'notice'],
  file: 'AGENTS.md',
};
