import { expect, test } from 'vitest';
import { oneTask } from './one-task.ts';

test('a task without a file has an id from its text and checks, and a name that reads well', () => {
  const made = oneTask('Add GET /api/health to the server, returning 200\n\nand a test', [
    'npm test',
    'test -f a && b',
  ]);
  expect(made).toMatchObject({
    task: {
      task_id: expect.stringMatching(/^do-[0-9a-f]{8}$/),
      intent: 'Add GET /api/health to the server, returning 200',
      instructions: 'Add GET /api/health to the server, returning 200\n\nand a test',
      acceptance_criteria: [
        { text: 'npm test passes', check: { command: ['npm', 'test'] } },
        { text: 'test -f a && b passes', check: { command: ['sh', '-c', 'test -f a && b'] } },
      ],
    },
    taskFile: expect.stringMatching(/^--do [0-9a-f]{8}$/),
    name: 'add-get-api-health-to-the-server',
  });
  expect(oneTask('x', ['a']).task.task_id).toBe(oneTask('x', ['a']).task.task_id);
  expect(oneTask('x', ['a']).task.task_id).not.toBe(oneTask('x', ['b']).task.task_id);
});

test.each([
  ['npm run lint -- --fix=no', ['sh', '-c', 'npm run lint -- --fix=no']],
  ['  pytest -q tests/unit ', ['pytest', '-q', 'tests/unit']],
  ['cd web', ['sh', '-c', 'cd web']],
  ['grep -q "a b" x', ['sh', '-c', 'grep -q "a b" x']],
  ['one\ntwo', ['sh', '-c', 'one\ntwo']],
])('the check %j is the command %j', (line, command) => {
  expect(oneTask('x', [line]).task.acceptance_criteria[0]?.check).toEqual({ command });
});

test('without a check the text is what a helper or a person decides on', () => {
  expect(oneTask(' Make it nice ', []).task.acceptance_criteria).toEqual([{ text: 'Make it nice' }]);
});

test('text without a letter that a branch may have still has a name', () => {
  expect(oneTask('修复', []).name).toBe('task');
});
