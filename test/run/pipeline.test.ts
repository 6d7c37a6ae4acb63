// A run over several machines, as jobs of a pipeline are: each job goes on with the file that the job before it left, and is
// killed at any moment.

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { AttemptRecord } from '../../src/kernel/attempt.ts';
import { scaled } from '../scale.ts';
import type { Field } from './field.ts';
import { type Job, landed, newJob, pipelineField, TASKS } from './jobs.ts';

let field: Field;
afterEach(() => field.remove());

const moments: string[] = [];

/** Jobs until the run is over; each is killed while `kills` is above 0. How many were. */
async function runInJobs(kills: number): Promise<number> {
  field = pipelineField();
  const work = join(field.folder, 'work.tar');
  const known = () => moments.join('\n');
  let branch = '';
  for (let killed = 0; ; ) {
    const job = newJob(field);
    if (existsSync(work)) {
      const taken = await job.command('import', work);
      expect([taken.status, taken.stderr], known()).toEqual([0, '']);
    }
    const before = await job.attempts();
    const ms = killed < kills ? 300 + Math.random() * 3000 : 120_000;
    const isOver = await job.killedRun(ms, '--concurrency', String(1 + (moments.length % 2)));
    killed += isOver ? 0 : 1;
    moments.push(isOver ? 'over' : `${Math.round(ms)} ms`);
    const left = await job.command('export', '--work', work);
    expect([left.status, left.stderr], known()).toEqual([0, '']);
    const after = await job.attempts();
    for (const id of TASKS) expect(after[id]?.slice(0, before[id]?.length), known()).toEqual(before[id]);
    const found = job.git('for-each-ref', '--format=%(refname)', 'refs/heads/foreword/');
    // The same run, once there is one with a commit.
    if (branch !== '') expect(found, known()).toBe(branch);
    branch = found;
    if (isOver) {
      check(job, after);
      return killed;
    }
    rmSync(join(job.clone, '..'), { recursive: true, force: true });
  }
}

function check(job: Job, attempts: Readonly<Record<string, readonly AttemptRecord[]>>): void {
  expect(landed(job).toSorted(), moments.join('\n')).toEqual(TASKS);
  for (const id of TASKS) {
    const all = attempts[id] ?? [];
    expect(all.map(({ attemptNumber }) => attemptNumber)).toEqual(all.map((_, index) => index + 1));
    const starts = field.ledger().filter(({ task }) => task === id).length;
    const whole = all.filter(({ exitReason }) => exitReason !== 'interrupted').length;
    // One that was recorded and never started was cut off in between.
    expect([starts <= all.length, whole <= starts, whole], moments.join('\n')).toEqual([true, true, 2]);
  }
  job.git('fsck', '--strict');
}

test(`a job that is killed at ${scaled(20)} moments goes on each time at the right attempt`, async () => {
  for (let kills = 0; kills < scaled(20); ) {
    kills += await runInJobs(scaled(20) - kills);
    if (kills < scaled(20)) field.remove();
  }
}, 900_000);
