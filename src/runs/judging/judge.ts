// The verdict on an attempt: criteria with a check are decided by it, the policy by the observed files, and what is left
// by commands that a helper agent proposes and a sandbox runs. What nothing could decide stays `not-run`.

import { composeHandover, type HandoverSettings } from '../../context/handover/handover.ts';
import type { NewEvent } from '../../kernel/events.ts';
import type { Policy } from '../../kernel/policy.ts';
import type { Criterion } from '../../kernel/task.ts';
import { type CriterionResult, splitCriteria, type Verdict, verdictOf } from '../../kernel/verdict.ts';
import type { JudgeRequest } from '../ports.ts';
import type { SandboxFinding } from '../sandboxes/sandbox.ts';
import { decide, generateValidationCommands } from './helper-commands.ts';
import { checkPolicy } from './policy-check.ts';

export interface JudgeHands {
  readonly policy: Policy | undefined;
  runChecks(criteria: readonly Criterion[], cwd: string, signal: AbortSignal): Promise<readonly CriterionResult[]>;
  markInherited(results: readonly CriterionResult[], baseline: readonly CriterionResult[]): readonly CriterionResult[];
  sandbox(): Promise<SandboxFinding>;
  /** An agent that did not do the work and can be asked now; `undefined` when there is none. */
  chooseHelper(worker: string): Promise<string | undefined>;
  /** Answers what the helper said; throws nothing: a helper that could not work answers ''. */
  askHelper(agent: string, prompt: string, request: JudgeRequest, signal: AbortSignal): Promise<string>;
  emit(event: NewEvent): Promise<void>;
  readonly handover: HandoverSettings;
  readonly commandTimeoutMs: number;
}

export async function judge(hands: JudgeHands, request: JudgeRequest, signal: AbortSignal): Promise<Verdict> {
  const { task, workplace } = request;
  const { checked, unchecked } = splitCriteria(task.acceptance_criteria);
  const checks = hands.markInherited(await hands.runChecks(checked, workplace.cwd, signal), request.baseline);
  const rules = checkPolicy({ changes: request.allChanges, targets: task.targets, policy: hands.policy });
  const results = [...checks, rules];
  if (unchecked.length === 0) return verdictOf(results);
  if (results.some((result) => result.outcome === 'failed')) {
    return verdictOf([...results, ...notRun(unchecked, 'another criterion failed, so it was not looked at')]);
  }
  return askAndRun(hands, request, { unchecked, results, signal });
}

async function askAndRun(
  hands: JudgeHands,
  request: JudgeRequest,
  left: {
    readonly unchecked: readonly Criterion[];
    readonly results: readonly CriterionResult[];
    readonly signal: AbortSignal;
  },
): Promise<Verdict> {
  const { unchecked, results, signal } = left;
  const open = (reason: string) => verdictOf([...results, ...notRun(unchecked, reason)]);
  const finding = await hands.sandbox();
  if (finding.kind === 'missing') return open(`no sandbox to run commands in: ${finding.reason}`);
  const agent = await hands.chooseHelper(request.agent);
  if (agent === undefined) return open('no other agent is there to propose commands');
  const { task, attempts } = request;
  const handover = composeHandover({
    attempts,
    nextAgent: agent,
    occasion: 'review',
    settings: hands.handover,
    enable_pre_context: task.options.enable_pre_context,
  });
  const criteria = unchecked.map((criterion) => criterion.text);
  const answer = await generateValidationCommands({
    handover: handover.text,
    criteria,
    answer: request.answer,
    changes: request.changes,
    workingDirectory: request.workplace.cwd,
    ask: (prompt) => hands.askHelper(agent, prompt, request, signal),
  });
  const commands = 'fault' in answer ? [] : answer.commands;
  const ends = await finding.sandbox.run(
    commands.map(({ command }) => ({ command, workTree: request.workplace.cwd, timeoutMs: hands.commandTimeoutMs })),
    signal,
  );
  const decided = decide(criteria, commands, ends);
  await hands.emit({
    kind: 'helper-asked',
    task: task.task_id,
    agent,
    commands: commands.length,
    decided: ends.filter((end) => end.exitCode !== null && end.endedBy === undefined).length,
    hadContext: handover.type !== 'none',
  });
  const told =
    'fault' in answer ? notRun(unchecked, `the helper's answer could not be used: ${answer.fault}`) : decided;
  return verdictOf([...results, ...told], finding.sandbox.level);
}

function notRun(criteria: readonly Criterion[], detail: string): readonly CriterionResult[] {
  return criteria.map(({ text }) => ({ criterion: text, outcome: 'not-run', by: 'none', detail }));
}
