import { environment } from '../../system/environment.ts';
import type { Command } from '../command.ts';
import { inProject } from '../in-project.ts';

export const switchAgent: Command = {
  name: 'switch',
  summary: 'Go on with another agent in the terminal of a session, and come back',
  args: ['AGENT', '[SESSION]', '[-- ARGS...]'],
  flags: {},
  examples: [
    {
      line: 'foreword switch codex',
      does: 'starts it in the terminal of the only session, with what the first agent did and your last prompt',
    },
    {
      line: 'foreword switch claude',
      does: 'shows the first agent again, as you left it; so does the end of the other',
    },
    { line: 'foreword switch codex s1a2b3c4d', does: 'switches in this session' },
    {
      line: 'foreword switch codex -- --model o5',
      does: "starts it with the agent's own arguments, which come after --",
    },
  ],
  run: (call) =>
    inProject(call, async (project) => {
      const { sessionsOf } = await import('../../app/sessions.ts');
      const [agent = '', named] = call.args.slice(0, call.args.length - call.rest.length);
      const id = named ?? environment().FOREWORD_SESSION;
      const seat = await sessionsOf(project).switchTo({ agent, id, args: call.rest });
      if (call.has('json')) call.out.json(seat);
      else call.out.print(`${seat.session}: ${seat.agent} has the terminal`);
      return 0;
    }),
};
