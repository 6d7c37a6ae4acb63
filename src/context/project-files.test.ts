import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/bundle.ts';
import { type ProjectFiles, projectFiles } from './project-files.ts';

let root: string;
let files: ProjectFiles;
beforeEach(() => {
  root = temporaryFolder('project-files');
  mkdirSync(join(root, 'src'));
  const templates = { engineer: 'work.md', reviewer: '../outside.md', helper: undefined, cto: undefined };
  files = projectFiles({ root, cwd: join(root, 'src'), config: { templates } });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a template that a setting names is seen from the root, and one that a person names from the current folder', () => {
  writeFileSync(join(root, 'work.md'), 'of the project');
  writeFileSync(join(root, 'src/mine.md'), 'of the person');
  expect(files.template('engineer')).toEqual({ text: 'of the project', where: 'work.md' });
  expect(files.template('engineer', 'mine.md')).toEqual({ text: 'of the person', where: 'mine.md' });
  expect(files.template('helper')).toBeUndefined();
});

test('a template that is missing or outside of the project is refused', () => {
  const message = 'The template work.md cannot be used. The file does not exist.';
  expect(() => files.template('engineer')).toThrow(expect.objectContaining({ code: 'bad-input', message }));
  writeFileSync(join(root, '../outside.md'), 'x');
  expect(() => files.template('reviewer')).toThrow(/cannot be used/);
  rmSync(join(root, '../outside.md'));
});

test('a task file is read from the current folder, and refused with every fault before anything runs', async () => {
  writeFileSync(join(root, 'src/tasks.yaml'), '- { id: a, instructions: do it, acceptance_criteria: [it works] }\n');
  expect((await files.taskFile('tasks.yaml')).tasks.map(({ task_id }) => task_id)).toEqual(['a']);
  writeFileSync(join(root, 'src/tasks.yaml'), '- { id: a, priority: high }\n- { id: a }\n');
  const refused: unknown = await files.taskFile('tasks.yaml').catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'bad-input', hint: 'Fix these and run it again.' });
  expect((refused as { faults: unknown[] }).faults.length).toBeGreaterThan(1);
});
