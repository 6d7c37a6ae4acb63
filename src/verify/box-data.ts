// Fingerprint of all that decides how an agent is boxed: with other data a trial in the box says nothing.

import type { Agent } from '../kernel/agent.ts';
import { sha256 } from '../system/sha256.ts';

export function boxDataOf({ box, oneshot }: Pick<Agent, 'box' | 'oneshot'>): string {
  return sha256(JSON.stringify([box ?? null, oneshot?.boxed?.command ?? oneshot?.command ?? null])).slice(0, 32);
}
