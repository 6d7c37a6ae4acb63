// The tools that agents see. Their descriptions are part of every request that an agent sends, so they are short: a test counts
// their tokens, 600 at most. Pure.

export const TOOL_NAMES = ['context', 'history', 'save', 'search'] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

export interface Tool {
  readonly name: ToolName;
  readonly description: string;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly required?: readonly string[];
  };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint?: false;
    readonly openWorldHint: false;
  };
}

const line = (description: string) => ({ type: 'string', description });
const lines = { type: 'array', items: { type: 'string' } };
const READS = { readOnlyHint: true, openWorldHint: false } as const;

/** The lists of `save`. */
export const NOTE_LISTS = ['done', 'inProgress', 'blocked', 'decisions', 'questions', 'files', 'nextSteps'] as const;

export const TOOLS: readonly Tool[] = [
  {
    name: 'context',
    description:
      'What is known of this project: notes of the last sessions, open tasks, earlier attempts, blockers, rules. Call it before you start to work, and after your context was compacted.',
    inputSchema: { type: 'object', properties: { task: line('id of the task you work on') } },
    annotations: READS,
  },
  {
    name: 'history',
    description:
      'What was tried before: attempts at a task or at a file, with errors and changed files. Call it before you retry something.',
    inputSchema: { type: 'object', properties: { task: line('task id'), file: line('path from the project root') } },
    annotations: READS,
  },
  {
    name: 'save',
    description:
      'Saves notes for the next session. Works where your sandbox does not let the foreword command write. Call it before you stop with work left.',
    inputSchema: {
      type: 'object',
      properties: {
        summary: line('where the work stands'),
        currentTask: line('task id'),
        ...Object.fromEntries(NOTE_LISTS.map((name) => [name, lines])),
      },
    },
    // It adds and takes nothing away: agents that ask before a tool destroys something need not ask.
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  },
  {
    name: 'search',
    description: 'Finds tracked files by words, best first: path, line, snippet.',
    inputSchema: {
      type: 'object',
      properties: { words: line('words to look for'), limit: { type: 'integer', minimum: 1, maximum: 20 } },
      required: ['words'],
    },
    annotations: READS,
  },
];
