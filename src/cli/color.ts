// Whether output has colour. FORCE_COLOR wins over NO_COLOR, as in Node; an empty NO_COLOR does not count (no-color.org).

import type { Environment } from '../system/environment.ts';

export function wantsColor(env: Environment, isTerminal: boolean): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: none = '', TERM: term } = env;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTerminal && none === '' && term !== 'dumb';
}

/** Whether lines can be drawn again: a terminal that knows how to move its cursor. */
export function canRedraw(env: Environment, isTerminal: boolean): boolean {
  return isTerminal && env.TERM !== 'dumb' && env.TERM !== '';
}
