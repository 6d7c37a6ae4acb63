// The reviewer: an agent that reads the change of an attempt whose checks passed, and approves or rejects it. It is asked as the
// helper is (ask-on-copy.ts). One that cannot work makes room for the next; one that changed anything, did not answer in time or
// answered nonsense twice decides nothing, and a person looks.

import { fence, idNotIn } from '../../hooks/fences.ts';
import type { Agent, ErrorClass } from '../../kernel/agent.ts';
import { isForewordError } from '../../kernel/errors.ts';
import { nameSome } from '../../kernel/name-some.ts';
import { oneLine } from '../../kernel/safe-text.ts';
import type { ReviewTalk, Verdict } from '../../kernel/verdict.ts';
import { newDeliveryId } from '../../system/ids.ts';
import { findAgent } from '../attempts/find-agent.ts';
import { envOf } from '../attempts/room.ts';
import type { TaskRun } from '../attempts/task-run.ts';
import type { AgentRoom } from '../box/box.ts';
import type { Snapshot } from '../changes.ts';
import { lookersFor } from '../lineup.ts';
import { type AskedOnCopy, askOnCopy, type CopyAnswer, type CutOffTalk } from './ask-on-copy.ts';
import { type ReviewAnswer, readReviewAnswer } from './review-answer.ts';
import { hasRoom, rankFiles, renderReviewDiff } from './review-diff.ts';

export interface ReviewRequest {
  readonly attempt: number;
  /** Who did the work. */
  readonly worker: string;
  /** The work. */
  readonly after: Snapshot;
  /** Stores who is asked, before it is. */
  readonly onAsk: (agent: string) => Promise<void>;
}

/** `review` is absent when nobody could be asked. Without a verdict in it, `because` is why. */
export interface Reviewed {
  readonly review?: ReviewTalk;
  readonly because?: string;
  /** What everybody used who was asked. */
  readonly spent: NonNullable<Verdict['spent']>;
}

export async function reviewWork(run: TaskRun, request: ReviewRequest): Promise<Reviewed | CutOffTalk> {
  const failures: string[] = [];
  const spent: NonNullable<Verdict['spent']>[number][] = [];
  const tried: string[] = [];
  for (;;) {
    const found = await chooseReviewer(run, request.worker, tried);
    if (found.kind === 'aside') return { cutOff: spent, isAside: true };
    if (run.signal.aborted || found.kind === 'stopped') return { cutOff: spent };
    if (found.kind === 'none') {
      const reasons = failures.length > 0 ? failures : [found.reason];
      return { because: `no agent could review it: ${reasons.join('; ')}`, spent };
    }
    const { agent } = found;
    const startedAt = run.ports.clock.now();
    await request.onAsk(agent.name);
    const asked = await ask(run, agent, request);
    spent.push(...asked.spent);
    run.trial = undefined;
    if (run.signal.aborted || asked.isCutOff) return { cutOff: spent };
    const { review, because, cannotWork } = decided(asked, agent.name);
    await run.ports.emit({
      kind: 'review-asked',
      task: run.task.task_id,
      attempt: request.attempt,
      agent: agent.name,
      verdict: review.verdict ?? 'not-run',
      findings: review.findings.length + (review.more ?? 0),
      durationMs: Math.max(0, run.ports.clock.now() - startedAt),
      ...(because === undefined ? {} : { reason: because }),
    });
    if (cannotWork === undefined) return because === undefined ? { review, spent } : { review, because, spent };
    failures.push(`${agent.name}: ${cannotWork}`);
    // One that reached a limit comes back: its breaker says when. It is not waited for again and again.
    const isLimit = LIMITS.includes(asked.value.last.failed?.class ?? 'other');
    if (!isLimit || failures.length >= MOST_FAILURES) tried.push(agent.name);
  }
}

const LIMITS: readonly ErrorClass[] = ['quota', 'rate_limit', 'overload'];
/** Of one review. */
const MOST_FAILURES = 6;

async function chooseReviewer(run: TaskRun, worker: string, tried: readonly string[]): ReturnType<typeof findAgent> {
  const { lineup, installed, judging } = run.settings;
  const named = judging.review.by === 'next' ? undefined : judging.review.by;
  return findAgent(run, { among: lookersFor(worker, { named, lineup, installed }), never: tried });
}

interface Talked {
  readonly last: CopyAnswer;
  readonly answer: ReviewAnswer;
}

async function ask(run: TaskRun, agent: Agent, request: ReviewRequest): Promise<AskedOnCopy<Talked>> {
  const { timeoutMs } = run.settings.judging.review;
  const { attempt, after } = request;
  return askOnCopy(run, { agent, role: 'review', attempt, after, timeoutMs }, async (say, room) => {
    const prompt = await promptFor(run, { agent: agent.name, room, after });
    if (typeof prompt !== 'string') return { last: { text: '' }, answer: prompt };
    const last = await say(prompt);
    const answer = readReviewAnswer(last.text);
    if (last.failed !== undefined || run.signal.aborted || !('fault' in answer)) return { last, answer };
    // A new session that knows nothing: it gets the whole prompt once more.
    const again = await say(
      `${prompt}\nAn earlier answer to this could not be used: ${oneLine(answer.fault, 1_000)}\n`,
    );
    return { last: again, answer: readReviewAnswer(again.text) };
  });
}

/** A wrong template of the person's must not end the run, whose attempt is paid for. */
async function promptFor(
  { ports, task, workplace }: TaskRun,
  { agent, room, after }: { readonly agent: string; readonly room: AgentRoom; readonly after: Snapshot },
): Promise<string | { readonly fault: string }> {
  const repository = workplace.repository(after);
  const files = await repository.changed();
  const texts = new Map<string, string>();
  for (const { path } of rankFiles(files)) {
    if (!hasRoom(texts)) break;
    // Redacted before it is shortened: half a secret would not be recognised.
    texts.set(path, ports.redact(await repository.diff(path)));
  }
  const id = idNotIn([...files.map(({ path }) => path), ...texts.values()], newDeliveryId);
  const change = renderReviewDiff(files, texts, fence(id, 'change'));
  try {
    const request = { task, agent, cwd: room.cwd, repository, env: envOf(room) };
    const prompt = await ports.composePrompt({ ...request, role: 'reviewer', change });
    return prompt.handover.text + prompt.original;
  } catch (error) {
    if (!isForewordError(error) || error.code !== 'bad-input') throw error;
    return { fault: error.message };
  }
}

interface Decided {
  readonly review: ReviewTalk;
  readonly because?: string;
  /** Another agent is asked. */
  readonly cannotWork?: string;
}

function decided({ value: { last, answer }, talk, changed }: AskedOnCopy<Talked>, name: string): Decided {
  const open = (because: string) => ({ review: { ...talk, findings: [] }, because });
  if (changed.length > 0)
    return open(`the reviewer ${name} changed files, so its verdict does not count: ${nameSome(changed)}`);
  if (last.failed !== undefined) {
    const why = oneLine(last.failed.message, 200);
    const isLate = last.endedBy === 'timeout' || last.endedBy === 'hang' || last.endedBy === 'silence';
    return { ...open(`the reviewer ${name} did not answer: ${why}`), ...(isLate ? {} : { cannotWork: why }) };
  }
  if (!('fault' in answer)) return { review: { ...talk, ...answer } };
  return open(
    talk.asked.length === 0
      ? `the prompt for the reviewer ${name} could not be made: ${answer.fault}`
      : `the answer of the reviewer ${name} could not be used: ${answer.fault}`,
  );
}
