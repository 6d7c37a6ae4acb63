// The helper: an agent that proposes commands to verify what no check decides. Which agent it is, and how it is asked.

import type { Agent } from '../../kernel/agent.ts';
import { oneLine } from '../../kernel/safe-text.ts';
import { type FindingRun, findAgent } from '../attempts/find-agent.ts';
import type { Snapshot } from '../changes.ts';
import { lookersFor } from '../lineup.ts';
import { type AskedOnCopy, askOnCopy, type CopyAnswer } from './ask-on-copy.ts';
import { generateValidationCommands, type HelperAnswer, type HelperPromptInput } from './helper-commands.ts';

/** The helper ended without an answer: its limit, a crash. */
export interface NoAnswer {
  readonly fault: string;
  /** The class of the failure and its line. */
  readonly unanswered: string;
}

/** The agent of the settings, else the first in the lineup that may work now and did not do the work; when none of these may, the one
 *  that did, in a new session. Nobody is waited for while one is free. */
export async function chooseHelper(run: FindingRun, worker: string): ReturnType<typeof findAgent> {
  const { lineup, installed, judging } = run.settings;
  const others = lookersFor(worker, { named: judging.helper, lineup, installed });
  return findAgent(run, { among: judging.helper === undefined ? [...new Set([...others, worker])] : others });
}

/** Asks the helper about a copy of the work. */
export async function askHelper(
  run: Parameters<typeof askOnCopy>[0],
  question: { readonly helper: Agent; readonly attempt: number; readonly after: Snapshot },
  input: Omit<HelperPromptInput, 'workingDirectory'>,
): Promise<AskedOnCopy<HelperAnswer | NoAnswer>> {
  const { helper: agent, attempt, after } = question;
  const timeoutMs = run.settings.judging.helperTimeoutMs;
  return askOnCopy(run, { agent, role: 'helper', attempt, after, timeoutMs }, (ask, { cwd: workingDirectory }) =>
    proposals({ ...input, workingDirectory }, ask),
  );
}

/** A helper that failed has not answered: what it printed is no bad answer, and nobody asks it to correct that. */
async function proposals(
  input: HelperPromptInput,
  ask: (prompt: string) => Promise<CopyAnswer>,
): Promise<HelperAnswer | NoAnswer> {
  let failed: CopyAnswer['failed'];
  const read = async (prompt: string): Promise<string> => {
    const answer = await ask(prompt);
    failed = answer.failed;
    if (failed !== undefined) throw failed;
    return answer.text;
  };
  try {
    return await generateValidationCommands({ ...input, ask: read });
  } catch (error) {
    if (failed === undefined || error !== failed) throw error;
    return { fault: '', unanswered: `${failed.class}: ${oneLine(failed.message, 200)}` };
  }
}
