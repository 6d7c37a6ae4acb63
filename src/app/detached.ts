// Hosts of sessions in tmux: processes of their own that stay behind. A host that died is started again by whoever needs
// it; its agent lives on in tmux.

import { ForewordError } from '../kernel/errors.ts';
import type { SessionRecord } from '../kernel/session.ts';
import { hostState, isElsewhere, isHosted, isInTmux, type Owners } from '../sessions/presence.ts';
import { claimSession, isHostedSoon, type TakeOverParts } from '../sessions/take-over.ts';
import { environment } from '../system/environment.ts';
import type { SessionPlace } from '../system/files/project-state.ts';
import { ownerHost, ownerPlace, ownerState } from '../system/processes/owner.ts';
import { attachTmux, personActivity } from '../terminals/tmux/tmux.ts';
import { hostName, runSession, type SessionOptions } from './host.ts';
import { type BegunHost, SIZE } from './hosting.ts';
import { isPlacedElsewhere, noteOf, placeFor, placeOf, removePlace, storeOf } from './places.ts';
import type { Project } from './project.ts';
import { type HostRole, hasStarter, tellStarter } from './role.ts';
import { interactiveAgent, type PreparedSession, prepareSession, requiredProof } from './session.ts';
import { type NewHost, spawnHost } from './spawn.ts';

/** In a process that was started as a host: the session to its end; `begun` for a new one. */
export async function hostHere(
  project: Project,
  role: HostRole,
  options: Pick<SessionOptions, 'agent'>,
  begun: BegunHost | undefined,
): Promise<number> {
  if (begun === undefined) return hostAgain(project, role.session);
  return hostNew(project, { agent: options.agent, place: placeFor(role.session) }, begun);
}

/** Has the session prepared here and hosted by the process that was started for it. */
export async function startHosted(
  project: Project,
  options: SessionOptions,
  host: NewHost,
): Promise<{ readonly session: SessionRecord; readonly startup?: string }> {
  const how = { ...options, isUnattended: options.isDetached };
  const { agent: _, ...prepared } = await prepareSession(project, how, host.place);
  host.send(prepared);
  const { message, notes } = await host.told;
  for (const note of notes) options.out.note(note.replace(/^foreword: /, ''));
  return message as unknown as { readonly session: SessionRecord; readonly startup?: string };
}

async function hostNew(
  project: Project,
  { agent: name, place }: { readonly agent: string; readonly place: SessionPlace },
  begun: BegunHost,
): Promise<number> {
  const agent = interactiveAgent(project, name);
  // Needed in a moment, and loaded while there is time; whatever is wrong with the store is said below.
  await Promise.all([import('../terminals/screen/screen.ts'), project.readStores().catch(() => undefined)]);
  const heard = await begun.prepared;
  const reserved = await begun.reserved;
  // A starter that is gone, by Ctrl-C say, takes back what it asked for until it is told that the session runs.
  if (heard === undefined || !hasStarter()) {
    await reserved.end();
    removePlace(place);
    return 1;
  }
  const prepared: PreparedSession = { ...(heard as Omit<PreparedSession, 'agent'>), agent };
  // Before the agent: what cannot be written down cannot be proved.
  await project.writeStores();
  const terminal = await reserved.run(prepared);
  const given = { terminal, size: SIZE, personAt: () => personActivity(place.tmux) };
  const running = await runSession(project, prepared, given).catch(async (error: unknown) => {
    await terminal.end();
    throw error;
  });
  if (hasStarter()) tellStarter({ session: running.host.record(), startup: prepared.startup?.id });
  else await terminal.end();
  await running.ended;
  return 0;
}

/** A new host for a session whose host died. */
async function hostAgain(project: Project, id: string): Promise<number> {
  const { sessions } = await project.writeStores();
  const record = (await sessions.get(id))?.value;
  const tmux = record === undefined ? undefined : placeOf(project, record)?.tmux;
  if (record === undefined || tmux === undefined) {
    throw new ForewordError('unknown-session', `Session ${id} cannot be taken over.`);
  }
  const agent = interactiveAgent(project, record.agent);
  const claim = await claimSession(id, hostName(), takeOverParts(project, sessions));
  if (claim.kind === 'hosted') {
    tellStarter({});
    return 0;
  }
  const { before } = claim;
  const terminal = await attachTmux(tmux, { hasBracketedPaste: takesPastes(before.value, project.clock.now()) });
  const prepared = {
    id,
    agent,
    command: agent.interactive.command,
    env: environment() as Record<string, string>,
    required: requiredProof(project, agent.interactive),
  };
  const running = await runSession(project, prepared, {
    terminal,
    size: terminal.size(),
    before,
    personAt: () => personActivity(tmux),
  }).catch(async (error: unknown) => {
    await terminal.release();
    throw error;
  });
  tellStarter({ session: running.host.record() });
  await running.ended;
  return 0;
}

/** tmux does not tell, so what the dead host wrote down counts. It may have died in the moment between seeing it and writing
 *  it down: of a young session it is assumed, and before typing the terminal must be raw and the composer shown anyway. */
function takesPastes(record: SessionRecord, now: number): boolean {
  return record.hasBracketedPaste === true || now - Date.parse(record.startedAt) < YOUNG_MS;
}

const YOUNG_MS = 15_000;

/** Starts a new host where the old one died and the agent lives on. Throws `session-gone` where nothing lives, and
 *  `bad-usage` for a session of another machine. */
export async function ensureHost(project: Project, record: SessionRecord): Promise<void> {
  await refuseElsewhere(project, record);
  const { sessions } = await project.readStores();
  if (await isHostedSoon(record.id, takeOverParts(project, sessions))) return;
  const place = placeOf(project, record);
  const note = place && noteOf(place);
  if (note === undefined || !isInTmux(record, ownersOf(project))) {
    throw new ForewordError('session-gone', `Session ${record.id} is gone: its wrapper died, and its agent with it.`, {
      hint: 'foreword receipts --failed lists what it was not given; start a new session and redeliver.',
    });
  }
  const { cwd, config } = note;
  const args = [
    record.agent,
    '--tmux',
    '--detach',
    '--cwd',
    cwd,
    ...(config === undefined ? [] : ['--config', config]),
  ];
  // Where another command needed it at the same time and its host was first, ours says so and ends.
  const role = { kind: 'take-over', session: record.id, ...storeOf(project) } as const;
  await spawnHost(args, cwd, role).told;
}

/** Throws `bad-usage` for a session of another machine, and for one whose place is not known here. */
export async function refuseElsewhere(project: Project, record: SessionRecord): Promise<void> {
  if (!(await isElsewhere(record, ownersOf(project)))) {
    if (!isPlacedElsewhere(record)) return;
    throw new ForewordError('bad-usage', `The folder of session ${record.id} is not where sessions are kept here.`, {
      hint: 'Set XDG_RUNTIME_DIR, XDG_STATE_HOME and HOME as they were when it was started.',
    });
  }
  const host = ownerHost(record.owner ?? '');
  throw new ForewordError('bad-usage', `Session ${record.id} runs on ${host}, and cannot be reached from here.`, {
    hint: `Run this on ${host}. If that machine is gone for good: foreword sessions --forget ${record.id}`,
  });
}

export function ownersOf(project: Project): Owners {
  return { stateOf: ownerState, placeOf: ownerPlace, socketsOf: (record) => placeOf(project, record) };
}

function takeOverParts(project: Project, sessions: TakeOverParts['sessions']): TakeOverParts {
  const owners = ownersOf(project);
  return {
    sessions,
    clock: project.clock,
    isHosted: (record) => isHosted(record, owners),
    hostState: (record) => hostState(record, owners),
  };
}
