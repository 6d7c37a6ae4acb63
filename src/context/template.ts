// Templates: prompt files in which `{token}` is replaced by a part of the context. One pass: values are not expanded
// again, so no task, note or branch name can insert another part.

import type { Fault } from '../kernel/errors.ts';

export const TEMPLATE_TOKENS = [
  'context_header',
  'queue_md',
  'recent_files_md',
  'next_work_md',
  'diffstat_md',
  'targets',
  'mode_hint',
] as const;
export type TemplateToken = (typeof TEMPLATE_TOKENS)[number];
export type TemplateValues = Readonly<Record<TemplateToken, string>>;

/** Doubled braces are a literal. Braces around anything but one lower-case name (JSON, code) are not a token. */
const TOKEN = /\{\{([a-z][a-z0-9_]*)\}\}|\{([a-z][a-z0-9_]*)\}/g;

/** The text, or every unknown token with its line: a prompt with a gap is worse than no prompt. */
export function renderTemplate(
  text: string,
  values: TemplateValues,
  { where }: { readonly where: string },
): { readonly text: string } | { readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  let line = 1;
  let counted = 0;
  // A function as replacement: in a string, `$&` and similar would be expanded.
  const rendered = text.replace(TOKEN, (whole: string, literal: string | undefined, name: string, at: number) => {
    if (literal !== undefined) return `{${literal}}`;
    if (isToken(name)) return values[name] ?? '';
    line += text.slice(counted, at).split('\n').length - 1;
    counted = at;
    faults.push({ where, line, path: '', message: unknownToken(name) });
    return whole;
  });
  return faults.length > 0 ? { faults } : { text: rendered };
}

function isToken(name: string): name is TemplateToken {
  return (TEMPLATE_TOKENS as readonly string[]).includes(name);
}

function unknownToken(name: string): string {
  const known = TEMPLATE_TOKENS.map((token) => `{${token}}`).join(' ');
  return `unknown token {${name}}; tokens are ${known}, and {{${name}}} writes the literal text`;
}
