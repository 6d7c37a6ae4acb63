// A store with at least one of everything, for what must carry all of it.

import type { Stores } from '../../kernel/stores.ts';
import {
  attempt,
  claimed,
  continuity,
  delivery,
  event,
  isoAt,
  receipt,
  record,
  run,
  session,
  work,
} from './samples.ts';

export async function fill(stores: Stores): Promise<void> {
  for (const status of ['queued', 'blocked', 'completed', 'failed', 'needs-review'] as const) {
    await stores.tasks.add(record(`task ${status}`, status, status.length * 1_000));
  }
  await stores.tasks.add({ task_id: 'bare', status: 'completed', intent: 'old', updated_at: isoAt(0) });
  await stores.tasks.add(record('taken', 'queued'));
  const claim = await claimed(stores, 'taken');
  await stores.attempts.append('taken', attempt(1), claim);
  await stores.attempts.append('taken', { ...attempt(2, 'claude'), exitClass: 'quota', preContext: 'a\nb' }, claim);
  await stores.attempts.clear('taken');
  await stores.attempts.append('taken', attempt(3), claim);
  await stores.attempts.append('task failed', attempt(1));
  await stores.attempts.append('all closed\n\0', attempt(1));
  await stores.attempts.clear('all closed\n\0');
  for (const id of ['e1', 'e2', 'e:3\n']) await stores.journal.append(event(id));
  await stores.receipts.append(receipt('r1'));
  await stores.continuity.append({ ...continuity('c1'), summary: 'half \ud83e, nul \0', currentTask: 'taken' });
  await stores.breakers.put('codex', { agent: 'codex', state: 'closed', failures: [isoAt(0)] }, 0);
  await stores.breakers.put(
    'claude',
    { agent: 'claude', state: 'open', reason: 'quota', openedAt: isoAt(0), until: isoAt(9_000) },
    0,
  );
  await stores.breakers.put('codex', { agent: 'codex', state: 'closed', failures: [] }, 1);
  const lease = { owner: 'call-1', begunAt: isoAt(0), leaseUntil: isoAt(60_000) };
  await stores.breakers.put('gemini', { agent: 'gemini', state: 'trial', reason: 'auth', ...lease, streak: 2 }, 0);
  await stores.deliveries.put('fw_1', { ...delivery('fw_1', 'ses_1'), channel: 'hook', waiting: 'agent-busy' }, 0);
  await stores.sessions.put('ses_1', { ...session('ses_1'), endedAt: isoAt(5), exitStatus: 0 }, 0);
  await stores.runs.put('tasks-1a2b', run('tasks-1a2b'), 0);
  const merged = { at: isoAt(7_000), commit: 'c'.repeat(40), how: 'squash' } as const;
  await stores.runs.put('tasks-0001', { ...run('tasks-0001'), state: 'merged', merged }, 0);
  await stores.works.put('wrk_1', work('wrk_1'), 0);
  const { facts: _, ...forgotten } = work('wrk_2', 'feature');
  await stores.works.put('wrk_2', { ...forgotten, isCutOff: true }, 0);
  const done = { run: 'tasks-1a2b', start: 'a'.repeat(40), commit: 'b'.repeat(40), by: 'person' } as const;
  await stores.tasks.add({ ...record('accepted', 'completed'), ...done, merged: isoAt(7_000) });
  const rejected = { at: isoAt(8_000), because: 'the name is wrong' };
  await stores.tasks.add({ ...record('rejected', 'queued'), run: 'tasks-1a2b', undone: isoAt(7_000), rejected });
  const seen = { stderr: 'late', exitMessage: 'ended by SIGSEGV', observed: ['it changed a hook'] };
  await stores.attempts.append('rejected', { ...attempt(1), commit: 'd'.repeat(40), log: '/logs/1', ...seen });
}
