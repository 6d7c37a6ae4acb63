import { addBefore, type Recipe } from './recipe.ts';

export const checkKind: Recipe = {
  heading: 'Add a check kind',
  changes: [
    addBefore('src/kernel/task.ts', '  | { readonly file_exists: string }', '  | { readonly file_empty: string }'),
    addBefore(
      'src/config/schemas/task-file.ts',
      "  file_exists: v.optional(text('a path')),",
      "  file_empty: v.optional(text('a path')),",
    ),
    addBefore(
      'src/runs/judging/checks/checks.ts',
      '  file_exists: (check, context)',
      `  file_empty: (check, context) => {
    const found = findInTree(context.cwd, check.file_empty);
    return found.kind === 'file' && found.bytes === 0 ? PASSED : failed('it is not an empty file');
  },`,
    ),
  ],
  test: {
    path: 'src/runs/judging/checks/file-empty.test.ts',
    text: `import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/bundle.ts';
import { parseTasks } from '../../../config/schemas/task-file.ts';
import { runCheck } from './checks.ts';

const cwd = temporaryFolder('file-empty');
afterAll(() => rmSync(cwd, { recursive: true }));

test('a criterion of a task file is decided by it', async () => {
  writeFileSync(join(cwd, 'full'), 'x');
  writeFileSync(join(cwd, 'empty'), '');
  const context = { cwd, run: () => expect.fail('nothing is run'), env: {}, timeoutMs: 1000, matches: () => false };
  const outcomes = ['empty', 'full'].map(async (path) => {
    const criterion = { text: 'nothing is left', check: { file_empty: path } };
    const content = JSON.stringify([{ task_id: 'a', acceptance_criteria: [criterion] }]);
    const parsed = parseTasks('json', content, 'tasks.json');
    const [read] = parsed.ok ? (parsed.value.tasks[0]?.acceptance_criteria ?? []) : [];
    return (await runCheck(read ?? expect.fail('it was refused'), context)).outcome;
  });
  expect(await Promise.all(outcomes)).toEqual(['passed', 'failed']);
});
`,
  },
  watchers: ['src/config/schemas/task-file.test.ts', 'src/runs/judging/judge.test.ts'],
  forgotten: { path: 'src/runs/judging/checks/checks.ts', found: { types: 'src/runs/judging/checks/checks.ts' } },
};
