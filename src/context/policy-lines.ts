// A policy as the few short lines that fit into a header. Globs and limits are merged, so that the cap drops no limit.

import type { Policy } from '../kernel/policy.ts';

/** The entries for a project without a policy. */
const DEFAULT_ENTRIES = ['minimal diff', 'respect targets'];
/** Globs are joined up to this length, then a new entry begins: readers skip longer lines. */
const MAX_ENTRY = 160;

/** At most `max` entries, in the order rules, allow, deny, limits. When there are more, limits stay before deny,
 *  deny before allow, allow before rules: a forgotten limit costs more than a forgotten habit. */
export function policyEntries(
  policy: Policy | undefined,
  max: number,
): { readonly entries: readonly string[]; readonly cut: number } {
  if (policy === undefined) return { entries: DEFAULT_ENTRIES, cut: 0 };
  const limits = limitEntry(policy.limits ?? {});
  const deny = globEntries('deny', policy.deny ?? []);
  const allow = globEntries('allow', policy.allow ?? []);
  const rules = (policy.rules ?? []).map((rule) => shorten(rule));
  const ranked = [...limits, ...deny, ...allow, ...rules];
  if (ranked.length === 0) return { entries: DEFAULT_ENTRIES, cut: 0 };
  const kept = new Set(ranked.slice(0, max));
  const entries = [...rules, ...allow, ...deny, ...limits].filter((entry) => kept.delete(entry));
  return { entries, cut: ranked.length - entries.length };
}

function limitEntry(limits: NonNullable<Policy['limits']>): readonly string[] {
  const lines = [
    ...(limits.max_lines_added === undefined ? [] : [`+<=${limits.max_lines_added}`]),
    ...(limits.max_lines_removed === undefined ? [] : [`-<=${limits.max_lines_removed}`]),
  ];
  const parts = [
    ...(lines.length > 0 ? [`${lines.join(' ')} lines`] : []),
    ...(limits.max_files === undefined ? [] : [`files<=${limits.max_files}`]),
  ];
  return parts.length > 0 ? [parts.join(', ')] : [];
}

function globEntries(kind: string, globs: readonly string[]): readonly string[] {
  const entries: string[] = [];
  for (const glob of globs) {
    const last = entries.at(-1);
    if (last !== undefined && last.length + 1 + glob.length <= MAX_ENTRY)
      entries[entries.length - 1] = `${last},${glob}`;
    else entries.push(shorten(`${kind}:${glob}`));
  }
  return entries;
}

function shorten(entry: string): string {
  const text = entry.toWellFormed();
  return text.length <= MAX_ENTRY ? text : `${text.slice(0, MAX_ENTRY - 3)}...`.toWellFormed();
}
