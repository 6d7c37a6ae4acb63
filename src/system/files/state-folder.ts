// Where we keep what belongs to the person and not to a project. foreword-hook.sh knows it too.

import { isAbsolute, join } from 'node:path';

interface Names {
  readonly XDG_STATE_HOME?: string | undefined;
  readonly HOME?: string | undefined;
}

/** By the XDG rules, where a relative path does not count. `home` is used where HOME says nothing; without one it is empty. */
export function stateFolder({ XDG_STATE_HOME: base = '', HOME: known = '' }: Names, home = ''): string {
  if (isAbsolute(base)) return join(base, 'foreword');
  const own = isAbsolute(known) ? known : home;
  return own === '' ? '' : join(own, '.local/state/foreword');
}
