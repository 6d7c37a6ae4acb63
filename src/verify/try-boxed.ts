// Whether an agent can work in the box of a run: the stored trial of its version, or one that is made now by `foreword verify
// --boxed`, a process of its own that can cut itself off the network.

import { AGENTS } from '../agents/index.ts';
import type { Agent } from '../kernel/agent.ts';
import type { RunProcess } from '../kernel/process.ts';
import { isSameValue } from '../kernel/same-value.ts';
import { definedOnly } from '../system/environment.ts';
import { findProgram } from '../system/processes/find-program.ts';
import { boxDataOf } from './box-data.ts';
import { recipeFor } from './lab/recipe.ts';
import { type OwnHost, ownHost } from './own-host.ts';
import { type BoxedTrial, boxedTrialOf, readResults } from './results.ts';

/** `untried`: there is no way to try it, or the trial itself could not be made; that says nothing against the box. */
export type BoxedAnswer = { readonly kind: 'passed' | 'untried' } | { readonly kind: 'failed'; readonly why: string };

/** A version takes some seconds once. */
const LONGEST_MS = 180_000;

/** `trying` is called when a trial begins. */
export function boxTrials(
  run: RunProcess,
  host: Pick<OwnHost, 'env' | 'cwd' | 'stateFolder' | 'command'> = ownHost(),
): (agent: Agent, trying: (version: string) => Promise<void>) => Promise<BoxedAnswer> {
  return async (agent, trying) => {
    const triable = triableAs(agent, host);
    if (triable === undefined) return { kind: 'untried' };
    const known = () => boxedTrialOf(readResults(host.stateFolder), agent.name, triable);
    if (known() === undefined) {
      const { command, cwd } = host;
      const words = [...command, 'verify', agent.name, '--boxed', '--allow-network', '--json'] as const;
      const begun: Promise<void>[] = [];
      const onLine = (line: string): undefined => {
        const version = /^\S+ (\S+): trying it in its box$/.exec(line)?.[1];
        if (version !== undefined) begun.push(trying(version));
      };
      await run({ command: words, cwd, env: definedOnly(host.env), timeoutMs: LONGEST_MS, onLine });
      await Promise.all(begun);
    }
    const trial = known();
    if (trial === undefined) return { kind: 'untried' };
    return trial.why === undefined ? { kind: 'passed' } : { kind: 'failed', why: trial.why };
  };
}

/** What is stored of an agent's trial; starts nothing. */
export function knownBoxTrial(
  agent: Agent,
  host: Pick<OwnHost, 'env' | 'cwd' | 'stateFolder'>,
): { readonly kind: 'untriable' | 'untried' } | ({ readonly kind: 'tried' } & BoxedTrial) {
  const triable = triableAs(agent, host);
  if (triable === undefined) return { kind: 'untriable' };
  const trial = boxedTrialOf(readResults(host.stateFolder), agent.name, triable);
  return trial === undefined ? { kind: 'untried' } : { kind: 'tried', ...trial };
}

/** Where a trial would start the same program in the same box: the program, and the data of the trial. Arguments that a person added
 *  (a model) are no part of it. */
function triableAs(
  agent: Agent,
  { env, cwd }: Pick<OwnHost, 'env' | 'cwd'>,
): { program: string; data: string } | undefined {
  const builtIn = AGENTS.find(({ name }) => name === agent.name);
  const name = agent.oneshot?.command[0] ?? '';
  if (builtIn === undefined || recipeFor(agent.name) === undefined) return undefined;
  if (name !== builtIn.interactive?.command[0] || !isSameValue(builtIn.box, agent.box)) return undefined;
  const program = findProgram(name, { path: env.PATH ?? '', cwd });
  return program === undefined ? undefined : { program, data: boxDataOf(builtIn) };
}
