// The session of an attempt: which one it goes on in, and what is kept of it for the next attempt.

import { createHash } from 'node:crypto';
import { realpathSync, renameSync, statSync } from 'node:fs';
import type { Agent } from '../../kernel/agent.ts';
import type { AttemptRecord } from '../../kernel/attempt.ts';
import type { LastSession, TaskRecord } from '../../kernel/task.ts';
import { findProgram } from '../../system/processes/find-program.ts';
import { mayResume, needsNewSession } from './resume.ts';
import type { EndedAgent } from './run-agent.ts';
import type { RunPrompt } from './task-prompt.ts';
import type { TaskRun } from './task-run.ts';

interface NextAttempt {
  readonly agent: Agent;
  readonly attempts: readonly AttemptRecord[];
  readonly attempt: number;
  readonly prompt: RunPrompt;
  /** As it is sent. */
  readonly handover: string;
  /** The folder as the agent sees it. */
  readonly cwd: string;
}

/** What goes to the agent after the hand-over, and to which session of it. */
export interface SessionStart {
  /** Taken before the agent starts: it may update itself. */
  readonly place: Pick<LastSession, 'cwd' | 'start' | 'program'>;
  readonly original: string;
  /** The id of an earlier session; absent for a new one. */
  readonly resume?: string;
}

export function chooseSession(run: TaskRun, next: NextAttempt): SessionStart {
  const { record, settings } = run;
  const place = placeOf(run, next);
  const choice = mayResume(next.attempts, {
    agent: next.agent.name,
    canResume: next.agent.oneshot?.resume !== undefined,
    holdout: settings.holdout,
    hasHandover: next.handover !== '',
    ...place,
    last: record.lastSession,
  });
  if (choice.kind === 'new') return { place, original: next.prompt.original };
  return { place, original: next.prompt.changedSince(record.lastSession?.shown), resume: choice.session };
}

/** The session could not be resumed: the same attempt is made in a new one. What the agent printed is kept beside its log. */
export async function failedResume(run: TaskRun, next: NextAttempt, ran: EndedAgent): Promise<boolean> {
  const { ports, settings, task } = run;
  if (!needsNewSession(ran)) return false;
  const places = settings.places.task(task.task_id);
  const log = places.resumeLog(next.attempt);
  try {
    renameSync(places.log(next.attempt), log);
  } catch {
    // An agent that could not be started has no log.
  }
  await ports.emit({
    kind: 'resume-failed',
    task: task.task_id,
    attempt: next.attempt,
    agent: next.agent.name,
    exitCode: ran.end.exitCode,
    reason: ran.result.kind === 'failed' ? ran.result.message : 'ended without an answer',
    log,
  });
  return true;
}

/** Only a session in which the agent answered is known to have the prompt. */
export function keptSession(
  { attempt, prompt }: NextAttempt,
  { place }: SessionStart,
  { result, session }: EndedAgent,
): Pick<TaskRecord, 'lastSession'> {
  const hasAnswered = result.kind === 'answered' || result.answer !== '';
  return session === undefined || !hasAnswered ? {} : { lastSession: { attempt, ...place, shown: prompt.shown } };
}

function placeOf({ ports, settings, workplace }: TaskRun, { agent, cwd }: NextAttempt): SessionStart['place'] {
  const { PATH: path = '' } = ports.variables;
  return { cwd, start: workplace.start(), program: programOf(agent, { path, cwd: settings.root }) };
}

/** Empty when the program cannot be looked at. To ask it for its version would take up to a second with each attempt; an update
 *  changes its file or where it is. */
function programOf({ oneshot }: Agent, where: Parameters<typeof findProgram>[1]): string {
  try {
    const real = realpathSync(findProgram(oneshot?.command[0] ?? '', where) ?? '');
    const { ino, size, mtimeMs, ctimeMs } = statSync(real);
    const facts = [real, ino, size, mtimeMs, ctimeMs, oneshot];
    return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  } catch {
    return '';
  }
}
