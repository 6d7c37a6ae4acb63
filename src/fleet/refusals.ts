// Why a machine must not join a fleet, and what a person should know when it does. Pure: from what the store and the server said.

import type { FleetRules, FleetServer } from '../kernel/fleet.ts';

/** Raise it when workers of an older version could no longer work beside newer ones. */
const PROTOCOL = 1;

/** What this machine would have all workers do. */
export function fleetRules({ lockMs, stalledMs }: Omit<FleetRules, 'protocol'>): FleetRules {
  return { protocol: PROTOCOL, lockMs, stalledMs };
}

export interface FleetRefusal {
  readonly message: string;
  readonly hint: string;
}

/** `kept` are the fleet's rules, `own` those of this machine. */
export function rulesRefusal(kept: FleetRules, own: FleetRules): FleetRefusal | undefined {
  if (kept.protocol !== own.protocol) {
    const isOlder = own.protocol < kept.protocol;
    return {
      message: `The fleet was made by ${isOlder ? 'a newer' : 'an older'} version of foreword (protocol ${kept.protocol}; this is ${own.protocol}).`,
      hint: isOlder
        ? 'Update foreword on this machine.'
        : 'Update foreword where the fleet was made, and enqueue again.',
    };
  }
  const differ = (['lockMs', 'stalledMs'] as const).filter((name) => kept[name] !== own[name]);
  if (differ.length === 0) return undefined;
  const [name = 'lockMs'] = differ;
  return {
    message: `The workers of this fleet use worker.${name} ${kept[name]}, and this machine has ${own[name]}.`,
    hint: `One setting holds for all: set worker.${name} to ${kept[name]} here (with --config FILE in that file, which replaces the project's), or enqueue into a new fleet.`,
  };
}

/** The queue keeps its locks as keys with an expiry, which every policy but one may remove. */
export function evictionRefusal({ eviction }: FleetServer): FleetRefusal | undefined {
  if (eviction === undefined || eviction === 'noeviction') return undefined;
  return {
    message: `The server removes keys when its memory is full (maxmemory-policy ${eviction}): locks and jobs could vanish.`,
    hint: 'Set maxmemory-policy noeviction on the server, or accept the loss with --allow-volatile.',
  };
}

export function evictionNote({ eviction }: FleetServer): string | undefined {
  if (eviction !== undefined) return undefined;
  return 'the server does not say what it does when its memory is full; it must be maxmemory-policy noeviction.';
}

/** Leases go by the store's clock, so a wrong one does no harm; times in records are a machine's own. */
const NOTED_MS = 5_000;

export function skewNote(here: number, there: number): string | undefined {
  const skew = here - there;
  if (Math.abs(skew) < NOTED_MS) return undefined;
  const seconds = Math.round(Math.abs(skew) / 1000);
  return `the clock of this machine is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} the store's; leases go by the store's, times in records are those of each machine.`;
}

/** What a worker says when the store refuses the result of a task. */
export function takenOver(task: string): string {
  return `${task} is another worker's now; what was done here is kept with its attempt.`;
}

export function recordLost(task: string): string {
  return `the store has no record of ${task} any more: it was emptied, or came back without its records. What was done here is kept with its attempt. Look at the server (appendonly, and what its default user may do), then enqueue the file again: tasks that are on the branch are not done twice.`;
}
