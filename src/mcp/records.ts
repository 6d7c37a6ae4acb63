// What is recorded of a call, for the journal: written to the spool, as hooks do, so that an agent never waits for a lock.

import type { ForewordEvent } from '../kernel/events.ts';
import type { AskedProof } from './asked-proofs.ts';
import type { AskedEntry, McpParts } from './serve.ts';

interface Recording {
  newId(prefix: string): string;
  now(): number;
  append(
    root: string,
    entry: Extract<ForewordEvent, { readonly kind: 'context-asked' | 'context-submitted' | 'context-served' }>,
  ): void;
}

export function recorder({ newId, now, append }: Recording): Pick<McpParts, 'recordAsked' | 'recordProof'> {
  const base = ({ agent, session, context }: AskedEntry) => {
    const at = new Date(now()).toISOString();
    return { id: newId('evt'), at, agent, session, context };
  };
  return {
    recordAsked: (asked) => {
      const { tool, chars, durationMs } = asked;
      append(asked.root, { ...base(asked), kind: 'context-asked', tool, chars, durationMs });
    },
    recordProof: (asked: AskedEntry, { proof, session, reason }: AskedProof) => {
      const known = { ...base(asked), ...(session === undefined ? {} : { session }) };
      if (proof === 'served') append(asked.root, { ...known, kind: 'context-served' });
      else append(asked.root, { ...known, kind: 'context-submitted', ...(reason === undefined ? {} : { reason }) });
    },
  };
}
