// What a power cut leaves: files of ours that were not synced are empty.

import { readdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Field, makeField } from './field.ts';

let field: Field;
afterEach(() => field.remove());

function task(id: string): object {
  return {
    task_id: id,
    intent: `Make ${id}`,
    instructions: `do: ${JSON.stringify([['write', `${id}.txt`, `${id}\n`]])}`,
    acceptance_criteria: [{ text: 'it is done', check: { file_exists: `${id}.txt` } }],
    retry_policy: { max_retries: 0 },
  };
}

test.each([
  { what: 'a repository', isGit: true },
  { what: 'a folder without git', isGit: false },
])('a run in $what whose refs are empty afterwards goes on where it was, and ends', async ({ isGit }) => {
  field = makeField({ agents: { first: ['follows'] }, tasks: [task('a')], isGit });
  expect((await field.run()).status).toBe(0);
  const state = join(field.folder, '.local/state/foreword/projects');
  const found = readdirSync(state, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\/refs\/foreword\/[^/]+\/(base|tip)$/.test(path))
    .map((path) => join(state, path));
  expect(found.map((path) => readFileSync(path).length)).toEqual([41, 41]);
  for (const path of found) truncateSync(path);
  field.setTasks([task('a'), task('b')]);
  const ran = await field.run();
  expect(ran.status, ran.stderr).toBe(0);
  expect(field.subjects()).toEqual(['Make a', 'Make b']);
  expect(field.onBranch('readme.txt')).toBe('a project');
});
