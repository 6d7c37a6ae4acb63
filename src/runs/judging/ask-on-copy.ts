// An agent that only looks at the work of another: the helper and the reviewer. It gets a copy of the work and flags that keep it
// from writing. Copy and work are observed before and after, since an answer of one that changed anything counts for nothing.

import type { Agent, AgentResult } from '../../kernel/agent.ts';
import type { EndedBy } from '../../kernel/process.ts';
import type { Usage } from '../../kernel/usage.ts';
import type { HelperTalk, Verdict } from '../../kernel/verdict.ts';
import { roomFor } from '../attempts/room.ts';
import { runAgent } from '../attempts/run-agent.ts';
import type { TaskRun } from '../attempts/task-run.ts';
import { watchAgent } from '../attempts/watch-output.ts';
import type { AgentRoom } from '../box/box.ts';
import { reportToBreaker } from '../breakers.ts';
import { withBudget } from '../budget/budget.ts';
import { announcement } from '../budget/leave.ts';
import type { Observer, Snapshot } from '../changes.ts';
import { lookerFolder, makeTaskFolder } from '../task-folder.ts';

export interface CopyQuestion {
  readonly agent: Agent;
  /** Names its log. */
  readonly role: 'helper' | 'review';
  readonly attempt: number;
  /** The work. */
  readonly after: Snapshot;
  readonly timeoutMs: number;
}

export interface CopyAnswer {
  /** Its answer so far when it failed. */
  readonly text: string;
  readonly failed?: Extract<AgentResult, { kind: 'failed' }>;
  readonly endedBy?: EndedBy;
  readonly usage?: Usage;
}

export interface AskedOnCopy<T> {
  readonly value: T;
  readonly talk: HelperTalk;
  /** What it used, for the verdict; one entry for each time it was asked. */
  readonly spent: NonNullable<Verdict['spent']>;
  /** It was ended before it answered: the run was stopped, or a cap of it is passed. Nothing is decided. */
  readonly isCutOff: boolean;
  /** What it changed, in its copy or in the checkout of the work, which is put back. */
  readonly changed: readonly string[];
}

/** Who looked at the work was ended before it answered, and what was used until then: nothing is decided, and the next supervisor
 *  asks again. */
export interface CutOffTalk {
  readonly cutOff: NonNullable<Verdict['spent']>;
  /** Nobody is there to look at it now, and another task comes first. */
  readonly isAside?: true;
}

type AskingRun = Pick<TaskRun, 'ports' | 'settings' | 'task' | 'signal' | 'workplace' | 'budget'>;

/** `talk` asks as often as it needs to; each time the agent begins a new session. How the agent works is reported to its breaker. */
export async function askOnCopy<T>(
  run: AskingRun,
  question: CopyQuestion,
  talk: (ask: (prompt: string) => Promise<CopyAnswer>, room: AgentRoom) => Promise<T>,
): Promise<AskedOnCopy<T>> {
  const asked: { prompt: string; answer: string }[] = [];
  const spent: { agent: string; usage?: Usage }[] = [];
  const { workplace } = run;
  let cutOff: CopyAnswer | undefined;
  const copy = await workplace.copy(question.after);
  try {
    const room = await roomFor(run.ports, question.agent, copy);
    const [seenCopy, seenWork] = [await begin(copy.observer), await begin(workplace.observer)];
    const value = await talk(async (prompt) => {
      if (cutOff !== undefined) return cutOff;
      const by = `${question.role} ${question.agent.name} ${asked.length}`;
      const answer = await ask(run, question, { prompt, cwd: copy.cwd, room, by });
      if (answer.endedBy === 'cap' || answer.endedBy === 'caller') cutOff = answer;
      asked.push({ prompt: bounded(prompt, MAX_PROMPT), answer: bounded(answer.text, MAX_ANSWER) });
      spent.push({ agent: question.agent.name, ...(answer.usage === undefined ? {} : { usage: answer.usage }) });
      return answer;
    }, room);
    const [inCopy, inWork] = [await seenCopy(), await seenWork()];
    // The next attempt goes on in the work, and a person may accept it.
    if (inWork.length > 0) await workplace.putBack(question.after);
    const changed = [...new Set([...inCopy, ...inWork])].sort();
    const isCutOff = cutOff !== undefined;
    return { value, talk: { agent: question.agent.name, asked }, spent, isCutOff, changed };
  } finally {
    copy.close();
  }
}

/** Returns what lists the changes since. */
async function begin(observer: Observer): Promise<() => Promise<readonly string[]>> {
  const before = await observer.snapshot();
  return async () => {
    const changes = await observer.changes(before, await observer.snapshot());
    const { created, updated, deleted, ignored = [], facts = [] } = changes;
    return [...created, ...updated, ...deleted, ...ignored, ...facts];
  };
}

async function ask(
  { ports, settings, task, signal, budget }: AskingRun,
  { agent, role, attempt, timeoutMs }: CopyQuestion,
  given: { readonly prompt: string; readonly cwd: string; readonly room: AgentRoom; readonly by: string },
): Promise<CopyAnswer> {
  const { end, result, usage, announced } = await runAgent(
    ports,
    {
      agent,
      isReadOnly: true,
      prompt: given.prompt,
      cwd: given.cwd,
      room: given.room,
      timeoutMs,
      hangMs: settings.hangMs,
      root: settings.root,
      folder: makeTaskFolder(settings.places, lookerFolder(task.task_id, role)),
      name: `attempt-${attempt}`,
      attempt: `${task.task_id}#${attempt} ${role}`,
      watch: watchAgent(ports, { task: task.task_id, phase: role === 'review' ? 'reviewing' : 'checking', agent }),
      metering: {
        onUsage: (usage) => budget?.stream(task.task_id, attempt, { by: given.by, usage }) === true,
      },
    },
    withBudget(signal, budget),
  );
  ports.show?.({ task: task.task_id, phase: 'checking' });
  const { endedBy } = end;
  // One that took too long or was stopped does not show whether the agent works.
  if (endedBy === undefined || !OURS.includes(endedBy)) {
    const event =
      result.kind === 'answered'
        ? ({ kind: 'succeeded' } as const)
        : {
            kind: 'failed' as const,
            class: result.class,
            ...(result.resetAt === undefined ? {} : { resetAt: result.resetAt }),
          };
    await reportToBreaker(ports, settings.breaker, { agent: agent.name, event });
  }
  if (announced !== undefined && announced.percent >= settings.leaveAt)
    await reportToBreaker(ports, settings.breaker, { agent: agent.name, event: announcement(announced) });
  return {
    text: result.answer,
    ...(result.kind === 'failed' ? { failed: result } : {}),
    ...(endedBy === undefined ? {} : { endedBy }),
    ...(usage === undefined ? {} : { usage }),
  };
}

const OURS: readonly EndedBy[] = ['timeout', 'hang', 'cap', 'caller'];

/** What is kept of a talk in the attempt's record. The prompt of a review with its whole diff has room. */
const MAX_PROMPT = 100_000;
const MAX_ANSWER = 5_000;

function bounded(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed()}\n… ${text.length - max} more characters`;
}
