// What is looked at before a machine takes part in a fleet: its rules, the server's eviction, and the clocks.

import { ForewordError } from '../kernel/errors.ts';
import type { FleetRules, FleetStore } from '../kernel/fleet.ts';
import { evictionNote, evictionRefusal, type FleetRefusal, rulesRefusal, skewNote } from './refusals.ts';

export interface JoinTerms {
  /** `--allow-volatile`. */
  readonly allowVolatile: boolean;
  now(): number;
  note(text: string): void;
}

/** Throws `store-unreachable` for a server that may lose jobs, and `conflict` for a machine with other rules. */
export async function joinFleet(fleet: FleetStore, rules: FleetRules, terms: JoinTerms): Promise<void> {
  const server = await fleet.server();
  const evicts = evictionRefusal(server);
  if (evicts !== undefined && !terms.allowVolatile) throw asError('store-unreachable', evicts);
  const refusal = rulesRefusal(await fleet.rules(rules), rules);
  if (refusal !== undefined) throw asError('conflict', refusal);
  for (const note of [evicts?.message, evictionNote(server), skewNote(terms.now(), await fleet.now())])
    if (note !== undefined) terms.note(note);
}

function asError(code: 'store-unreachable' | 'conflict', { message, hint }: FleetRefusal): ForewordError {
  return new ForewordError(code, message, { hint });
}
