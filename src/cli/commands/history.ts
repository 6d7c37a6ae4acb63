import { type AttemptRecord, usageOfAttempts } from '../../kernel/attempt.ts';
import { ForewordError } from '../../kernel/errors.ts';
import type { Stores } from '../../kernel/stores.ts';
import { usageText } from '../../kernel/usage.ts';
import type { HelperTalk, ReviewTalk } from '../../kernel/verdict.ts';
import { otherWriter, withoutOwnName } from '../../kernel/writer.ts';
import { seconds } from '../../reports/event-lines.ts';
import { attemptLines, attemptOutcome, diffOf } from '../attempt-lines.ts';
import type { Call, Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { seenTasks, taskFacts, taskLines } from '../seen-tasks.ts';
import { wholeNumber } from '../whole-number.ts';

export const history: Command = {
  name: 'history',
  summary: 'Show every attempt at a task: agent, outcome, files, errors, log, and the command for its work',
  args: ['TASK'],
  flags: {
    prompt: {
      description: 'show the prompts instead: hand-over, original prompt, and those of helper and reviewer, separately',
    },
    attempt: { description: 'only this attempt', value: 'N' },
  },
  examples: [
    { line: 'foreword history api_health', does: 'lists all attempts, oldest first' },
    { line: 'foreword history api_health --prompt --attempt 2', does: 'prints the exact prompt of the second attempt' },
  ],
  worksInCheckouts: true,
  run: (call) =>
    inProject(call, async (project) => {
      const [taskId = ''] = call.args;
      const stores = await project.readStores();
      const attempts = await stores.attempts.list(taskId);
      if (attempts.length === 0 && (await stores.tasks.get(taskId)) === undefined) {
        const known = (await stores.tasks.list()).map((record) => record.task_id);
        throw new ForewordError('unknown-task', `There is no task "${taskId}" in the store.`, {
          hint:
            known.length === 0
              ? 'No task was run in this project yet. foreword run TASKS starts.'
              : `Known tasks: ${known.slice(0, 10).join(', ')}.`,
        });
      }
      const only = wholeNumber(call, 'attempt', { from: 1 });
      const shown = attempts.filter(({ attemptNumber }) => only === undefined || attemptNumber === only);
      if (only !== undefined && shown.length === 0)
        throw new ForewordError('bad-input', `Task "${taskId}" has no attempt ${only}.`, {
          hint: `It has ${attempts.length}: foreword history ${taskId}`,
        });
      if (call.has('prompt')) return showPrompts(call, await promptsOf(stores, taskId, shown));
      const me = project.writer;
      const { tasks } = await seenTasks(project, stores, taskId);
      const seen = tasks[0];
      if (call.has('json')) {
        const records = shown.map((attempt) => ({ ...withoutOwnName(attempt, me), ...diffOf(taskId, attempt) }));
        const usage = usageOfAttempts(shown);
        call.out.json({ task_id: taskId, ...(seen === undefined ? {} : taskFacts(seen)), usage, attempts: records });
        return 0;
      }
      if (seen !== undefined) for (const line of taskLines(seen)) call.out.print(line);
      show(call, shown, me);
      if (shown.length > 0) call.out.print(`Used: ${usageText(usageOfAttempts(shown))}.`);
      for (const attempt of shown) {
        const [title = '', ...lines] = attemptLines(taskId, attempt);
        call.out.print('');
        call.out.title(title);
        if (lines.length > 0) call.out.print(lines.join('\n'));
      }
      return 0;
    }),
};

interface StoredPrompt {
  readonly attempt: number;
  readonly original: string;
  readonly handover: string;
  readonly isResumed?: true;
  readonly helper?: HelperTalk;
  readonly review?: ReviewTalk;
}

async function promptsOf(
  stores: Stores,
  taskId: string,
  attempts: readonly AttemptRecord[],
): Promise<readonly StoredPrompt[]> {
  const wanted = new Map(attempts.map((attempt) => [attempt.attemptNumber, attempt]));
  return (await stores.journal.read()).flatMap(({ value }) => {
    if (value.kind !== 'prompt-composed' || value.task !== taskId) return [];
    const { attempt, original, handover, isResumed } = value;
    const { helper, review } = wanted.get(attempt)?.verdict ?? {};
    const talks = { ...(helper === undefined ? {} : { helper }), ...(review === undefined ? {} : { review }) };
    return wanted.has(attempt) ? [{ attempt, original, handover, ...(isResumed ? { isResumed } : {}), ...talks }] : [];
  });
}

function showPrompts(call: Call, prompts: readonly StoredPrompt[]): number {
  if (call.has('json')) call.out.json({ prompts });
  for (const { attempt, original, handover, isResumed, helper, review } of call.has('json') ? [] : prompts) {
    const print = (what: string, text: string) =>
      call.out.print(`=== attempt ${attempt}: ${what} ===\n${text === '' ? '(none)' : text.trimEnd()}`);
    print('hand-over', handover);
    print(isResumed ? 'prompt for the same session (what changed)' : 'original prompt', original);
    const printTalk = (who: string, talk: HelperTalk | undefined) => {
      for (const { prompt, answer } of talk?.asked ?? []) {
        print(`prompt of the ${who} ${talk?.agent}`, prompt);
        print(`answer of the ${who} ${talk?.agent}`, answer);
      }
    };
    printTalk('helper', helper);
    printTalk('reviewer', review);
  }
  return 0;
}

function show(call: Call, attempts: readonly AttemptRecord[], me: string): void {
  const hasOthers = attempts.some((attempt) => otherWriter(attempt, me) !== undefined);
  const rows = attempts.map((attempt) => [
    attempt.attemptNumber,
    attempt.isResumed ? `${attempt.provider} (same session)` : attempt.provider,
    attemptOutcome(attempt),
    seconds(attempt.durationMs),
    [
      ...attempt.files_created.map((file) => `+${file}`),
      ...attempt.files_updated,
      ...attempt.files_deleted.map((file) => `-${file}`),
    ]
      .slice(0, 4)
      .join(' '),
    attempt.validationErrors[0] ?? '',
    ...(hasOthers ? [otherWriter(attempt, me) ?? ''] : []),
  ]);
  const heads = ['#', 'agent', 'outcome', 'duration', 'files', 'error', ...(hasOthers ? ['writer'] : [])];
  if (rows.length === 0) call.out.print('No attempts yet.');
  else call.out.table(heads, rows);
}
