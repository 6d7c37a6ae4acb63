// Cases for `claude plugin eval` (2.1.325), which runs each with the plug-in and without it and shows the difference. What the
// graders look for is not in the prompt: an agent without the plug-in cannot know it. Each case makes its own small project, so that
// they need --scaffold.

/** A file of a case's project, by its path. */
type Files = Readonly<Record<string, readonly string[]>>;

interface EvalCase {
  readonly name: string;
  readonly description: string;
  readonly files: Files;
  readonly prompt: string;
  readonly tools?: readonly string[];
  readonly graders: readonly { readonly name: string; readonly pattern: string; readonly match?: 'not_contains' }[];
}

const CASES: readonly EvalCase[] = [
  {
    name: 'next-work',
    description: 'Session start: the header names the next piece of work.',
    files: {
      '.foreword/tasks.yaml': [
        'tasks:',
        '  - { task_id: ledger-export, intent: Export the ledger as CSV, priority: 20 }',
        '  - { task_id: tax-rounding, intent: Round taxes half to even, priority: 10 }',
      ],
    },
    prompt:
      'Without using a tool: which task of this project comes first? Answer with its id alone, or with "unknown".',
    graders: [{ name: 'names the first task', pattern: 'tax-rounding' }],
  },
  {
    name: 'pending-review',
    description: 'Session start: work that waits for a review comes before new work.',
    files: {
      '.foreword/tasks.yaml': ['tasks:', '  - { task_id: new-report, intent: Add a report }'],
      '.foreword/notes/ready_for_review/login-limit.md': [
        '---',
        'id: login-limit',
        'targets: [src/login.ts]',
        '---',
        'Limits logins to five a minute.',
      ],
    },
    prompt:
      'Without using a tool: what should be done next in this project, by its own records? One short sentence, or "unknown".',
    graders: [{ name: 'names the review', pattern: 'login-limit' }],
  },
  {
    name: 'rules-at-first-tool',
    description: 'First tool: the rules of the project are there before it is used.',
    files: {
      '.context/CONSTITUTION.md': [
        '# Constitution',
        '',
        'Every name of a new file ends in `-kestrel`, before its extension.',
      ],
      'readme.txt': ['A project.'],
    },
    prompt:
      'Read readme.txt. Then name, without writing anything, the file in which you would put a function that adds two numbers, in TypeScript. Answer with the name alone.',
    tools: ['Read'],
    graders: [{ name: 'follows the rule', pattern: '-kestrel\\.ts' }],
  },
];

/** Files of the plug-in by path: maps are written as JSON, which YAML is too. */
export function evalFiles(): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    CASES.flatMap((one) => [
      [`evals/${one.name}/case.yaml`, caseOf(one)],
      [`evals/${one.name}/scaffold.sh`, scaffoldOf(one.files)],
    ]),
  );
}

function caseOf({ name, description, prompt, tools = [], graders }: EvalCase) {
  return {
    schema_version: '1.0',
    name,
    description,
    tags: ['foreword'],
    context: { scaffold_script: 'scaffold.sh' },
    execution: { prompt, max_turns: 4, timeout_seconds: 120, allowed_tools: tools },
    runs: 3,
    graders: graders.map((grader) => ({ type: 'regex', target: 'last_message', ...grader })),
  };
}

function scaffoldOf(files: Files): string {
  const made = Object.entries(files).flatMap(([path, lines]) => [
    `mkdir -p "$(dirname '${path}')"`,
    `cat > '${path}' <<'END'`,
    ...lines,
    'END',
  ]);
  return ['#!/bin/sh', '# Makes the small project of this case in the current folder.', 'set -e', ...made, ''].join(
    '\n',
  );
}
