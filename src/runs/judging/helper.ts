// The helper: an agent that proposes commands to verify what no check decides. Which agent it is, and how it is asked.

import type { Agent } from '../../kernel/agent.ts';
import { type FindingRun, findAgent } from '../attempts/find-agent.ts';
import type { Snapshot } from '../changes.ts';
import { lookersFor } from '../lineup.ts';
import { type AskedOnCopy, askOnCopy } from './ask-on-copy.ts';
import { generateValidationCommands, type HelperAnswer, type HelperPromptInput } from './helper-commands.ts';

/** The agent of the settings, else the first in the lineup that may work now and did not do the work; alone, the one that did. One
 *  that reached a limit is waited for, as for work. */
export async function chooseHelper(run: FindingRun, worker: string): ReturnType<typeof findAgent> {
  const { lineup, installed, judging } = run.settings;
  return findAgent(run, { among: lookersFor(worker, { named: judging.helper, lineup, installed }) });
}

/** Asks the helper about a copy of the work. */
export async function askHelper(
  run: Parameters<typeof askOnCopy>[0],
  question: { readonly helper: Agent; readonly attempt: number; readonly after: Snapshot },
  input: Omit<HelperPromptInput, 'workingDirectory'>,
): Promise<AskedOnCopy<HelperAnswer>> {
  const { helper: agent, attempt, after } = question;
  const timeoutMs = run.settings.judging.helperTimeoutMs;
  return askOnCopy(run, { agent, role: 'helper', attempt, after, timeoutMs }, (ask, { cwd: workingDirectory }) =>
    generateValidationCommands({ ...input, workingDirectory, ask: async (prompt) => (await ask(prompt)).text }),
  );
}
