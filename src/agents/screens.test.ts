// The rules of every agent on its recorded screens (AGENT/screens/STATE/WHAT-SIZE.txt): what each is, what its composer
// holds, and that neither a dialog that looks a little different nor a model's words are taken for something else.
// Names that begin with described- are of agents that were not run: written after their source.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scaled } from '../../test/scale.ts';
import type { Interactive } from '../kernel/agent.ts';
import { readScreen, type Screen } from '../kernel/screen.ts';
import { composerRows, showsOurs } from '../sessions/composer-line.ts';
import { isAtBottom, readReadiness } from '../sessions/readiness.ts';
import { compilePattern, makeLineMatcher } from '../system/patterns/linear.ts';
import { AGENTS } from './index.ts';

const match = makeLineMatcher();

/** What is asked above a composer that stays can be recognised only by its words. */
const BESIDE = [
  'cursor approve-command',
  'copilot login',
  'copilot question-own',
  'claude agents',
  'gemini vim-normal',
];

/** What scripts/lab/scenes.mjs pastes. */
const PASTED: Readonly<Record<string, string>> = {
  'pasted-3-lines': 'First line of the paste\nSecond line of it\nThird and last line',
  'pasted-own-status': 'First line of the paste\nSecond line of it\nThird and last line',
  'pasted-wide': 'First line of the paste\nSecond line of it\nThird and last line',
  'pasted-plain': 'First line of the paste\nSecond line of it\nThird and last line',
  'pasted-60-lines': Array.from({ length: 60 }, (_, at) => `Line ${at + 1} of a long paste, with some words`).join(
    '\n',
  ),
};

interface Recorded {
  readonly state: string;
  /** Without `described-` and the size. */
  readonly what: string;
  readonly file: string;
  readonly isDescribed: boolean;
  readonly screen: Screen;
}

function recorded(agent: string): readonly Recorded[] {
  const folder = join(import.meta.dirname, agent, 'screens');
  if (!existsSync(folder)) return [];
  const states = readdirSync(folder).filter((state) => state !== 'moving');
  return states.flatMap((state) =>
    readdirSync(join(folder, state)).map((name) => ({
      state,
      what: name.replace(/^described-/, '').replace(/-\d+x\d+\.txt$/, ''),
      file: `${state}/${name}`,
      isDescribed: name.startsWith('described-'),
      screen: readScreen(readFileSync(join(folder, state, name), 'utf8')),
    })),
  );
}

const agents = AGENTS.flatMap(({ name, interactive }) =>
  interactive === undefined ? [] : [{ name, interactive, screens: recorded(name) }],
);

test('every agent with a terminal has screens that are ready, busy and asking', () => {
  expect(agents.length).toBeGreaterThan(0);
  for (const { name, screens } of agents)
    for (const state of ['ready', 'busy', 'asking'])
      expect(screens.filter((one) => one.state === state).length, `${name} ${state}`).toBeGreaterThan(0);
});

describe.each(agents)('$name', ({ name, interactive, screens }) => {
  const of = (...states: readonly string[]) => screens.filter(({ state }) => states.includes(state));
  const read = (screen: Screen) => readReadiness(interactive, screen, match);

  test('is in the state that was recorded', () => {
    const wrong = screens.flatMap(({ file, state, screen }) => {
      const found = read(screen);
      return found.state === state ? [] : [`${file} is ${found.state}: ${found.evidence}`];
    });
    expect(wrong).toEqual([]);
  });

  test('names what it asks', () => {
    for (const { file, screen } of of('asking')) expect(read(screen).asks, file).toMatch(/^[a-z ]{4,20}$/);
  });

  test('shows a draft where there is one, and no draft where there is none', () => {
    const wrong = of('ready', 'busy').flatMap(({ file, what, state, screen }) => {
      const { composer } = read(screen);
      if (/^(draft|pasted)/.test(what)) return composer.kind === 'text' ? [] : [`${file}: ${composer.kind}`];
      const isFresh = state === 'ready' && /fresh$|^after/.test(what);
      return isFresh && composer.kind !== 'empty' ? [`${file}: ${JSON.stringify(composer)}`] : [];
    });
    expect(wrong).toEqual([]);
  });

  test('knows a text of ours in its composer, alone or as a placeholder, and no other', () => {
    for (const { file, what, screen } of of('ready')) {
      const { composer } = read(screen);
      for (const [pasted, body] of Object.entries(PASTED))
        expect(showsOurs(interactive.composer, composer, body, match), `${file} and ${pasted}`).toBe(
          PASTED[what] === body,
        );
    }
  });

  test('knows a text that waits for the end of a turn, and no other screen', () => {
    const shows = ({ screen }: Recorded) => isAtBottom(interactive.queued, screen, match);
    const waiting = of('busy').filter(({ what }) => /^queued-/.test(what));
    if (interactive.queued !== undefined) expect(waiting.filter(shows).length).toBeGreaterThan(0);
    expect(
      of('ready', 'asking')
        .filter(shows)
        .map(({ file }) => file),
    ).toEqual([]);
  });

  test('has patterns that a linear-time engine takes', () => {
    const texts = [...interactive.screens, interactive.composer].flatMap((rule) =>
      Object.entries(rule).flatMap(([key, value]) =>
        ['state', 'name', 'cursor'].includes(key) || typeof value !== 'string' ? [] : [value],
      ),
    );
    expect(texts.filter((text) => 'fault' in compilePattern(text))).toEqual([]);
  });

  test('a dialog that looks different is at most not recognised, never ready', () => {
    const dialogs = of('asking').filter(({ what }) => !BESIDE.includes(`${name} ${what}`));
    // At a line prompt a question is recognised only by its words; whatever becomes of them, nothing would be typed there.
    const isWrong = (screen: Screen, isDescribed: boolean) => {
      const { state, composer } = read(screen);
      return state === 'ready' && (!isDescribed || composer.kind === 'empty');
    };
    fc.assert(
      fc.property(
        fc.constantFrom(...dialogs),
        fc.array(mutations, { minLength: 1, maxLength: 6 }),
        (dialog, changes) => {
          const changed = changes.reduce((screen, change) => change(screen), dialog.screen);
          return !isWrong(changed, dialog.isDescribed);
        },
      ),
      { numRuns: scaled(10_000) },
    );
  });

  test('what a model writes is not taken for a dialog or for work', () => {
    const says = of('asking', 'busy').flatMap(({ screen }) => screen.lines.filter((line) => line.trim() !== ''));
    const ready = of('ready').filter(({ screen }) => roomAbove(interactive, screen) > 0);
    if (ready.length === 0 || name === 'cursor') return;
    fc.assert(
      fc.property(fc.constantFrom(...ready), fc.array(fc.constantFrom(...says), { maxLength: 30 }), (one, lines) => {
        expect(read(saying(interactive, one.screen, lines)).state).toBe('ready');
      }),
      { numRuns: scaled(2000) },
    );
  });

  test(`is reached by ways that ${name} has`, () => {
    const { ladder, launch, proofs, screens: rules } = interactive;
    expect(ladder.at(-1)).toBe('notice');
    expect(ladder.includes('flag')).toBe(launch?.prompt !== undefined);
    if (ladder.includes('typed')) expect(rules.some(({ state }) => state === 'ready')).toBe(true);
    if (launch?.hook !== undefined) expect(ladder[0]).toBe('hook');
    expect(proofs.slice(0, 2)).toEqual(['queued', 'placed']);
  });
});

/** How many lines above the composer are the conversation's; the six next to it may be the agent's own. */
function roomAbove(agent: Interactive, screen: Screen): number {
  return (composerRows(agent.composer, screen, match)?.first ?? 0) - 6;
}

/** The screen with these lines in the conversation, indented as a model's words are. */
function saying(agent: Interactive, screen: Screen, said: readonly string[]): Screen {
  const room = Math.max(0, roomAbove(agent, screen));
  const lines = said.slice(0, room).map((line) => `    ${line.trim()}`);
  const put = (rows: readonly string[]) => [...lines, ...rows.slice(lines.length)];
  return { ...screen, lines: put(screen.lines), solid: put(screen.solid) };
}

type Change = (screen: Screen) => Screen;

const at = fc.nat(59);
const onLines = (change: (lines: readonly string[]) => readonly string[]): Change => {
  return (screen) => {
    const kept = (lines: readonly string[]) =>
      Array.from({ length: screen.rows }, (_, row) => change(lines)[row] ?? '');
    return { ...screen, lines: kept(screen.lines), solid: kept(screen.solid) };
  };
};
const mutations: fc.Arbitrary<Change> = fc.oneof(
  at.map((row) => onLines((lines) => lines.toSpliced(row % lines.length, 1))),
  at.map((row) => onLines((lines) => lines.toSpliced(row % lines.length, 0, lines[row % lines.length] ?? ''))),
  fc
    .tuple(at, fc.nat(200))
    .map(([row, length]) =>
      onLines((lines) => lines.with(row % lines.length, (lines[row % lines.length] ?? '').slice(0, length))),
    ),
  fc.tuple(at, fc.boolean()).map(([row, isUpper]) =>
    onLines((lines) => {
      const line = lines[row % lines.length] ?? '';
      return lines.with(row % lines.length, isUpper ? line.toUpperCase() : line.toLowerCase());
    }),
  ),
  fc.integer({ min: -20, max: 20 }).map(moved),
  fc.tuple(fc.nat(199), fc.boolean()).map(
    ([col, isVisible]): Change =>
      (screen) => ({ ...screen, cursor: { ...screen.cursor, col: col % screen.cols, isVisible } }),
  ),
  fc.constant<Change>((screen) => ({ ...screen, title: '' })),
);

/** Everything further down or up, the cursor too, as long as that stays on the screen. */
function moved(wanted: number): Change {
  return (screen) => {
    const { row } = screen.cursor;
    const by = Math.min(Math.max(wanted, -row), screen.rows - 1 - row);
    const blank = Array.from({ length: Math.abs(by) }, () => '');
    const move = onLines((lines) => (by > 0 ? [...blank, ...lines] : lines.slice(-by)));
    return { ...move(screen), cursor: { ...screen.cursor, row: row + by } };
  };
}
