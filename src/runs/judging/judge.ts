// The verdict on an attempt: criteria with a check are decided by it, the policy by the observed files, and what is left
// by commands that a helper agent proposes and a sandbox runs. What nothing could decide stays `not-run`.

import { composeHandover } from '../../context/handover/handover.ts';
import type { Agent } from '../../kernel/agent.ts';
import type { AttemptRecord } from '../../kernel/attempt.ts';
import { mapStrings } from '../../kernel/map-strings.ts';
import { nameSome } from '../../kernel/name-some.ts';
import type { Criterion } from '../../kernel/task.ts';
import { estimateTokens } from '../../kernel/tokens.ts';
import { type CriterionResult, splitCriteria, type Verdict, verdictOf } from '../../kernel/verdict.ts';
import type { FindingRun } from '../attempts/find-agent.ts';
import type { TaskRun } from '../attempts/task-run.ts';
import type { Changes, Snapshot } from '../changes.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { AskedOnCopy, CutOffTalk } from './ask-on-copy.ts';
import { checkContext } from './check-context.ts';
import { markInherited } from './checks/baseline.ts';
import { runChecks } from './checks/checks.ts';
import { askHelper, chooseHelper } from './helper.ts';
import { decide } from './helper-commands.ts';
import { checkPolicy } from './policy-check.ts';

/** The attempt to be judged. */
export interface JudgeRequest {
  readonly attempt: number;
  /** Who did the work. */
  readonly agent: string;
  /** The open attempts before it. */
  readonly attempts: readonly AttemptRecord[];
  readonly answer: string;
  /** The work. */
  readonly after: Snapshot;
  readonly changes: Changes;
  /** Since before the first attempt: an earlier attempt's breach stays one until it is undone. */
  readonly allChanges: Changes;
  readonly baseline: readonly CriterionResult[];
}

/** What judging needs of the task under way. */
export type JudgedTask = FindingRun & Pick<TaskRun, 'workplace'>;

export async function judge(run: JudgedTask, request: JudgeRequest): Promise<Verdict | CutOffTalk> {
  const { ports, task, signal } = run;
  const { checked, unchecked } = splitCriteria(task.acceptance_criteria);
  const checks = markInherited(await runChecks(checked, checkContext(run), signal), request.baseline);
  const redact = (text: string) => ports.redact(text);
  const rules = checkPolicy({ changes: request.allChanges, targets: task.targets, policy: ports.policy(), redact });
  const results = [...checks, rules];
  const open = (reason: string) => verdictOf([...results, ...notRun(unchecked, reason)]);
  if (unchecked.length === 0) return verdictOf(results);
  if (results.some((result) => result.outcome === 'failed')) {
    return open('another criterion failed, so it was not looked at');
  }
  const finding = await ports.findSandbox();
  if (finding.kind === 'missing') return open(`no sandbox to run commands in: ${finding.reason}`);
  const found = await chooseHelper(run, request.agent);
  if (found.kind === 'aside') return { cutOff: [], isAside: true };
  if (found.kind === 'stopped') return { cutOff: [] };
  if (found.kind === 'none') return open(`nobody could propose commands: ${found.reason}`);
  const decided = await verify(run, request, { unchecked, helper: found.agent, sandbox: finding.sandbox });
  run.trial = undefined;
  if ('cutOff' in decided) return decided;
  const { talk, spent } = decided;
  return verdictOf([...results, ...decided.results], { sandbox: finding.sandbox.level, helper: talk, spent });
}

/** The helper proposes commands, the sandbox runs them, and their exit codes decide. */
async function verify(
  run: JudgedTask,
  request: JudgeRequest,
  by: { readonly unchecked: readonly Criterion[]; readonly helper: Agent; readonly sandbox: Sandbox },
): Promise<
  ({ readonly results: readonly CriterionResult[] } & Pick<AskedOnCopy<unknown>, 'talk' | 'spent'>) | CutOffTalk
> {
  const { ports, settings, task, workplace, signal } = run;
  const { unchecked, helper, sandbox } = by;
  const startedAt = performance.now();
  const handover = composeHandover({
    attempts: request.attempts,
    nextAgent: helper.name,
    occasion: 'review',
    settings: settings.judging.handover,
    enable_pre_context: task.options.enable_pre_context,
  });
  const criteria = unchecked.map((criterion) => criterion.text);
  // Redacted before the prompt shortens it.
  const shown = { handover: handover.text, criteria, answer: request.answer, changes: request.changes };
  if (handover.type !== 'none') {
    const tokens = estimateTokens(handover.text);
    const buildMs = performance.now() - startedAt;
    await ports.emit({ kind: 'context-injected', type: 'helper', task: task.task_id, tokens, buildMs });
  }
  const {
    value: answer,
    talk,
    spent,
    isCutOff,
    changed,
  } = await askHelper(
    run,
    { helper, attempt: request.attempt, after: request.after },
    mapStrings(shown, (text) => ports.redact(text)),
  );
  if (isCutOff) return { cutOff: spent };
  const commands = 'fault' in answer || changed.length > 0 ? [] : answer.commands;
  const timeoutMs = settings.judging.checkTimeoutMs;
  const ends = await sandbox.run(
    commands.map(({ command }) => ({ command, workTree: workplace.cwd, timeoutMs })),
    signal,
  );
  await ports.emit({
    kind: 'helper-asked',
    task: task.task_id,
    agent: helper.name,
    commands: commands.length,
    decided: ends.filter((end) => end.exitCode !== null && end.endedBy === undefined).length,
    hadContext: handover.type !== 'none',
  });
  return { results: resultsOf(), talk, spent };

  function resultsOf(): readonly CriterionResult[] {
    if (changed.length > 0) return notRun(unchecked, changedReason(changed));
    if ('unanswered' in answer)
      return notRun(unchecked, `the helper ${helper.name} did not answer: ${answer.unanswered}`);
    if ('fault' in answer) return notRun(unchecked, `the helper's answer could not be used: ${answer.fault}`);
    return decide(criteria, commands, ends);
  }
}

function changedReason(changed: readonly string[]): string {
  return `the helper changed files, so what it proposed does not count: ${nameSome(changed)}`;
}

function notRun(criteria: readonly Criterion[], detail: string): readonly CriterionResult[] {
  return criteria.map(({ text }) => ({ criterion: text, outcome: 'not-run', by: 'none', detail }));
}
