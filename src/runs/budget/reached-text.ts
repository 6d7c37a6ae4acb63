// A cap that was reached, for a person: which, and what was used. Pure.

import { costText } from '../../kernel/usage.ts';
import type { CapName, Reached } from './caps.ts';

/** The flag of each cap. */
export const CAP_FLAGS: Readonly<Record<CapName, string>> = {
  cost: '--max-cost',
  tokens: '--max-tokens',
  time: '--max-time',
  attempts: '--max-attempts',
};

/** `--max-cost $2.00 is reached: $2.13 used`. */
export function reachedText({ cap, limit, used, unpriced }: Reached): string {
  if (unpriced !== undefined)
    return `--max-cost cannot be kept: ${unpriced} worked and named no cost; set agents.${unpriced}.price`;
  return `${CAP_FLAGS[cap]} ${amountText(cap, limit)} is reached: ${amountText(cap, used)} used`;
}

function amountText(cap: CapName, amount: number): string {
  if (cap === 'cost') return costText(amount);
  if (cap === 'time') return timeText(amount);
  return String(amount).replace(/\B(?=(\d{3})+$)/g, ',');
}

function timeText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds}s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)}m` : `${Math.round(seconds / 360) / 10}h`;
}
