// How a configured agent goes on in its own session: `oneshot.resume`.

import * as v from 'valibot';
import type { Resume } from '../../kernel/agent.ts';
import { line, listOf } from './words.ts';

export const pattern = line(2000, 'a regular expression on one line, at most 2000 characters');
export const place = line(200, 'a path such as error.message');

/** Of a rule for a line of output. */
export const conditions = v.record(
  v.string(),
  v.union([v.string(), v.number(), v.boolean()], 'text, a number, true or false'),
  'a map of paths and the values they must have',
);

const ARGUMENTS = 'a list of arguments with {session} in one of them, without -- and {prompt}';

export const resume = v.pipe(
  v.strictObject(
    {
      args: v.pipe(
        listOf(v.string('text'), ARGUMENTS),
        v.check(
          (parts) =>
            parts.some((part) => part.includes('{session}')) &&
            parts.every((part) => part !== '--' && !part.includes('{prompt}') && !part.includes('\0')),
          ARGUMENTS,
        ),
        v.description('Added to the command. {session} is replaced by the id of the session.'),
      ),
      gone: v.optional(v.pipe(pattern, v.description('Matches what it reports when there is no such session.'))),
    },
    'a map with args',
  ),
  v.description('How a retry goes on in its own session. Needs output.session.'),
);

/** `output.session`. */
export const session = v.pipe(
  v.strictObject({ when: conditions, id: place }, 'a map with when and id'),
  v.description('Where the agent names its session: the values of a line, and the path of the id.'),
);

export function toResume({ args, gone }: v.InferOutput<typeof resume>): Resume {
  return { args, ...(gone === undefined ? {} : { gone }) };
}
