// Attaches a person's terminal to a session in tmux.

import { spawn } from 'node:child_process';
import { ForewordError } from '../../kernel/errors.ts';
import { safeText } from '../../kernel/safe-text.ts';
import { environment } from '../../system/environment.ts';
import { isHosted, isInTmux } from '../presence.ts';
import { watchSocket } from '../socket.ts';
import { attachEnd } from './attach-end.ts';
import { listSessions, pickSession, type SessionView } from './list.ts';
import { outcomeText } from './outcome-text.ts';
import type { ClientParts } from './parts.ts';
import { ensureHost, refuseElsewhere } from './reach.ts';

/** The host stores the end a moment after the screen is gone. */
const LOOK_EVERY_MS = 100;
const MOST_LOOKS = 20;
/** A person who detached need not wait that long: by then a session that ended is no longer in tmux. */
const FIRST_LOOKS = 4;

/** Returns the exit code of the agent when it ended meanwhile, else 0. */
export async function attachSession(parts: ClientParts, id: string | undefined): Promise<number> {
  const record = sessionToAttach(await listSessions(parts, { isAll: false }), id);
  await refuseElsewhere(parts, record);
  if (record.tmux === undefined) {
    throw new ForewordError('bad-usage', `Session ${record.id} runs in another terminal, not in tmux.`, {
      hint: 'Only sessions started with --tmux or --detach can be attached.',
    });
  }
  await ensureHost(parts, record);
  const place = parts.places.of(parts.project, record);
  if (place === undefined) throw new ForewordError('session-gone', `Session ${record.id} is gone.`);
  let lastLines = '';
  const watch = watchSocket(place.socket, { kind: 'attached' }, (reply) => {
    if (typeof reply.lastLines === 'string') lastLines = reply.lastLines;
  });
  await parts.runInTerminal(await parts.tmux.attachCommand(place.tmux)).catch((error: unknown) => {
    watch.close();
    throw error;
  });
  const status = await statusAfter(parts, record.id);
  // What the host sent before it stored the end may wait to be read.
  await new Promise((resolve) => setImmediate(resolve));
  watch.close();
  // The screen of tmux is gone, and what the agent left on it with it.
  if (lastLines !== '') parts.show(`${lastLines}\x1b[m\n`);
  await tellEnd(parts, record);
  return status;
}

async function tellEnd(parts: ClientParts, record: SessionView): Promise<void> {
  const running = await listSessions(parts, { isAll: false });
  for (const line of attachEnd(record, running)) parts.note(line);
  if (running.some(({ id }) => id === record.id)) return;
  const { deliveries } = await parts.project.readStores();
  const startup = (await deliveries.list(record.id)).find(({ value }) => value.priority === 'startup');
  const outcome = outcomeText(startup?.value);
  if (outcome !== undefined) parts.note(outcome);
}

/** The only one in tmux when none is named. */
export function sessionToAttach(running: readonly SessionView[], id: string | undefined): SessionView {
  const [only, other] = running.filter((one) => one.tmux !== undefined && one.on === undefined);
  return id === undefined && only !== undefined && other === undefined ? only : pickSession(running, id);
}

async function statusAfter({ project, owners }: ClientParts, id: string): Promise<number> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const stores = await project.readStores();
    const record = (await stores.sessions.get(id))?.value;
    if (record?.endedAt !== undefined) return record.exitStatus ?? 0;
    const isLate = looks >= FIRST_LOOKS;
    if (record !== undefined && isLate && isInTmux(record, owners) && (await isHosted(record, owners))) return 0;
    await project.clock.wait(LOOK_EVERY_MS);
  }
  return 0;
}

/** Without TMUX: tmux refuses to attach inside itself otherwise. Throws `bad-usage` where there is no terminal. */
async function runInTerminal([program = '', ...args]: readonly string[]): Promise<void> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) {
    throw new ForewordError('bad-usage', 'foreword attach needs a terminal: stdin or stdout is not a TTY.', {
      hint: 'Use foreword send to type into the session, and foreword sessions to see it.',
    });
  }
  const { TMUX: _, ...env } = environment();
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env: env as NodeJS.ProcessEnv });
    child.once('error', reject);
    child.once('exit', () => resolve());
  });
}

/** The terminal that this process runs in. */
export const OWN_TERMINAL: Pick<ClientParts, 'runInTerminal' | 'show' | 'note'> = {
  runInTerminal,
  show: (text) => void process.stdout.write(text),
  note: (text) => void process.stderr.write(`foreword: ${safeText(text)}\n`),
};
