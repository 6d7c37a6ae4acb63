// Paths of an agent's data: `~/` is the person's home, `$NAME` a folder that the variable moves. Pure.

import type { AgentBox } from '../../kernel/agent-box.ts';

export interface HomeFacts {
  readonly home: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

export interface HomePath {
  readonly path: string;
  /** It was written with a `/` at its end. */
  readonly isFolder: boolean;
}

/** Absolute, without `.` and `..`; `undefined` for a path that leads elsewhere: then it is not shown to the agent. */
export function homePath(text: string, box: AgentBox, facts: HomeFacts): HomePath | undefined {
  const [first = '', ...rest] = text.split('/');
  if (rest.some((part) => part === '..' || part === '.')) return undefined;
  const base = first === '~' ? facts.home : baseOf(first, box, facts);
  const below = rest.filter((part) => part !== '');
  if (base === undefined || (base === facts.home && below.length === 0)) return undefined;
  return { path: [base.replace(/\/+$/, ''), ...below].join('/'), isFolder: text.endsWith('/') };
}

/** Variables with a relative path do not count, as in the XDG rules. */
function baseOf(first: string, box: AgentBox, facts: HomeFacts): string | undefined {
  const name = first.startsWith('$') ? first.slice(1) : undefined;
  const usual = name === undefined ? undefined : box.homes?.[name];
  if (name === undefined || usual === undefined) return undefined;
  const moved = facts.variables[name] ?? '';
  return moved.startsWith('/') ? moved : usual.replace(/^~(?=\/|$)/, facts.home);
}
