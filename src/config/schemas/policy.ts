// The policy file. Closed: a misspelt limit must not silently be no limit.

import * as v from 'valibot';
import type { Policy } from '../../kernel/policy.ts';
import type { Format } from '../../system/formats/index.ts';
import { checkDocument } from './check.ts';
import { type Checked, openDocument } from './document.ts';
import { line, listOf, text, whole } from './words.ts';

const globs = listOf(text('a glob such as "src/**"'), 'a list of globs');

const limits = v.strictObject(
  {
    max_lines_added: v.optional(v.pipe(whole(0), v.description('The most lines a change may add.'))),
    max_lines_removed: v.optional(v.pipe(whole(0), v.description('The most lines a change may remove.'))),
    max_files: v.optional(v.pipe(whole(0), v.description('The most files a change may touch.'))),
  },
  'a map with max_lines_added, max_lines_removed or max_files',
);

export const policySchema = v.pipe(
  v.strictObject(
    {
      $schema: v.optional(text()),
      rules: v.optional(
        v.pipe(
          listOf(line(500), 'a list of rules'),
          v.description('Rules in words, shown to the agent: "patch-only".'),
        ),
      ),
      allow: v.optional(v.pipe(globs, v.description('Paths that may be changed. An empty list means every path.'))),
      deny: v.optional(v.pipe(globs, v.description('Paths that may not be changed. Wins over allow.'))),
      limits: v.optional(v.pipe(limits, v.description('How large a change may be.'))),
    },
    'a map with rules, allow, deny or limits',
  ),
  v.title('foreword policy'),
);

/** An empty file is an empty policy. */
export function parsePolicy(format: Format, content: string, where: string): Checked<Policy> {
  const opened = openDocument(format, content, where);
  if (!opened.ok) return opened;
  const checked = checkDocument(policySchema, { ...opened.value, value: opened.value.value ?? {} });
  if (!checked.ok) return checked;
  const { $schema: _, ...policy } = checked.value;
  return { ok: true, value: policy as Policy };
}
