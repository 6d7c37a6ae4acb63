// The task file: a map with `tasks`, or a plain list. This is the shape users write; kernel/task.ts is what it becomes,
// and task-order.ts checks how tasks refer to one another. Open: a task may have keys of other tools, so only a key that
// is clearly one of ours misspelt is refused. A file with any fault is refused as a whole.

import * as v from 'valibot';
import type { Fault } from '../../kernel/errors.ts';
import type { Check, CheckKind, Criterion, Task } from '../../kernel/task.ts';
import type { Format, Path } from '../../system/formats/index.ts';
import { type AnySchema, checkDocument, faultAt } from './check.ts';
import { type Checked, type Document, isMap, openDocument, pathText } from './document.ts';
import { faultsBetween } from './task-order.ts';
import { flag, line, listOf, text, whole } from './words.ts';

const MAX_INSTRUCTIONS = 60_000;
const MAX_INTENT = 2000;
const MAX_CRITERION = 2000;
const MAX_CRITERIA = 100;

const MAX_RETRIES = 3;
const ID = line(200);
const COMMAND = 'a list such as ["npm", "test"]';
const PRIORITY = 'a number, "P1", or a number in quotes';
const contains = v.strictObject(
  { path: text('a path'), pattern: text('a regular expression') },
  'a map with path and pattern',
);

/** What may be written for each kind of check. */
const checkKinds = {
  command: v.optional(
    v.pipe(
      listOf(v.string('text'), COMMAND),
      v.minLength(1, COMMAND),
      v.check(([program]) => program?.trim() !== '', COMMAND),
    ),
  ),
  file_exists: v.optional(text('a path')),
  not_file_exists: v.optional(text('a path')),
  file_contains: v.optional(contains),
  not_file_contains: v.optional(contains),
} satisfies Record<CheckKind, AnySchema>;

const CHECKS = Object.keys(checkKinds) as CheckKind[];

const checkSchema = v.pipe(
  v.strictObject(
    {
      ...checkKinds,
      timeout_s: v.optional(v.pipe(whole(1), v.description('Timeout of the command in seconds.'))),
    },
    `a map with one of ${CHECKS.join(', ')}`,
  ),
  v.check(
    (check) => CHECKS.filter((name) => check[name] !== undefined).length === 1,
    `exactly one of ${CHECKS.join(', ')}`,
  ),
  v.check((check) => check.timeout_s === undefined || check.command !== undefined, 'timeout_s only beside command'),
  v.metadata({ oneOf: CHECKS.map((name) => ({ required: [name] })) }),
);

const criterionText = v.pipe(text('a criterion'), v.maxLength(MAX_CRITERION, `at most ${MAX_CRITERION} characters`));

const criterionSchema = v.union(
  [criterionText, v.looseObject({ text: criterionText, check: v.optional(checkSchema) }, 'a map with text and check')],
  'text, or a map with text and check',
);

/** Every text for an agent is bounded; more than this belongs in a file that the task names. */
function bounded(max: number) {
  const allowed = `text, at most ${max} characters`;
  return v.pipe(v.string(allowed), v.maxLength(max, allowed));
}

export const taskSchema = v.pipe(
  v.looseObject(
    {
      task_id: v.optional(v.pipe(ID, v.description('The id of the task.'))),
      id: v.optional(v.pipe(ID, v.description('Another name for task_id.'))),
      intent: v.optional(v.pipe(bounded(MAX_INTENT), v.description('The goal of the task in one sentence.'))),
      summary: v.optional(v.pipe(bounded(MAX_INTENT), v.description('Another name for intent.'))),
      instructions: v.optional(
        v.pipe(bounded(MAX_INSTRUCTIONS), v.description('The instructions for the agent. Required to run the task.')),
      ),
      acceptance_criteria: v.optional(
        v.pipe(
          listOf(criterionSchema, 'a list of criteria'),
          v.maxLength(MAX_CRITERIA, `at most ${MAX_CRITERIA} criteria`),
          v.description('What must be true for the task to be done.'),
        ),
      ),
      depends_on: v.optional(
        v.pipe(listOf(ID, 'a list of task ids'), v.description('Tasks that must be completed before this one.')),
      ),
      priority: v.optional(
        v.pipe(
          v.union(
            [
              v.pipe(v.number(PRIORITY), v.finite(PRIORITY)),
              v.pipe(v.string(PRIORITY), v.regex(/^(?:[Pp]\d{1,9}|[+-]?\d{1,9}(?:\.\d{1,9})?)$/, PRIORITY)),
            ],
            PRIORITY,
          ),
          v.description('A lower number runs sooner. Default: 1000.'),
        ),
      ),
      targets: v.optional(
        v.pipe(
          listOf(text('a glob'), 'a list of globs'),
          v.description('Paths the task may change. An empty list means every path.'),
        ),
      ),
      agents: v.optional(
        v.pipe(
          listOf(text('the name of an agent'), 'a list of agents'),
          v.description('Agents that may do the task, in order.'),
        ),
      ),
      retry_policy: v.optional(
        v.looseObject(
          {
            max_retries: v.optional(
              v.pipe(whole(0, 1000), v.description('The most retries after failed validation.')),
              MAX_RETRIES,
            ),
          },
          'a map with max_retries',
        ),
      ),
      timeout_s: v.optional(v.pipe(whole(1), v.description('Timeout of one attempt in seconds.')), 1800),
      options: v.optional(
        v.looseObject(
          {
            enable_pre_context: v.optional(
              v.pipe(flag(), v.description('Whether retries get a hand-over about earlier attempts.')),
            ),
          },
          'a map with enable_pre_context',
        ),
      ),
    },
    'a map with task_id and intent',
  ),
  v.metadata({ anyOf: [{ required: ['task_id'] }, { required: ['id'] }] }),
);

const mapSchema = v.looseObject(
  {
    $schema: v.optional(text()),
    project: v.optional(v.pipe(line(200), v.description('The name of the project in prompts.'))),
    tasks: listOf(taskSchema, 'a list of tasks'),
  },
  'a map with tasks',
);

export const taskFileSchema = v.pipe(
  v.union([mapSchema, listOf(taskSchema, 'a list of tasks')], 'a map with tasks, or a list of tasks'),
  v.title('foreword task file'),
);

export interface ParsedTaskFile {
  readonly project?: string;
  readonly tasks: readonly Task[];
}

/** An empty file has no tasks. */
export function parseTasks(format: Format, content: string, where: string): Checked<ParsedTaskFile> {
  const opened = openDocument(format, content, where);
  if (!opened.ok) return opened;
  const document: Document = { ...opened.value, value: opened.value.value ?? [] };
  const base: Path = isMap(document.value) ? ['tasks'] : [];
  const list: unknown = isMap(document.value) ? document.value.tasks : document.value;
  const raw = Array.isArray(list) ? list : [];
  const checked = checkDocument(taskFileSchema, document, faultsBetween(raw, base, document));
  if (!checked.ok) return checked;
  const file = Array.isArray(checked.value) ? { tasks: checked.value } : checked.value;
  const tasks = file.tasks.map((task, index) => toTask(task, { document, path: [...base, index] }));
  return { ok: true, value: file.project === undefined ? { tasks } : { project: file.project, tasks } };
}

/** What `run` needs beyond a valid file. Tasks keep the file and line they came from. */
export function faultsForRun(tasks: readonly Task[]): readonly Fault[] {
  const message = 'Missing, expected the instructions for the agent.';
  return tasks.flatMap((task, index): readonly Fault[] => {
    if (task.instructions.trim() !== '') return [];
    const origin = origins.get(task);
    if (origin === undefined) return [{ where: 'tasks', path: `[${index}].instructions`, message }];
    return [faultAt(origin.document, [...origin.path, 'instructions'], message, 'key')];
  });
}

/** A fault in what a task says, with the file and line it came from; a task of code is named by its id. */
export function faultInTask(task: Task, path: Path, message: string): Fault {
  const origin = origins.get(task);
  if (origin === undefined) return { where: `task ${task.task_id}`, path: pathText(path), message };
  return faultAt(origin.document, [...origin.path, ...path], message);
}

interface Origin {
  readonly document: Document;
  readonly path: Path;
}

const ORIGINS = Symbol.for('foreword.task-origins');
const shared = globalThis as { [ORIGINS]?: WeakMap<Task, Origin> };
/** One for all copies of this module: the files of the built command repeat what they share. */
shared[ORIGINS] ??= new WeakMap();
const origins = shared[ORIGINS];

function toTask(input: v.InferOutput<typeof taskSchema>, origin: Origin): Task {
  const options = input.options?.enable_pre_context;
  const task: Task = {
    task_id: input.task_id ?? input.id ?? '',
    intent: input.intent ?? input.summary ?? '',
    instructions: input.instructions ?? '',
    acceptance_criteria: (input.acceptance_criteria ?? []).map(toCriterion),
    depends_on: input.depends_on ?? [],
    priority: toPriority(input.priority),
    targets: input.targets ?? [],
    ...(input.agents === undefined ? {} : { agents: input.agents }),
    retry_policy: { max_retries: input.retry_policy?.max_retries ?? MAX_RETRIES },
    timeout_s: input.timeout_s,
    options: options === undefined ? {} : { enable_pre_context: options },
  };
  origins.set(task, origin);
  return task;
}

function toCriterion(input: v.InferOutput<typeof criterionSchema>): Criterion {
  if (typeof input === 'string') return { text: input };
  // The schema ensures what the type requires: exactly one kind of check, and absent keys are absent.
  return input.check === undefined ? { text: input.text } : { text: input.text, check: input.check as Check };
}

function toPriority(input: number | string | undefined): number {
  return typeof input === 'string' ? Number(input.replace(/^p/i, '')) : (input ?? 1000);
}
