// A flag whose value is a whole number, for every command that has one.

import { ForewordError } from '../kernel/errors.ts';
import type { Call } from './command.ts';

/** `undefined` when the flag was not given. Throws `bad-usage` for everything but a whole number in the range. */
export function wholeNumber(
  call: Pick<Call, 'text'>,
  flag: string,
  { from, to }: { readonly from: number; readonly to?: number },
): number | undefined {
  const text = call.text(flag);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d{1,9}$/.test(text) && number >= from && (to === undefined || number <= to)) return number;
  const range = to === undefined ? `from ${from} up` : `from ${from} to ${to}`;
  throw new ForewordError('bad-usage', `--${flag} was given "${text}"; it takes a whole number ${range}.`);
}
