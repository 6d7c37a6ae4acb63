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

/** As `lookAtFleet`, and the fleet has rules then. */
export async function joinFleet(fleet: FleetStore, rules: FleetRules, terms: JoinTerms): Promise<void> {
  await lookAtFleet(fleet, rules, terms);
  await adoptRules(fleet, rules);
}

/** Changes nothing. Throws `store-unreachable` for a server that may lose jobs, and `conflict` for a machine with other rules. */
export async function lookAtFleet(fleet: FleetStore, rules: FleetRules, terms: JoinTerms): Promise<void> {
  const server = await fleet.server();
  const evicts = evictionRefusal(server);
  if (evicts !== undefined && !terms.allowVolatile) throw asError('store-unreachable', evicts);
  refuseOther((await fleet.keptRules()) ?? rules, rules);
  for (const note of [evicts?.message, evictionNote(server), skewNote(terms.now(), await fleet.now())])
    if (note !== undefined) terms.note(note);
}

/** The first machine's rules are the fleet's. Throws `conflict` for a machine with others. */
export async function adoptRules(fleet: FleetStore, rules: FleetRules): Promise<void> {
  refuseOther(await fleet.rules(rules), rules);
}

function refuseOther(kept: FleetRules, own: FleetRules): void {
  const refusal = rulesRefusal(kept, own);
  if (refusal !== undefined) throw asError('conflict', refusal);
}

function asError(code: 'store-unreachable' | 'conflict', { message, hint }: FleetRefusal): ForewordError {
  return new ForewordError(code, message, { hint });
}
