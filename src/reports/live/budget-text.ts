// What a run used so far, against its caps: one line of the live view.

import { addUsage, costText, tokensOf, type Usage } from '../../kernel/usage.ts';
import type { Caps } from '../../runs/budget/caps.ts';

export interface Spent {
  /** One for each time an agent worked; `undefined` for one that named nothing. */
  readonly uses: readonly (Usage | undefined)[];
  readonly attempts: number;
  readonly elapsedMs: number;
}

/** `used: $0.12 of $5.00, 12,345 tokens`; `undefined` while nothing is known and nothing is capped. */
export function budgetText(spent: Spent, caps: Caps, clockText: (ms: number) => string): string | undefined {
  const sum = addUsage(spent.uses);
  const tokens = tokensOf(sum);
  const parts = [
    ...part(sum.costUsd ?? (caps.costUsd === undefined ? undefined : 0), caps.costUsd, costText).map(
      (text) => `${text}${unknownIn(sum.withoutCost, sum.runs)}`,
    ),
    ...part(tokens ?? (caps.tokens === undefined ? undefined : 0), caps.tokens, countText).map(
      (text) => `${text} tokens${unknownIn(sum.withoutTokens, sum.runs)}`,
    ),
    ...(caps.attempts === undefined ? [] : [`${spent.attempts} of ${caps.attempts} attempts`]),
    ...(caps.timeMs === undefined ? [] : [`${clockText(spent.elapsedMs)} of ${clockText(caps.timeMs)}`]),
  ];
  return parts.length === 0 ? undefined : `used: ${parts.join(', ')}`;
}

function part(used: number | undefined, cap: number | undefined, show: (value: number) => string): readonly string[] {
  if (used === undefined) return [];
  return [cap === undefined ? show(used) : `${show(used)} of ${show(cap)}`];
}

function unknownIn(unknown: number, of: number): string {
  return unknown === 0 ? '' : ` (unknown for ${unknown} of ${of})`;
}

function countText(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
