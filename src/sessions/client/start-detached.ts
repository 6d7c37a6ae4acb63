// Starts a session in tmux: prepares it here, while its host starts up, and hands it over. Then the person is attached, or
// with --detach the command ends, after the proof that --wait names.

import type { Clock } from '../../kernel/clock.ts';
import { type DeliveryRecord, waitingReasonOf } from '../../kernel/delivery.ts';
import { ForewordError } from '../../kernel/errors.ts';
import { isAtLeast } from '../../kernel/receipt.ts';
import type { SessionPlace, SessionRecord } from '../../kernel/session.ts';
import type { PreparedSession, StartRequest } from '../prepared.ts';
import type { SessionClient } from './client.ts';
import type { NewHost } from './spawn-host.ts';
import type { SessionOptions } from './start-options.ts';

export interface DetachedParts {
  readonly prepare: (request: StartRequest, place: SessionPlace) => Promise<PreparedSession>;
  readonly client: Pick<SessionClient, 'attach' | 'deliver'>;
  readonly host: NewHost;
  readonly clock: Pick<Clock, 'wait'>;
}

/** A person reads a line that the screen of tmux is about to cover. Before the agent starts: it may end at once. */
const READING_MS = 1000;

/** Returns the exit code. */
export async function startDetached(parts: DetachedParts, options: SessionOptions): Promise<number> {
  const { session, startup } = await startHosted(parts, options);
  const { out } = options;
  if (!options.isDetached) return parts.client.attach(session.id);
  const delivery = startup === undefined ? undefined : await waitForProof(parts, options, { session, startup });
  if (options.isJson) out.json({ session, ...(delivery === undefined ? {} : { startup: delivery }) });
  else out.print(`${session.id}: ${session.agent} runs${proofText(delivery)}. foreword attach ${session.id}`);
  const { wait } = options;
  return wait === undefined || (delivery !== undefined && isAtLeast(delivery.proof, wait)) ? 0 : 1;
}

async function startHosted(
  { prepare, host, clock }: DetachedParts,
  options: SessionOptions,
): Promise<{ readonly session: SessionRecord; readonly startup?: string }> {
  const {
    agent: _,
    place: __,
    ...prepared
  } = await prepare({ ...options, isUnattended: options.isDetached }, host.place);
  if (!options.isDetached) {
    const { id } = host.place;
    options.out.note(`session ${id}; leave it with Ctrl-b d, come back with foreword attach ${id}`);
    await clock.wait(READING_MS);
  }
  host.send(prepared);
  const { message, notes } = await host.started;
  for (const note of notes) options.out.note(note.replace(/^foreword: /, ''));
  if (message.kind === 'running') return message;
  throw new ForewordError('conflict', `Another process hosts session ${host.place.id}.`);
}

/** `undefined` when nobody waits for one. */
async function waitForProof(
  { client }: DetachedParts,
  { wait, out }: SessionOptions,
  { session, startup: id }: { readonly session: SessionRecord; readonly startup: string },
): Promise<DeliveryRecord | undefined> {
  if (wait === undefined) return undefined;
  return client.deliver(session, { kind: 'follow', id, wait }, (delivery) => {
    const waiting = waitingReasonOf(delivery);
    if (waiting !== undefined) out.note(`the startup context waits: ${waiting}`);
  });
}

function proofText(delivery: DeliveryRecord | undefined): string {
  if (delivery === undefined) return '';
  return `; startup context ${delivery.proof}${delivery.reason === undefined ? '' : ` (${delivery.reason})`}`;
}
