import { formatAge } from '../../kernel/age.ts';
import { oneLine } from '../../kernel/safe-text.ts';
import type { Command } from '../command.ts';
import { inProject } from '../in-project.ts';

export const sessions: Command = {
  name: 'sessions',
  summary: 'List sessions: state of the agent, waiting deliveries and why they wait',
  args: [],
  flags: {
    all: { description: 'also list ended sessions' },
    pause: { description: 'type nothing into this session', value: 'ID' },
    resume: { description: 'deliver to this session again', value: 'ID' },
    stop: { description: 'stop the agent of this session', value: 'ID' },
    forget: { description: 'give up a session on a machine that no longer exists', value: 'ID' },
  },
  examples: [
    { line: 'foreword sessions', does: 'lists running sessions, and why each delivery waits' },
    { line: 'foreword sessions --pause s1a2b3c4d', does: 'holds deliveries back while you type yourself' },
  ],
  run: (call) =>
    inProject(call, async (project) => {
      const client = (await import('../../app/sessions.ts')).sessionsOf(project);
      for (const kind of ['pause', 'resume', 'stop'] as const) {
        const id = call.text(kind);
        if (id === undefined) continue;
        const record = await client.find(id);
        const message = kind === 'stop' ? { kind } : { kind: 'pause', isPaused: kind === 'pause' };
        await client.request(record, message);
        if (!call.has('json')) call.out.print(`${record.id}: ${DONE[kind]}`);
      }
      const forgotten = call.text('forget');
      if (forgotten !== undefined) {
        const { id } = await client.forget(forgotten);
        if (!call.has('json')) call.out.print(`${id}: given up; foreword receipts --failed lists what did not arrive`);
      }
      const found = await client.list({ isAll: call.has('all') });
      if (call.has('json')) call.out.json({ sessions: found });
      else if (call.text('pause') ?? call.text('resume') ?? call.text('stop') ?? forgotten) return 0;
      else if (found.length === 0)
        call.out.print('No session of foreword start is running. foreword start AGENT starts one.');
      else {
        const now = project.clock.now();
        const rows = found.map((one) => [
          one.id,
          one.agent,
          [one.readiness, ...(one.paused ? ['paused'] : []), ...(one.seating === undefined ? [] : [one.seating])].join(
            ', ',
          ),
          formatAge(now - Date.parse(one.startedAt)),
          one.on === undefined ? (one.terminal ?? '') : `${one.terminal ?? ''} on ${oneLine(one.on, 40)}`.trim(),
          oneLine(one.waiting.map(({ id, reason }) => `${id}: ${reason}`).join('; '), 100),
        ]);
        call.out.table(['session', 'agent', 'state', 'started', 'terminal', 'waiting deliveries'], rows);
        for (const { hint } of found) if (hint !== undefined) call.out.warn(hint);
        for (const { id, log } of found) if (log !== undefined) call.out.warn(`${id}: an error was logged: ${log}`);
      }
      return 0;
    }),
};

const DONE = { pause: 'paused; deliveries wait', resume: 'resumed', stop: 'stopping its agent' } as const;
