// The agents that a run may use. Good only with evidence: the agent is installed, and worked the last time. Pure.

import type { BreakerRecord } from '../kernel/breaker.ts';
import type { ForewordEvent } from '../kernel/events.ts';
import { isoTime } from '../kernel/iso-time.ts';
import { oneLine } from '../kernel/safe-text.ts';
import { availability } from '../runs/breaker.ts';
import type { DashboardRecords } from './records.ts';
import type { AgentRow, ShownState } from './shown.ts';

const MAX_NAME = 60;

/** When each agent last ran to its end, whatever its work was worth: an ISO time by the agent's name. */
export function lastWork(events: readonly ForewordEvent[]): ReadonlyMap<string, string> {
  const worked = new Map<string, string>();
  for (const event of events) {
    if (event.kind !== 'attempt-finished') continue;
    if (event.exitReason === undefined || event.exitReason === 'validation_failure') worked.set(event.agent, event.at);
  }
  return worked;
}

/** The agents of the lineup, and all others with a breaker. */
export function agentRows(
  { lineup, breakers, installed, now }: DashboardRecords,
  worked: ReadonlyMap<string, string>,
): readonly AgentRow[] {
  const others = breakers.map(({ agent }) => agent).filter((agent) => !lineup.includes(agent));
  return [...new Set([...lineup, ...others])].map((agent) => {
    const breaker = breakers.find((one) => one.agent === agent);
    const isInstalled = installed.get(agent);
    return {
      agent: oneLine(agent, MAX_NAME),
      ...(breaker === undefined || breaker.state === 'closed'
        ? usableShown(breaker?.failures.length ?? 0, { isInstalled, workedAt: worked.get(agent) })
        : outShown(breaker, now)),
    };
  });
}

/** No limit keeps it from being used. */
function usableShown(
  failures: number,
  { isInstalled, workedAt }: { readonly isInstalled: boolean | undefined; readonly workedAt: string | undefined },
): Omit<AgentRow, 'agent'> {
  if (isInstalled === false) return { state: { word: 'not installed', tone: 'plain' } };
  const known = workedAt === undefined ? {} : { workedAt };
  if (failures > 0) {
    const reason = `failed ${failures === 1 ? 'once' : `${failures} times`} lately`;
    return { state: { word: 'available', tone: 'waiting' }, reason, ...known };
  }
  if (workedAt !== undefined && isInstalled === true) return { state: { word: 'available', tone: 'good' }, ...known };
  const word = isInstalled === true ? 'installed' : 'unknown whether installed';
  const reason = workedAt === undefined ? { reason: 'not used here yet' } : {};
  return { state: { word, tone: isInstalled === true ? 'plain' : 'unknown' }, ...reason, ...known };
}

function outShown(breaker: Exclude<BreakerRecord, { state: 'closed' }>, now: number): Omit<AgentRow, 'agent'> {
  const may = availability(breaker, now);
  const reason = oneLine(breaker.reason, MAX_NAME);
  if (may.kind !== 'no') return { state: { word: 'due for a trial', tone: 'waiting' }, reason };
  // `until` of the record: `may.until` moves with the clock when the record comes from a clock that was set back.
  const until = breaker.state === 'open' ? breaker.until : breaker.leaseUntil;
  const state: ShownState =
    breaker.state === 'trial' ? { word: 'in trial', tone: 'active' } : { word: 'unavailable', tone: 'bad' };
  return { state, reason, until: Date.parse(until) === may.until ? until : isoTime(may.until) };
}
