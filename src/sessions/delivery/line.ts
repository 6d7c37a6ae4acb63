// The line of texts that wait for one session: whose turn it is, and who makes room when it is full.

import {
  type DeliveryIn,
  type DeliveryRecord,
  PRIORITIES,
  type Priority,
  waitingReasonOf,
} from '../../kernel/delivery.ts';
import { channelRules } from '../channels/index.ts';
import type { Readiness } from '../readiness.ts';
import { channelOf } from './ladder.ts';
import { waits } from './step.ts';
import { waitingFor } from './waiting.ts';

/** Startup before normal before low; first come, first served within one. The list is in the order of arrival. Only
 *  what the session itself places is in line: what waits for a hook or a proof does not hold others up. */
export function nextInLine(waiting: readonly DeliveryRecord[]): DeliveryRecord | undefined {
  const inLine = waiting.filter(standsInLine);
  // What was begun is finished first: two half-written texts would mix.
  const begun = inLine.find((one) => BEGUN.includes(one.stage) && channelOf(one) === 'typed');
  if (begun !== undefined) return begun;
  const queued = inLine.filter((one) => one.stage === 'queued');
  return PRIORITIES.flatMap((priority) => queued.filter((one) => one.priority === priority))[0];
}

const BEGUN: readonly DeliveryRecord['stage'][] = ['typing', 'typed', 'placed', 'submitting'];

/** Whether the session places it itself, one after the other. */
export function standsInLine(delivery: DeliveryRecord): boolean {
  const channel = channelOf(delivery);
  return channel === undefined || channelRules(channel).placedBy === 'session';
}

/** What is in line behind another one waits for what that one waits for. `undefined`: it is its own turn, or it is
 *  not in line. */
export function waitingBehind(
  delivery: DeliveryRecord,
  inLine: DeliveryRecord | undefined,
  readiness: Readiness,
): DeliveryRecord | undefined {
  const isBehind = inLine !== undefined && delivery.id !== inLine.id && delivery.stage === 'queued';
  if (!isBehind || !standsInLine(delivery)) return undefined;
  const reason = waitingReasonOf(inLine) ?? waitingFor({ readiness });
  return reason === undefined ? delivery : waits(delivery, reason).delivery;
}

/** The newest of the lowest priority makes room for what is more important; `undefined` when nothing is less important
 *  than `priority`. */
export function leastImportant(
  waiting: readonly DeliveryRecord[],
  priority: Priority,
): DeliveryIn<'queued'> | undefined {
  const rank = (one: Priority) => PRIORITIES.indexOf(one);
  return waiting
    .filter((one) => one.stage === 'queued')
    .filter((one) => rank(one.priority) > rank(priority))
    .sort((a, b) => rank(b.priority) - rank(a.priority) || (a.queuedAt < b.queuedAt ? 1 : -1))[0];
}
