// The helper: an agent that proposes commands to verify what no check decides. Which agent it is, and how it is asked.

import type { Agent } from '../../kernel/agent.ts';
import type { HelperTalk } from '../../kernel/verdict.ts';
import { runAgent } from '../attempts/run-agent.ts';
import type { TaskRun } from '../attempts/task-run.ts';
import { readBreakers } from '../breakers.ts';
import type { Observer, Snapshot } from '../changes.ts';
import { chooseAgent } from '../lineup.ts';
import { makeTaskFolder } from '../task-folder.ts';
import { generateValidationCommands, type HelperAnswer, type HelperPromptInput } from './helper-commands.ts';

/** The agent of the settings, else the first in the lineup that may work now and did not do the work; `undefined` when
 *  there is no such agent. */
export async function chooseHelper(
  { ports, settings }: Pick<TaskRun, 'ports' | 'settings'>,
  worker: string,
): Promise<Agent | undefined> {
  const { helper } = settings.judging;
  const choice = chooseAgent({
    lineup: helper === undefined ? settings.lineup.filter((name) => name !== worker) : [helper],
    breakers: await readBreakers(ports),
    installed: settings.installed,
    now: ports.clock.now(),
  });
  return choice.kind === 'use' ? settings.agents.get(choice.agent) : undefined;
}

export interface HelperAnswers {
  readonly answer: HelperAnswer;
  readonly talk: HelperTalk;
  /** What it changed, in its copy or in the checkout of the work: then its answer counts for nothing. */
  readonly changed: readonly string[];
}

/** Asks the helper, in a copy of the work, with flags that keep it from writing. The copy and the work are looked at before and after. */
export async function askHelper(
  run: Pick<TaskRun, 'ports' | 'settings' | 'task' | 'signal' | 'workplace'>,
  question: { readonly helper: Agent; readonly attempt: number; readonly after: Snapshot },
  input: Omit<HelperPromptInput, 'workingDirectory'>,
): Promise<HelperAnswers> {
  const asked: { prompt: string; answer: string }[] = [];
  const copy = await run.workplace.copy(question.after);
  try {
    const seen = await Promise.all([copy.observer, run.workplace.observer].map(begin));
    const answer = await generateValidationCommands({
      ...input,
      workingDirectory: copy.cwd,
      ask: async (prompt) => {
        const text = await answerOf(run, { ...question, prompt, cwd: copy.cwd });
        asked.push({ prompt: bounded(prompt, MAX_PROMPT), answer: bounded(text, MAX_ANSWER) });
        return text;
      },
    });
    const changes = (await Promise.all(seen.map((end) => end()))).flat();
    return { answer, talk: { agent: question.helper.name, asked }, changed: [...new Set(changes)].sort() };
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

/** Returns what the helper answered; '' when it could not work. */
async function answerOf(
  { ports, settings, task, signal }: Pick<TaskRun, 'ports' | 'settings' | 'task' | 'signal'>,
  question: { readonly helper: Agent; readonly prompt: string; readonly attempt: number; readonly cwd: string },
): Promise<string> {
  const { root, places } = settings;
  const { result } = await runAgent(
    ports,
    {
      agent: question.helper,
      isReadOnly: true,
      prompt: question.prompt,
      cwd: question.cwd,
      timeoutMs: settings.judging.helperTimeoutMs,
      root,
      folder: makeTaskFolder(places, `${task.task_id} helper`),
      name: `attempt-${question.attempt}`,
      attempt: `${task.task_id}#${question.attempt} helper`,
    },
    signal,
  );
  return result.answer;
}

/** What is kept of a talk in the attempt's record. A prompt of 50 criteria and 5,000 characters of answer has room. */
const MAX_PROMPT = 40_000;
const MAX_ANSWER = 5_000;

function bounded(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max).toWellFormed()}\n… ${text.length - max} more characters`;
}
