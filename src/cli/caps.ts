// The flags of `foreword run` that cap it. A cap of nothing is refused: the run could not begin.

import { ForewordError } from '../kernel/errors.ts';
import type { Caps } from '../runs/budget/caps.ts';
import type { Call } from './command.ts';

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Throws `bad-usage` for the first that is wrong. */
export function capsOf(call: Pick<Call, 'text'>): Caps {
  const costUsd = read(call, 'max-cost', { takes: 'US dollars above 0, such as 5 or 2.50', parse: usd });
  const tokens = read(call, 'max-tokens', { takes: 'a whole number from 1 up', parse: count });
  const timeMs = read(call, 'max-time', {
    takes: 'a number with s, m, h or d above 0, such as 90m or 8h',
    parse: timeIn,
  });
  const attempts = read(call, 'max-attempts', { takes: 'a whole number from 1 up', parse: count });
  return {
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(timeMs === undefined ? {} : { timeMs }),
    ...(attempts === undefined ? {} : { attempts }),
  };
}

function read(
  call: Pick<Call, 'text'>,
  flag: string,
  how: { readonly takes: string; readonly parse: (text: string) => number | undefined },
): number | undefined {
  const text = call.text(flag);
  if (text === undefined) return undefined;
  const value = how.parse(text);
  if (value !== undefined && value > 0) return value;
  throw new ForewordError('bad-usage', `--${flag} was given "${text}"; it takes ${how.takes}.`);
}

function usd(text: string): number | undefined {
  return /^\$?\d{1,7}(\.\d{1,6})?$/.test(text) ? Number(text.replace('$', '')) : undefined;
}

function count(text: string): number | undefined {
  return /^\d{1,13}$/.test(text) ? Number(text) : undefined;
}

/** `90m`, `8h`, `30d` in milliseconds. */
export function timeIn(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d{1,7}(?:\.\d{1,3})?)([smhd])$/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * (UNIT_MS[unit] ?? 0);
}
