// What an agent shows while it works or asks, quoted in the conversation: by the model in an answer, or by a person in a prompt.
// It is drawn as the conversation is, right up to the agent's own lines above the composer, and must change no reading.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RecordingFacts } from '../kernel/agent-recording.ts';
import { readScreen, type Screen } from '../kernel/screen.ts';
import { composerRows } from '../sessions/composer-line.ts';
import { readReadiness } from '../sessions/readiness.ts';
import { makeLineMatcher } from '../system/patterns/linear.ts';
import { AGENTS } from './index.ts';
import { RECORDINGS } from './recordings.ts';

const match = makeLineMatcher();

/** Of other agents, and of versions that nobody recorded. */
const COMMON = [
  'Working (3s • esc to interrupt)',
  '• Working (3s • esc to interrupt)',
  '⠼ Thinking... (esc to cancel, 3s)',
  '✻ Compacting conversation… (12s · ↓ 1 tokens)',
  '◉ Executing · 4 B esc esc interrupt',
  '── ⠦ Working ──────────────',
  'Do you want to proceed?',
  'Press enter to confirm or esc to cancel',
];

const agents = AGENTS.flatMap(({ name, interactive }) => {
  const facts = RECORDINGS[name];
  return interactive === undefined || facts === undefined ? [] : [{ name, interactive, facts }];
});

function recorded(agent: string, state: string): readonly { readonly file: string; readonly screen: Screen }[] {
  const folder = join(import.meta.dirname, agent, 'screens', state);
  return readdirSync(folder).map((file) => ({ file, screen: readScreen(readFileSync(join(folder, file), 'utf8')) }));
}

/** The lines of all dialogs and of all work, as words. */
function quotesOf(agent: string): readonly string[] {
  const shown = ['asking', 'busy'].flatMap((state) => recorded(agent, state).flatMap(({ screen }) => screen.lines));
  return [...new Set([...COMMON, ...shown.map((line) => line.trim())])].filter((line) => line !== '');
}

/** The screen with these words at the end of the conversation. */
function saying(screen: Screen, words: string, at: { readonly row: number; readonly mark: string; isFaint: boolean }) {
  const { row, mark, isFaint } = at;
  const cut = (line: string) => line.slice(0, screen.cols).trimEnd();
  return {
    ...screen,
    lines: screen.lines.with(row, cut(mark + words)),
    solid: screen.solid.with(row, cut((isFaint ? ' '.repeat(mark.length) : mark) + words)),
  };
}

describe.each(agents)('$name', ({ name, interactive, facts }) => {
  const { marks, own, hasFaintMarks }: RecordingFacts['conversation'] = facts.conversation;
  const ready = recorded(name, 'ready').filter(({ file }) =>
    /^(after-turn|fresh|after-tool|plain-fresh)-.*80x24/.test(file),
  );
  const quotes = quotesOf(name);

  test('a status line or dialog that is quoted above the composer changes nothing', () => {
    const wrong = new Set<string>();
    let count = 0;
    for (const { file, screen } of ready) {
      const row = (composerRows(interactive.composer, screen, match)?.first ?? 0) - 1 - own;
      if (row < 0) continue;
      for (const mark of marks)
        for (const words of quotes) {
          count += 1;
          const { state, evidence } = readReadiness(
            interactive,
            saying(screen, words, { row, mark, isFaint: hasFaintMarks === true }),
            match,
          );
          if (state !== 'ready') wrong.add(`${file} is ${state}: ${evidence}`);
        }
    }
    expect([...wrong]).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });
});
