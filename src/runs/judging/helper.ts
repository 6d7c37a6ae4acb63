// The helper: an agent that proposes commands to verify what no check decides. Which agent it is, and how it is asked.

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '../../kernel/agent.ts';
import { runAgent } from '../attempts/run-agent.ts';
import type { TaskRun } from '../attempts/task-run.ts';
import { readBreakers } from '../breakers.ts';
import { chooseAgent } from '../lineup.ts';
import { makeTaskFolder } from '../task-folder.ts';

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

/** Returns what the helper answered; '' when it could not work. It works in an empty folder of its own: it proposes
 *  commands and changes no file of the work. */
export async function askHelper(
  { ports, settings, task, signal }: Pick<TaskRun, 'ports' | 'settings' | 'task' | 'signal'>,
  question: { readonly helper: Agent; readonly prompt: string; readonly attempt: number },
): Promise<string> {
  const { root, places } = settings;
  const { result } = await runAgent(
    ports,
    {
      agent: question.helper,
      prompt: question.prompt,
      cwd: mkdtempSync(join(makeTaskFolder(places, task.task_id), 'helper-')),
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
