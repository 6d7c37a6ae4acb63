// Continuity from what a person or agent said: text, JSON, or lists given one by one.

import { type ContinuityInput, parseContinuity } from '../config/schemas/continuity.ts';
import type { Continuity } from '../kernel/continuity.ts';
import { ForewordError } from '../kernel/errors.ts';

export const EMPTY: ContinuityInput = {
  done: [],
  inProgress: [],
  blocked: [],
  decisions: [],
  questions: [],
  files: [],
  nextSteps: [],
};

/** More than this is a document, not a word to the next session; only what fits the budget is shown anyway. */
const MAX_CHARS = 256 * 1024;

/** Text that begins like a JSON map is JSON, and refused whole when it is wrong; any other text is the summary. */
export function readContinuity(input: string, where: string): ContinuityInput {
  if (input.length > MAX_CHARS) {
    throw new ForewordError(
      'bad-input',
      `${where} has ${input.length} characters; at most ${MAX_CHARS} can be saved.`,
      {
        hint: 'Save the part the next session needs, and name a file for the rest.',
      },
    );
  }
  const text = input.trim();
  if (!text.startsWith('{')) return { ...EMPTY, ...(text === '' ? {} : { summary: text }) };
  const parsed = parseContinuity(text, where);
  if (parsed.ok) return parsed.value;
  throw new ForewordError('bad-input', 'What was given to save is not right; nothing was saved.', {
    hint: 'Fix it, or give plain text.',
    faults: parsed.faults,
  });
}

/** "no cart access: called every second" and "x because y" carry their reason. */
export function readDecision(text: string): Continuity['decisions'][number] {
  const parts = /^(.+?)(?:: | because )(.+)$/s.exec(text);
  return parts?.[1] === undefined || parts[2] === undefined
    ? { decision: text }
    : { decision: parts[1], reason: parts[2] };
}

/** Without what is only white space; the same rules as for JSON, whatever way it was said. */
export function checkContinuity(said: ContinuityInput, where: string): ContinuityInput {
  const words = (list: readonly string[]) => list.map((item) => item.trim()).filter((item) => item !== '');
  const { summary, currentTask, decisions, ...lists } = said;
  const trimmed = {
    ...(summary === undefined || summary.trim() === '' ? {} : { summary: summary.trim() }),
    ...(currentTask === undefined || currentTask.trim() === '' ? {} : { currentTask: currentTask.trim() }),
    ...Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, words(list)])),
    decisions: decisions.filter(({ decision }) => decision.trim() !== ''),
  };
  return readContinuity(JSON.stringify(trimmed), where);
}

export function isEmpty(input: ContinuityInput): boolean {
  const { summary, currentTask, ...lists } = input;
  return summary === undefined && currentTask === undefined && Object.values(lists).every((list) => list.length === 0);
}
