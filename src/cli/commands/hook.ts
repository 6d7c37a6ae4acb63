import type { Command } from '../command.ts';

export const hook: Command = {
  name: 'hook',
  summary: 'Answer an agent’s hook: JSON on standard input, JSON or nothing on standard output',
  args: ['EVENT'],
  flags: { agent: { description: 'the agent that runs the hook', value: 'NAME' } },
  examples: [
    {
      line: `echo '{"session_id":"s1","cwd":"."}' | foreword hook pre-tool --agent claude`,
      does: 'prints what an agent is given with the result of its first tool; foreword init installs a faster script for this',
    },
  ],
  worksInCheckouts: true,
  run: async (call) => {
    const { runHookHere, ASSUMED_AGENT } = await import('../../app/hook.ts');
    return runHookHere(call.args[0] ?? '', call.text('agent') ?? ASSUMED_AGENT);
  },
};
