import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderFault } from '../../kernel/errors.ts';
import type { Format } from '../../system/formats/index.ts';
import { faultsForRun, parseTasks } from './task-file.ts';

const faults = (format: Format, text: string): readonly string[] => {
  const parsed = parseTasks(format, text, `tasks.${format}`);
  return parsed.ok ? [] : parsed.faults.map(renderFault);
};
const read = (format: Format, text: string) => {
  const parsed = parseTasks(format, text, `tasks.${format}`);
  if (!parsed.ok) throw new Error(parsed.faults.map(renderFault).join('\n'));
  return parsed.value;
};

/** A task with nothing but its id. */
const BARE = {
  intent: '',
  instructions: '',
  acceptance_criteria: [],
  depends_on: [],
  priority: 1000,
  targets: [],
  retry_policy: { max_retries: 3 },
  timeout_s: 1800,
  options: {},
};

describe('a right file', () => {
  const FULL = {
    project: 'shop',
    tasks: [
      {
        task_id: 'api_health',
        intent: 'Add a health endpoint',
        instructions: 'Add GET /api/health returning 200 …',
        acceptance_criteria: [
          'GET /api/health answers 200',
          { text: 'unit tests pass', check: { command: ['npm', 'test'] } },
          { text: 'route file exists', check: { file_exists: 'src/routes/health.ts' } },
          { text: 'registered', check: { file_contains: { path: 'src/index.ts', pattern: 'health' } } },
        ],
        depends_on: [],
        priority: 10,
        targets: ['src/**'],
        agents: ['codex', 'claude'],
        retry_policy: { max_retries: 3 },
        timeout_s: 1800,
        options: { enable_pre_context: true },
      },
    ],
  };

  test('with every key loads as it is, criteria in words as maps', () => {
    const [task] = FULL.tasks;
    const criteria = [{ text: 'GET /api/health answers 200' }, ...(task?.acceptance_criteria.slice(1) ?? [])];
    const expected = { project: 'shop', tasks: [{ ...task, acceptance_criteria: criteria }] };
    expect(read('json', JSON.stringify(FULL))).toEqual(expected);
    expect(read('yaml', JSON.stringify(FULL, null, 2))).toEqual(expected);
  });

  test.each<[Format, string]>([
    ['json', '[{"id": "a", "summary": "x"}, {"task_id": "b", "depends_on": ["a"]}]'],
    ['yaml', '- id: a\n  summary: x\n- task_id: b\n  depends_on: [a]\n  targets:\n'],
    ['edn', '[{:id "a" :summary "x"} {:task-id :b :depends-on [a] :targets nil}]'],
  ])('a plain list in %s, with the other names and defaults', (format, text) => {
    expect(read(format, text)).toEqual({
      tasks: [
        { ...BARE, task_id: 'a', intent: 'x' },
        { ...BARE, task_id: 'b', depends_on: ['a'] },
      ],
    });
  });

  test('EDN keys may be written with hyphens at every level', () => {
    const text = `{:project "p" :tasks [{:id "a" :timeout-s 5 :retry-policy {:max-retries 0}
      :acceptance-criteria [{:text "t" :check {:not-file-contains {:path "a" :pattern "b"}}}
                            {:text "u" :check {:command ["x"] :timeout-s 9}}]
      :options {:enable-pre-context false}}]}`;
    expect(read('edn', text).tasks).toEqual([
      {
        ...BARE,
        task_id: 'a',
        timeout_s: 5,
        retry_policy: { max_retries: 0 },
        acceptance_criteria: [
          { text: 't', check: { not_file_contains: { path: 'a', pattern: 'b' } } },
          { text: 'u', check: { command: ['x'], timeout_s: 9 } },
        ],
        options: { enable_pre_context: false },
      },
    ]);
  });

  test.each<[string, number]>([
    ['5', 5],
    ['-1.5', -1.5],
    ['"P1"', 1],
    ['"p12"', 12],
    ['"7"', 7],
    ['null', 1000],
  ])('priority %s is %d', (written, priority) => {
    expect(read('json', `[{"id": "a", "priority": ${written}}]`).tasks[0]?.priority).toBe(priority);
  });

  test('an empty file has no tasks', () => {
    expect(read('yaml', '# nothing yet\n')).toEqual({ tasks: [] });
    expect(read('edn', '')).toEqual({ tasks: [] });
    expect(read('json', '{"tasks": []}')).toEqual({ tasks: [] });
  });

  test("keys of other tools and of the format's schema are left alone", () => {
    const text =
      '{"$schema": "x", "owner": "me", "tasks": [{"id": "a", "status": "open", "pr": 4, "__proto__": {"x": 1}}]}';
    expect(read('json', text)).toEqual({ tasks: [{ ...BARE, task_id: 'a' }] });
  });
});

describe('a wrong file', () => {
  test('eleven different faults are eleven, each with its line', () => {
    const text = `project: x
tasks:
  - task_id: a
    priority: soon
  - task_id: a
    timeout_s: 0
  - intent: no id
    agents: codex
  - id: c
    depend_on: [a]
    acceptance_criteria:
      - text: both
        check: { file_exists: x, command: [y] }
      - 5
  - id: d
    retry_policy: { max_retries: -1 }
    depends_on:
      - d
  - id: 217
`;
    expect(faults('yaml', text)).toEqual([
      'tasks.yaml:4: tasks[0].priority: Got "soon", expected a number, "P1", or a number in quotes.',
      'tasks.yaml:5: tasks[1].task_id: The id "a" is used twice: first on line 3, again on line 5.',
      'tasks.yaml:6: tasks[1].timeout_s: Got 0, expected a whole number, at least 1.',
      'tasks.yaml:7: tasks[2].task_id: Missing, expected one line of text, at most 200 characters.',
      'tasks.yaml:8: tasks[2].agents: Got "codex", expected a list of agents.',
      'tasks.yaml:10: tasks[3].depend_on: Unknown key "depend_on"; did you mean depends_on?',
      expect.stringMatching(
        /^tasks\.yaml:13: tasks\[3\]\.acceptance_criteria\[0\]\.check: Got a map, expected exactly one of command, .*not_file_contains\.$/,
      ),
      'tasks.yaml:14: tasks[3].acceptance_criteria[1]: Got 5, expected text, or a map with text and check.',
      'tasks.yaml:16: tasks[4].retry_policy.max_retries: Got -1, expected a whole number from 0 to 1000.',
      'tasks.yaml:18: tasks[4].depends_on[0]: A task cannot depend on itself.',
      'tasks.yaml:19: tasks[5].id: Got 217, expected one line of text, at most 200 characters. Put it in quotes.',
    ]);
  });

  test.each<[string, Format, string, readonly string[]]>([
    ['no list', 'yaml', 'project: x', ['tasks.yaml:1: tasks: Missing, expected a list of tasks.']],
    ['a word', 'json', '"x"', ['tasks.json:1: Got "x", expected a map with tasks, or a list of tasks.']],
    ['tasks as a map', 'json', '{"tasks": {"a": 1}}', ['tasks.json:1: tasks: Got a map, expected a list of tasks.']],
    ['a task as a list', 'json', '[[1]]', ['tasks.json:1: [0]: Got a list, expected a map with task_id and intent.']],
    [
      'a task as nothing',
      'yaml',
      '- id: a\n-\n',
      ['tasks.yaml:2: [1]: Got nothing, expected a map with task_id and intent.'],
    ],
    [
      'a misspelt root key',
      'yaml',
      'task:\n- id: a\ntasks: []\n',
      ['tasks.yaml:1: task: Unknown key "task"; did you mean tasks?'],
    ],
    [
      'two ids',
      'yaml',
      '- id: a\n  task_id: b\n',
      ['tasks.yaml:1: [0].id: Differs from task_id, which is another name for the same key; use only one of them.'],
    ],
    [
      'a blank id',
      'json',
      '[{"id": "  "}]',
      ['tasks.json:1: [0].id: Got "  ", expected one line of text, at most 200 characters.'],
    ],
    [
      'an id of two lines',
      'json',
      '[{"id": "a\\nb"}]',
      ['tasks.json:1: [0].id: Got "a\\nb", expected one line of text, at most 200 characters.'],
    ],
    [
      'a command as text',
      'json',
      '[{"id": "a", "acceptance_criteria": [{"text": "t", "check": {"command": "npm test"}}]}]',
      [
        'tasks.json:1: [0].acceptance_criteria[0].check.command: Got "npm test", expected a list such as ["npm", "test"].',
      ],
    ],
    [
      'a timeout without a command',
      'json',
      '[{"id": "a", "acceptance_criteria": [{"text": "t", "check": {"file_exists": "x", "timeout_s": 1}}]}]',
      ['tasks.json:1: [0].acceptance_criteria[0].check: Got a map, expected timeout_s only beside command.'],
    ],
    [
      'a misspelt check',
      'json',
      '[{"id": "a", "acceptance_criteria": [{"text": "t", "check": {"file_exist": "x"}}]}]',
      [
        'tasks.json:1: [0].acceptance_criteria[0].check.file_exist: Unknown key "file_exist"; did you mean file_exists?',
      ],
    ],
    [
      'an unknown id',
      'edn',
      '[{:id "api"}\n {:id "b"\n :depends-on ["apy"]}]',
      ['tasks.edn:3: [1].depends_on[0]: No task in this file has the id "apy". Did you mean "api"?'],
    ],
    [
      'a cycle',
      'yaml',
      '- id: a\n  depends_on: [b]\n- id: b\n  depends_on: [c]\n- id: c\n  depends_on: [b, a]\n',
      ['tasks.yaml:2: [0].depends_on: These tasks depend on one another in a circle: "a" -> "b" -> "c" -> "a".'],
    ],
    [
      'broken syntax',
      'json',
      '[{"id": "a"},\n]',
      ['tasks.json:2: Not valid JSON: found "]" where a value was expected.'],
    ],
    [
      'a key written both ways',
      'edn',
      '[{:id "a" :depends-on [] :depends_on []}]',
      ['tasks.edn:1: [0].depends-on: Unknown key "depends-on"; did you mean depends_on?'],
    ],
    [
      'a number that is none',
      'yaml',
      '- id: a\n  priority: .inf\n',
      ['tasks.yaml:2: [0].priority: Got Infinity, expected a number, "P1", or a number in quotes.'],
    ],
  ])('%s', (_name, format, text, expected) => {
    expect(faults(format, text)).toEqual(expected);
  });

  test('hostile ids are shown harmless, and whole so that a secret in them is recognised', () => {
    const [fault] = faults('json', JSON.stringify([{ id: `\u001b[31m\u202e\u200b${'x'.repeat(300)}` }]));
    expect(fault).toBe(
      `tasks.json:1: [0].id: Got "\\u001b[31m\\u{202e}\\u{200b}${'x'.repeat(300)}", expected one line of text, at most 200 characters.`,
    );
  });

  test('many tasks in a row, a ring of them, and many unknown ids are read in a moment', () => {
    const chain = Array.from({ length: 5_000 }, (_, i) => ({ id: `t${i}`, depends_on: i === 0 ? [] : [`t${i - 1}`] }));
    expect(read('json', JSON.stringify(chain)).tasks).toHaveLength(5_000);
    const ring = chain.with(0, { id: 't0', depends_on: ['t4999'] });
    expect(faults('json', JSON.stringify(ring))).toHaveLength(1);
    const lost = chain.map(({ id }) => ({ id, depends_on: [`x${id}`] }));
    expect(faults('json', JSON.stringify(lost))).toHaveLength(5_000);
  });

  test('any JSON value is a file or has faults, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (value, criterion, key) => {
        const task = {
          id: value,
          acceptance_criteria: [criterion],
          depends_on: key,
          options: value,
          [JSON.stringify(key)]: 1,
        };
        for (const root of [value, [task], { tasks: [task, value] }]) {
          const parsed = parseTasks('json', JSON.stringify(root), 'x.json');
          if (!parsed.ok) for (const fault of parsed.faults) expect(renderFault(fault)).not.toMatch(/\n|undefined/);
        }
      }),
    );
  });
});

test('run needs instructions, and names the line of the task without them', () => {
  const { tasks } = read(
    'yaml',
    'tasks:\n  - id: a\n    instructions: Do it.\n  - id: b\n  - id: c\n    instructions: " "\n',
  );
  expect(faultsForRun(tasks).map(renderFault)).toEqual([
    'tasks.yaml:4: tasks[1].instructions: Missing, expected the instructions for the agent.',
    'tasks.yaml:6: tasks[2].instructions: Missing, expected the instructions for the agent.',
  ]);
  expect(faultsForRun([{ ...BARE, task_id: 'x' }])).toHaveLength(1);
});
