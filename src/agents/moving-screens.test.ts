// Work that is no turn, and turns without the signs that rules know, frame by frame (AGENT/screens/moving/WHAT-SIZE.frames):
// compactions, a person's own commands, title and spinner switched off. Whatever the rules read in a frame, nothing may be typed at
// any moment of it.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { restOf } from '../sessions/rest.ts';
import { firstLook, nextLook } from '../sessions/watched.ts';
import { makeLineMatcher } from '../system/patterns/linear.ts';
import { type Frame, readFrames, writeFrames } from '../testing/frames.ts';
import { AGENTS } from './index.ts';

const match = makeLineMatcher();
const STABLE_MS = 300;

const recorded = AGENTS.flatMap(({ name, interactive }) => {
  const folder = join(import.meta.dirname, name, 'screens/moving');
  if (interactive === undefined || !existsSync(folder)) return [];
  return readdirSync(folder).map((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return { name, file, interactive, text, frames: readFrames(text) };
  });
});

/** The moments at which something would be typed. */
function typedAt(agent: (typeof recorded)[number]['interactive'], frames: readonly Frame[]): readonly number[] {
  const by = { agent, match };
  const [first] = frames;
  if (first === undefined) return [];
  let watched = firstLook({ screen: first.screen, now: first.atMs }, by);
  return frames.flatMap(({ screen, atMs }, index) => {
    watched = nextLook(watched, { screen, now: atMs }, by);
    // Until the next frame nothing changes: the last moment before it is the one of the longest rest.
    const now = frames[index + 1]?.atMs ?? atMs;
    const { verdict, since, movedAt, workBeganAt } = watched;
    const facts = { now, since, movedAt, workBeganAt, stableMs: STABLE_MS, quietMs: agent.quietMs };
    const { inMs } = restOf({ ...facts, inputAt: 0, isMeasured: true });
    return verdict.state === 'ready' && verdict.composer.kind === 'empty' && inMs === 0 ? [atMs] : [];
  });
}

/** Every agent's, at two sizes each. */
const EVERYWHERE = ['command-60x20', 'command-80x24', 'compaction-160x40', 'compaction-80x24'];
/** Where title, spinner or status line can be switched off or made the person's own. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  claude: ['command-own-line-80x24', 'compaction-own-line-80x24'],
  codex: ['command-no-title-80x24', 'compaction-no-title-80x24'],
  gemini: ['command-no-title-80x24', 'compaction-no-title-80x24'],
};

test('there are frames of every agent that was run', () => {
  const names = [...new Set(recorded.map(({ name }) => name))].toSorted();
  expect(names).toEqual(['claude', 'codex', 'copilot', 'gemini', 'opencode', 'pi', 'qwen']);
  for (const name of names) {
    const files = recorded.filter((one) => one.name === name).map(({ file }) => file.replace(/\.frames$/, ''));
    expect(files.toSorted(), name).toEqual([...EVERYWHERE, ...(OWN[name] ?? [])].toSorted());
  }
  for (const { name, file, text, frames } of recorded) {
    expect(writeFrames(frames), `${name} ${file}`).toBe(text);
  }
});

test.each(recorded)('$name: nothing is typed during $file', ({ interactive, frames }) => {
  expect(typedAt(interactive, frames)).toEqual([]);
});
