// What the log of the hooks says of the last day. Hooks never fail before an agent, so this is where their faults are. Pure.

export interface HookComplaints {
  readonly count: number;
  /** `EVENT AGENT: given up after 1500 ms`. */
  readonly last: string;
}

const DAY_MS = 24 * 3600 * 1000;
const MAX_LINE = 200;

/** `undefined` when there is nothing of the last day. Each line begins with its ISO time. */
export function recentComplaints(log: string, now: number): HookComplaints | undefined {
  const lines = log.split('\n').flatMap((line) => {
    const [, at = '', rest = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
    const age = now - Date.parse(at);
    return age >= -DAY_MS && age < DAY_MS ? [rest] : [];
  });
  const last = lines.at(-1);
  return last === undefined ? undefined : { count: lines.length, last: last.slice(0, MAX_LINE) };
}
