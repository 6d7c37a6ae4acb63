// Continuity from the input of a person or agent: text, JSON, or single entries from flags.

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

/** More than this is a document, not a note to the next session; only what fits the budget is shown anyway. */
const MAX_CHARS = 256 * 1024;

/** Text that begins with `{` is JSON, and refused as a whole when it is wrong; any other text is the summary. */
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
  throw new ForewordError('bad-input', `${where} is not valid; nothing was saved.`, {
    hint: 'Fix the JSON, or give plain text.',
    faults: parsed.faults,
  });
}

/** Splits "no cart access: called every second" and "x because y" into decision and reason. */
export function readDecision(text: string): Continuity['decisions'][number] {
  const parts = /^(.+?)(?:: | because )(.+)$/s.exec(text);
  return parts?.[1] === undefined || parts[2] === undefined
    ? { decision: text }
    : { decision: parts[1], reason: parts[2] };
}

/** Drops entries that are only white space, and applies the rules for JSON to input from flags too. */
export function checkContinuity(input: ContinuityInput, where: string): ContinuityInput {
  const words = (list: readonly string[]) => list.map((item) => item.trim()).filter((item) => item !== '');
  const { summary, currentTask, decisions, ...lists } = input;
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
