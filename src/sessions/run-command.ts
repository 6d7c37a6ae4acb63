// Does what an agent asks of its session by an in-band command (in-band.ts finds them).

import type { Continuity } from '../kernel/continuity.ts';
import type { InBandCommand } from './in-band.ts';

export interface CommandParts {
  /** The startup context as it is now. */
  readonly startupText: () => Promise<string>;
  /** Types a text to the agent as soon as its composer is free. */
  readonly typeText: (text: string) => Promise<unknown>;
  /** Throws `bad-input` for what cannot be read; `where` names it in the fault. */
  readonly readContinuity: (text: string, where: string) => Omit<Continuity, 'id' | 'savedAt' | 'by'>;
  readonly newId: (prefix: string) => string;
  readonly now: () => number;
  /** Stores it, and emits that it was saved. */
  readonly saveContinuity: (record: Continuity) => Promise<void>;
}

/** Rejects when it cannot be done; nothing was saved then. */
export async function runCommand(command: InBandCommand, parts: CommandParts): Promise<void> {
  switch (command.kind) {
    case 'load':
      await parts.typeText(await parts.startupText());
      return;
    case 'save':
    case 'handoff':
      await parts.saveContinuity({
        ...parts.readContinuity(command.content, `->continuity:${command.kind}`),
        id: parts.newId('con'),
        savedAt: new Date(parts.now()).toISOString(),
        by: 'agent',
      });
  }
}
