// The starter files that init writes into a project: a commented example for each file of .foreword/, and on request the six
// files of .context/. Each is valid as it is, is meant to be replaced, and states nothing that an agent could take for a fact.

export interface Starter {
  /** From the project's root. */
  readonly file: string;
  readonly text: string;
  /** Files with the same purpose; when one of them exists, this one is not written. */
  readonly instead?: readonly string[];
}

const sameAs = (name: string, ...more: readonly string[]) => [
  ...['yaml', 'yml', 'json', 'edn'].map((ending) => `.foreword/${name}.${ending}`),
  ...more,
];

export const CONFIG_FILE = '.foreword/config.yaml';

export const PROJECT_FILES: readonly Starter[] = [
  {
    file: '.foreword/tasks.yaml',
    instead: sameAs('tasks', 'config/tasks.edn', 'config/tasks.json'),
    text: `# The work wanted. Agents are shown the backlog; foreword run works through it. An example:
#
# project: shop
# tasks:
#   - task_id: api_health
#     intent: Add a health endpoint
#     instructions: Add GET /api/health; it answers 200.
#     acceptance_criteria:
#       - text: unit tests pass
#         check: { command: [npm, test] }
#     targets: ["src/**"]
#     priority: 10
tasks: []
`,
  },
  {
    file: '.foreword/policy.yaml',
    instead: sameAs('policy', 'config/policy.edn'),
    text: `# What a change may touch and how large it may be. Shown to agents; checked after each attempt of foreword run.
#
# rules: [minimal diff, tests with every change]
# allow: ["src/**", "test/**"]
# deny: ["secrets/**", ".env"]
# limits: { max_files: 10, max_lines_added: 300, max_lines_removed: 300 }
`,
  },
  {
    file: CONFIG_FILE,
    instead: sameAs('config'),
    text: `# Settings. foreword doctor --settings lists all of them with their values.
#
# lineup: [codex, claude]      # agents that foreword run may use, in this order
# history: { size: 5 }         # finished tasks that each prompt shows
`,
  },
  {
    file: '.foreword/notes/README.md',
    instead: ['agent_notes', '.foreword/notes'],
    text: `# Notes

Files that people and agents leave for each other. Only these folders are looked at:

- \`ready_for_review/\`: what waits for somebody; each prompt names it
- \`scratch/\`, \`proposed_tasks/\`: what was touched in the last minutes is named too

A note may begin with \`id:\` and \`targets:\` between two lines of \`---\`.
`,
  },
];

/** The settings with the lineup that the person agreed to. */
export function withLineup(starters: readonly Starter[], lineup: readonly string[]): readonly Starter[] {
  if (lineup.length === 0) return starters;
  return starters.map((one) =>
    one.file === CONFIG_FILE
      ? { ...one, text: one.text.replace(/^# lineup: \S+ \S+ +#/m, `lineup: [${lineup.join(', ')}]  #`) }
      : one,
  );
}

export const CONTEXT_FILES: readonly Starter[] = [
  {
    file: '.context/CONSTITUTION.md',
    text: `# Constitution

Rules that hold whatever the task is. Read first, and word for word. Keep it under a page.

<!-- Replace these with your own. -->
- Never commit secrets, and never print them.
- Never weaken or delete a test to make it pass.
- Ask before anything that cannot be undone.
`,
  },
  {
    file: '.context/TASKS.md',
    text: `# Tasks

What is being worked on, and what comes next.

<!-- One line each. -->
## Now

## Next

## Done
`,
  },
  {
    file: '.context/CONVENTIONS.md',
    text: `# Conventions

How code is written here: names, layout, errors, tests. Only what a reader could not guess from the code.

<!-- Example: errors are values in src/core, exceptions elsewhere. -->
`,
  },
  {
    file: '.context/DECISIONS.md',
    text: `# Decisions

What was decided and why, so that nobody decides it again. Newest first.

<!-- ## YYYY-MM-DD: title
We faced …; we chose …; it costs …; we would change our mind if …. -->
`,
  },
  {
    file: '.context/LEARNINGS.md',
    text: `# Learnings

What cost time to find out: traps, odd behaviour, commands that work. Newest first.

<!-- - What happened, why, and what to do instead. -->
`,
  },
  {
    file: '.context/AGENT_PLAYBOOK.md',
    text: `# Agent playbook

How to work in this project, step by step.

<!-- Replace with the commands of this project. -->
1. Build, test and check: (commands)
2. Before you finish: run the checks, and say what you changed and what you left out.
3. Leave word for the next session: \`foreword save --done "…" --next "…"\`.
`,
  },
];
