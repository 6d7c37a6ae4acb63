// Makes sure that a session has a host that replies: one that died is replaced where the agent lives on in tmux.

import { ForewordError } from '../../kernel/errors.ts';
import type { SessionRecord } from '../../kernel/session.ts';
import { noteOf, storeOf } from '../places.ts';
import { isElsewhere, isInTmux, presenceBy } from '../presence.ts';
import type { SessionProject } from '../project.ts';
import { isHostedSoon } from '../take-over.ts';
import type { ClientParts } from './parts.ts';

type ReachParts = Pick<ClientParts, 'owners' | 'places' | 'spawnHost'> & {
  readonly project: Pick<SessionProject, 'root' | 'cwd' | 'config' | 'clock' | 'readStores'>;
};

/** The new host uses the same store, and the configuration the session was started with. Throws `session-gone` where
 *  nothing lives, and `bad-usage` as `refuseElsewhere`. */
export async function ensureHost(parts: ReachParts, record: SessionRecord): Promise<void> {
  const { project, owners, places } = parts;
  await refuseElsewhere(parts, record);
  const { sessions } = await project.readStores();
  const presence = presenceBy(owners);
  if (await isHostedSoon(record.id, { sessions, clock: project.clock, ...presence })) return;
  const place = places.of(project, record);
  const note = place && noteOf(place);
  if (note === undefined || !isInTmux(record, owners)) {
    throw new ForewordError('session-gone', `Session ${record.id} is gone: its host died, and its agent with it.`, {
      hint: 'foreword receipts --failed lists what was not delivered; start a new session and redeliver.',
    });
  }
  // Where another command started a host at the same time and that one was first, ours reports it and ends.
  const { id: session, agent } = record;
  const { fleet, allowVolatile, allowPlainRedis } = project.config;
  const terms = { ...storeOf(project), fleet, allowVolatile, allowPlainRedis, config: note.config };
  const request = { kind: 'take-over', session, agent, ...terms } as const;
  await parts.spawnHost(request, note.cwd).started;
}

/** Throws `bad-usage` for a session of another machine, and for one whose place is not known here. */
export async function refuseElsewhere(
  { owners, places }: Pick<ReachParts, 'owners' | 'places'>,
  record: SessionRecord,
): Promise<void> {
  if (await isElsewhere(record, owners)) {
    const host = owners.hostOf(record.owner ?? '');
    throw new ForewordError('bad-usage', `Session ${record.id} runs on ${host}, and cannot be reached from here.`, {
      hint: `Run this on ${host}. If that machine is gone for good: foreword sessions --forget ${record.id}`,
    });
  }
  if (!places.isElsewhere(record)) return;
  throw new ForewordError('bad-usage', `The folder of session ${record.id} is not where sessions are kept here.`, {
    hint: 'Set XDG_RUNTIME_DIR, XDG_STATE_HOME and HOME as they were when it was started.',
  });
}
