// One task without a file (`foreword run --do TEXT --check COMMAND`). Its id is made from text and checks, so that the same words
// again go on with the same task.

import { createHash } from 'node:crypto';
import { defineTask } from '../config/define.ts';
import { oneLine } from '../kernel/safe-text.ts';
import type { Criterion, Task } from '../kernel/task.ts';

export interface OneTask {
  readonly task: Task;
  /** In place of a task file's path: names the run. */
  readonly taskFile: string;
  /** For the branch: the first words of the text. */
  readonly name: string;
}

const MAX_INTENT = 200;
const MAX_CRITERION = 2000;
const MAX_NAME = 32;

/** Throws `bad-input` for a text that a task file could not have. */
export function oneTask(text: string, checks: readonly string[]): OneTask {
  const hash = createHash('sha256')
    .update(JSON.stringify([text, ...checks]))
    .digest('hex')
    .slice(0, 8);
  const lines = text.split('\n').map((line) => line.trim());
  const intent = oneLine(lines.find((line) => line !== '') ?? '', MAX_INTENT);
  // Only the helper or a person can decide it.
  const unchecked: Criterion = { text: text.trim().slice(0, MAX_CRITERION).toWellFormed() };
  const acceptance_criteria = checks.length === 0 ? [unchecked] : checks.map(criterionOf);
  const task = defineTask({ task_id: `do-${hash}`, intent, instructions: text, acceptance_criteria });
  return { task, taskFile: `--do ${hash}`, name: nameOf(intent) };
}

/** Words that only a shell knows. */
const OF_THE_SHELL = new Set(
  ['.', ':', 'cd', 'command', 'eval', 'exec', 'exit', 'export', 'set', 'source', 'type', 'ulimit', 'umask'].concat([
    'if',
    'for',
    'while',
    'until',
    'case',
    'time',
  ]),
);

/** A line of plain words is started without a shell, so that a program that is not there is found before an agent is paid. */
function criterionOf(line: string): Criterion {
  const words = line.trim().split(/[ \t]+/);
  const isPlain = /^[\w@%+:,./ \t-]+$/.test(line) && !OF_THE_SHELL.has(words[0] ?? '');
  return {
    text: `${oneLine(line.trim(), MAX_CRITERION - 20)} passes`,
    check: { command: isPlain ? words : ['sh', '-c', line] },
  };
}

function nameOf(intent: string): string {
  const words = intent.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  let name = '';
  for (const word of words) {
    const longer = name === '' ? word.slice(0, MAX_NAME) : `${name}-${word}`;
    if (longer.length > MAX_NAME) break;
    name = longer;
  }
  return name === '' ? 'task' : name;
}
