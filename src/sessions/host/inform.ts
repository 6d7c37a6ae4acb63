// Informs the agent of a running session something that it should know with its next input. Where our hooks run in it, the next prompt
// brings it, and no turn is spent on it; else it is typed when the composer is free. What was not given yet is replaced by what is
// newer, and what it has is not given again.

import { join } from 'node:path';
import { noteText } from '../../context/texts/delivery-text.ts';
import type { Proof } from '../../kernel/receipt.ts';
import { MEANWHILE_FILE } from '../../kernel/session.ts';
import { replaceFile } from '../../system/files/atomic.ts';
import { newDeliveryId } from '../../system/ids.ts';
import type { NewDelivery } from '../delivery/record.ts';
import type { Session } from '../session.ts';

export interface InformParts {
  /** The session's own. */
  readonly folder: string;
  readonly hasHooks: boolean;
  readonly required: Proof;
}

/** A person may come back to it after lunch, or the next morning. */
const DEADLINE_MS = 12 * 3_600_000;

export function makeInformer(
  session: Pick<Session, 'deliver' | 'reword'>,
  { folder, hasHooks, required }: InformParts,
): (text: string) => Promise<void> {
  let last: { readonly id: string; readonly text: string } | undefined;
  return async (text) => {
    if (last?.text === text) return;
    const reworded = last === undefined ? undefined : await session.reword(last.id, text);
    const given = reworded ?? (await session.deliver(newNote(text, hasHooks, required)));
    last = { id: given.id, text };
    if (hasHooks)
      replaceFile(join(folder, MEANWHILE_FILE), JSON.stringify({ id: given.id, text: noteText(given) }), {
        mode: 0o600,
      });
  };
}

function newNote(text: string, hasHooks: boolean, required: Proof): NewDelivery {
  const ladder = hasHooks ? (['hook'] as const) : (['typed'] as const);
  return { id: newDeliveryId(), moment: 'switch', priority: 'normal', text, ladder, required, deadlineMs: DEADLINE_MS };
}
