// The startup context of a new session, put into its queue with the channel that the launch carried it by.

import type { Interactive } from '../kernel/agent.ts';
import type { Proof } from '../kernel/receipt.ts';
import { flag } from './channels/flag.ts';
import type { NewDelivery } from './delivery/record.ts';
import type { SessionStartup } from './prepared.ts';
import type { Session } from './session.ts';

/** Nothing is delivered without one (`--no-context`). */
export async function deliverStartup(
  session: Pick<Session, 'deliver' | 'placed'>,
  startup: SessionStartup | undefined,
  agent: Interactive,
): Promise<void> {
  if (startup === undefined) return;
  await session.deliver(startupDelivery(startup, agent));
  if (startup.launched !== 'flag') return;
  const evidence = flag.evidence.placed(startup.awaitsPrompt === true ? 'history' : 'prompt');
  await session.placed(startup.id, 'flag', { evidence });
}

/** Where the launch brings our hook, the delivery knows when that hook should run. */
export function startupDelivery({ launched, ...startup }: SessionStartup, agent: Interactive): NewDelivery {
  const firesAt = launched === 'hook' ? agent.launch?.hook?.firesAt : undefined;
  return {
    ...startup,
    moment: 'session-start',
    priority: 'startup',
    ...(firesAt === undefined ? {} : { hookFiresAt: firesAt }),
  };
}

/** One line of ours for the agent, typed as soon as its composer is free. */
export function typedLine(id: string, text: string, required: Proof): NewDelivery {
  return { id, moment: 'session-start', priority: 'normal', text, ladder: ['typed'], required };
}
