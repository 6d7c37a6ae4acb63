// Records to store, and how a case of the contract is made.

import assert from 'node:assert/strict';
import type { AttemptRecord } from '../../kernel/attempt.ts';
import type { Continuity } from '../../kernel/continuity.ts';
import type { DeliveryIn } from '../../kernel/delivery.ts';
import { type ErrorCode, isForewordError } from '../../kernel/errors.ts';
import type { ForewordEvent } from '../../kernel/events.ts';
import type { Receipt } from '../../kernel/receipt.ts';
import type { RunRecord } from '../../kernel/run.ts';
import type { SessionRecord } from '../../kernel/session.ts';
import type { SessionWork } from '../../kernel/session-work.ts';
import type { Stores } from '../../kernel/stores.ts';
import type { Claim, Task, TaskRecord, TaskStatus } from '../../kernel/task.ts';
import type { ContractCase } from '../contract.ts';

/** A case on one fresh store, closed afterwards also when the case fails. */
export function contractCase(name: string, check: (stores: Stores) => Promise<void>): ContractCase {
  return {
    name,
    async run(open) {
      const stores = await open();
      try {
        await check(stores);
      } finally {
        await stores.close();
      }
    },
  };
}

/** 2026-01-01 12:00:00 UTC: cases count from here, so that nothing depends on when they run. */
export const NOON = Date.UTC(2026, 0, 1, 12);

export function isoAt(offsetMs: number): string {
  return new Date(NOON + offsetMs).toISOString();
}

export function event(id: string): ForewordEvent {
  return { id, at: isoAt(0), kind: 'source-unavailable', source: 'git', reason: `reason of ${id}` };
}

export function receipt(id: string): Receipt {
  return {
    id,
    delivery: 'fw_1',
    session: 'ses_1',
    moment: 'session-start',
    channel: 'hook',
    proof: 'served',
    outcome: 'delivered',
    evidence: 'transcript line 3',
    at: isoAt(0),
    attempts: 1,
    durationMs: 12,
  };
}

export function continuity(id: string): Continuity {
  return {
    id,
    savedAt: isoAt(0),
    by: 'person',
    done: ['the parser'],
    inProgress: [],
    blocked: [],
    decisions: [{ decision: 'one package', reason: 'one version to think of' }, { decision: 'no reason given' }],
    questions: [],
    files: ['src/index.ts'],
    nextSteps: ['tests'],
  };
}

export function delivery(id: string, session: string): DeliveryIn<'queued'> {
  return {
    id,
    session,
    moment: 'prompt',
    priority: 'normal',
    text: 'read this',
    queuedAt: isoAt(0),
    deadline: isoAt(60_000),
    proof: 'queued',
    attempts: 0,
    stage: 'queued',
    stageAt: isoAt(0),
    ladder: ['typed', 'file'],
    rung: 0,
    placedOn: [],
    required: 'served',
  };
}

export function session(id: string): SessionRecord {
  return { id, agent: 'codex', cwd: '/project', pid: 4711, startedAt: isoAt(0), readiness: 'ready', paused: false };
}

export function run(id: string): RunRecord {
  return {
    id,
    taskFile: 'tasks.yaml',
    base: { mode: 'working', commit: 'a'.repeat(40), snapshot: 'b'.repeat(40), branch: 'main' },
    tip: 'b'.repeat(40),
    startedAt: isoAt(0),
    updatedAt: isoAt(1_000),
    state: 'open',
  };
}

export function work(id: string, tree?: string): SessionWork {
  return {
    id,
    kind: 'session',
    agent: 'codex',
    ...(tree === undefined ? {} : { tree }),
    startedAt: isoAt(0),
    endedAt: isoAt(60_000),
    facts: {
      prompts: ['make the route'],
      promptCount: 1,
      files: [{ path: 'src/index.ts', edits: 2 }],
      fileCount: 1,
      commands: [{ kind: 'tests', command: 'npm test', isFailed: true, isNewest: true, error: '1 failed' }],
      open: ['register it'],
      openCount: 1,
      commits: ['1a2b3c4 route'],
      uncommitted: ['src/index.ts'],
      uncommittedCount: 1,
      tasks: [],
      missing: [],
    },
  };
}

export function task(id: string): Task {
  return {
    task_id: id,
    intent: `do ${id}`,
    instructions: 'first this,\nthen that',
    acceptance_criteria: [{ text: 'tests pass', check: { command: ['npm', 'test'], timeout_s: 60 } }, { text: 'fast' }],
    depends_on: [],
    priority: 1000,
    targets: [],
    retry_policy: { max_retries: 3 },
    timeout_s: 1800,
    options: {},
  };
}

/** A record of that status with every field such a record has. `atMs` is when it got there. */
export function record(id: string, status: TaskStatus, atMs = 0): TaskRecord {
  const isEnd = status === 'completed' || status === 'failed' || status === 'needs-review';
  return {
    task_id: id,
    status,
    intent: `do ${id}`,
    task: task(id),
    ...(status === 'failed' || status === 'blocked' ? { reason: 'it did not work' } : {}),
    ...(isEnd ? { result: 'an outcome' } : {}),
    updated_at: isoAt(atMs),
    ...(isEnd ? { completed_at: isoAt(atMs) } : {}),
  };
}

export function attempt(attemptNumber: number, provider = 'codex'): AttemptRecord {
  return {
    attemptNumber,
    provider,
    timestamp: isoAt(attemptNumber * 1000),
    files_created: [],
    files_updated: ['src/index.ts'],
    files_deleted: [],
    status: 'failed',
    validationErrors: ['expected 1 to be 2'],
    exitReason: 'validation_failure',
    durationMs: 1500,
  };
}

/** Claims a task that must be free. */
export async function claimed(stores: Stores, taskId: string, owner = 'worker-1', leaseMs = 60_000): Promise<Claim> {
  const claim = await stores.tasks.claim(taskId, { owner, now: NOON, leaseMs });
  assert.ok(claim, `the task ${taskId} can be claimed`);
  return claim;
}

export async function assertRefused(work: Promise<unknown>, code: ErrorCode): Promise<void> {
  await assert.rejects(work, (error: unknown) => {
    assert.ok(isForewordError(error), `expected a ForewordError ${code}, got ${String(error)}`);
    assert.equal(error.code, code);
    assert.ok(error.message.length > 0);
    return true;
  });
}
