// What `foreword save` takes as JSON. Closed: a misspelt list would silently not be saved.

import * as v from 'valibot';
import type { Continuity } from '../../kernel/continuity.ts';
import type { Written } from '../../kernel/writer.ts';
import { checkDocument } from './check.ts';
import { type Checked, openDocument } from './document.ts';
import { line, listOf, text } from './words.ts';

const items = v.optional(listOf(line(2000), 'a list of lines'), []);

const continuitySchema = v.pipe(
  v.strictObject(
    {
      summary: v.optional(text()),
      currentTask: v.optional(line(500)),
      done: items,
      inProgress: items,
      blocked: items,
      decisions: v.optional(
        listOf(
          v.union(
            [
              line(2000),
              v.strictObject(
                { decision: line(2000), reason: v.optional(line(2000)) },
                'a map with decision and reason',
              ),
            ],
            'a line, or a map with decision and reason',
          ),
          'a list of decisions',
        ),
        [],
      ),
      questions: items,
      files: items,
      nextSteps: items,
    },
    'a map with summary, currentTask, done, inProgress, blocked, decisions, questions, files, nextSteps',
  ),
  v.title('foreword continuity'),
);

export type ContinuityInput = Omit<Continuity, 'id' | 'savedAt' | 'by' | 'tree' | keyof Written>;

export function parseContinuity(content: string, where: string): Checked<ContinuityInput> {
  const opened = openDocument('json', content, where);
  if (!opened.ok) return opened;
  const checked = checkDocument(continuitySchema, opened.value);
  if (!checked.ok) return checked;
  const { decisions, ...rest } = checked.value;
  const value = { ...rest, decisions: decisions.map((each) => (typeof each === 'string' ? { decision: each } : each)) };
  return { ok: true, value: value as ContinuityInput };
}
