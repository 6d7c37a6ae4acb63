// Who hosts a session whose host died. Several commands may need it at the same moment, and two hosts would type into
// each other's text: whoever writes itself into the record first is the host, and one that lives is waited for and never
// replaced, however long it takes until it listens.

import type { Clock } from '../kernel/clock.ts';
import { ForewordError } from '../kernel/errors.ts';
import type { SessionRecord } from '../kernel/session.ts';
import type { Stores } from '../kernel/stores.ts';

export interface TakeOverParts {
  readonly sessions: Stores['sessions'];
  readonly clock: Clock;
  readonly isHosted: (record: SessionRecord) => Promise<boolean>;
  /** `perhaps`: a process has its number, and nothing more is known. */
  readonly hostState: (record: SessionRecord) => 'alive' | 'gone' | 'perhaps';
}

const LOOK_EVERY_MS = 50;
/** A host that starts on a very busy machine. */
const PATIENCE_MS = 30_000;
/** A number alone: more likely another process has it by now. */
const NUMBER_PATIENCE_MS = 2_000;

/** Waits while a host is about to listen. Returns whether one listens; if not, there is none. Throws `conflict` when one
 *  lives and does not listen, `session-gone` when the session ended. */
export async function isHostedSoon(id: string, parts: TakeOverParts): Promise<boolean> {
  return (await settle(id, parts)).kind === 'hosted';
}

/** Makes `me` the host, which the record names from then on; `hosted` when somebody else is. */
export async function claimSession(
  id: string,
  me: Pick<SessionRecord, 'pid' | 'owner'>,
  parts: TakeOverParts,
): Promise<
  | { readonly kind: 'hosted' }
  | { readonly kind: 'ours'; readonly before: { readonly value: SessionRecord; readonly version: number } }
> {
  for (;;) {
    const found = await settle(id, parts);
    if (found.kind === 'hosted') return found;
    const value = { ...found.record, ...me };
    if (await parts.sessions.put(id, value, found.version))
      return { kind: 'ours', before: { value, version: found.version + 1 } };
  }
}

type Settled =
  | { readonly kind: 'hosted' }
  | { readonly kind: 'free'; readonly record: SessionRecord; readonly version: number };

async function settle(id: string, parts: TakeOverParts): Promise<Settled> {
  let pid: number | undefined;
  for (let waited = 0; ; waited += LOOK_EVERY_MS) {
    const found = await parts.sessions.get(id);
    if (found === undefined || found.value.endedAt !== undefined) {
      throw new ForewordError('session-gone', `Session ${id} has ended.`, {
        hint: 'foreword sessions shows which ones run.',
      });
    }
    const { value: record, version } = found;
    if (await parts.isHosted(record)) return { kind: 'hosted' };
    // Another one began meanwhile: it is given its own time.
    if (record.pid !== pid) waited = 0;
    pid = record.pid;
    const state = parts.hostState(record);
    if (state === 'gone' || (state === 'perhaps' && waited >= NUMBER_PATIENCE_MS))
      return { kind: 'free', record, version };
    if (waited >= PATIENCE_MS) {
      throw new ForewordError('conflict', `The host of session ${id}, process ${pid}, runs and does not reply.`, {
        hint: `Try again later, or end it (kill ${pid}): the agent lives on in tmux, and a new host takes it over.`,
      });
    }
    await parts.clock.wait(LOOK_EVERY_MS);
  }
}
