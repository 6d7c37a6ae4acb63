// Before an agent is paid: under a cap on cost or tokens, every agent that may get work must be one whose use can be known.

import type { Agent } from '../../kernel/agent.ts';
import { ForewordError } from '../../kernel/errors.ts';
import type { Task } from '../../kernel/task.ts';
import type { RunSettings } from '../ports.ts';

/** Throws `bad-config` with the agents whose tokens or cost nobody names, and the line to write for them. */
export function refuseUncounted(
  settings: Pick<RunSettings, 'caps' | 'lineup' | 'agents' | 'installed' | 'judging'>,
  tasks: readonly Pick<Task, 'agents'>[],
): void {
  const { costUsd, tokens } = settings.caps;
  if (costUsd === undefined && tokens === undefined) return;
  const { helper, review } = settings.judging;
  const judges = [helper, review.by].filter((name) => name !== undefined);
  const wanted = [...settings.lineup, ...tasks.flatMap(({ agents = [] }) => agents), ...judges];
  const all = [...new Set(wanted)].filter((name) => settings.installed.has(name));
  const lacking = (has: (agent: Agent) => boolean) =>
    all.filter((name) => {
      const agent = settings.agents.get(name);
      return agent !== undefined && !has(agent);
    });
  const uncounted = lacking((agent) => countsTokens(agent) || (tokens === undefined && hasCost(agent)));
  if (uncounted.length > 0)
    throw new ForewordError(
      'bad-config',
      `${tokens === undefined ? 'A cap on cost (--max-cost)' : 'A cap on tokens (--max-tokens)'} needs the tokens of every agent, and ${uncounted.join(', ')} ${uncounted.length === 1 ? 'names' : 'name'} none.`,
      {
        hint: 'Leave it out of the lineup (--agents), or write where it names them: agents.NAME.oneshot.output.usage.',
      },
    );
  const unpriced = costUsd === undefined ? [] : lacking((agent) => agent.price !== undefined || hasCost(agent));
  if (unpriced.length === 0) return;
  const names = unpriced.join(', ');
  const lines = unpriced.map((name) => `${name}: { price: { input: 1.25, cached: 0.125, output: 10 } }`).join(', ');
  throw new ForewordError(
    'bad-config',
    `A cap on cost (--max-cost) needs the cost of every agent, and ${names} ${unpriced.length === 1 ? 'names' : 'name'} none.`,
    {
      hint: `Write what a million tokens cost in US dollars: agents: { ${lines} }. Or leave ${unpriced.length === 1 ? 'it' : 'them'} out of the lineup (--agents).`,
    },
  );
}

function hasCost({ oneshot }: Agent): boolean {
  const output = oneshot?.output;
  const rules = output === undefined || output.format === 'text' ? [] : (output.usage ?? []);
  return rules.some(({ costUsd }) => costUsd !== undefined);
}

/** In its output, or in the transcript of a session that its output names. */
function countsTokens({ oneshot }: Agent): boolean {
  const output = oneshot?.output;
  return output !== undefined && output.format !== 'text' && (output.usage ?? output.session) !== undefined;
}
