import { formatAge } from '../../kernel/age.ts';
import { oneLine } from '../../kernel/safe-text.ts';
import { columns } from '../columns.ts';
import type { Command } from '../command.ts';
import { withProject } from '../with-project.ts';

export const sessions: Command = {
  name: 'sessions',
  summary: 'List sessions: how the agent stands, what waits for it and why',
  args: [],
  flags: {
    all: { meaning: 'also those that ended' },
    pause: { meaning: 'type nothing into this session', value: 'ID' },
    resume: { meaning: 'go on with it', value: 'ID' },
    stop: { meaning: 'end its agent', value: 'ID' },
    forget: { meaning: 'give up a session on a machine that is gone for good', value: 'ID' },
  },
  examples: [
    { line: 'foreword sessions', does: 'what runs, and what each text waits for' },
    { line: 'foreword sessions --pause s1a2b3c4', does: 'keep texts back while you work by hand' },
  ],
  run: (call) =>
    withProject(call, async (project) => {
      const { findSession, forgetSession, listSessions, tellSession } = await import('../../app/sessions.ts');
      for (const kind of ['pause', 'resume', 'stop'] as const) {
        const id = call.text(kind);
        if (id === undefined) continue;
        const record = await findSession(project, id);
        const message = kind === 'stop' ? { kind } : { kind: 'pause', isPaused: kind === 'pause' };
        await tellSession(project, record, message);
        if (!call.has('json')) call.out.print(`${record.id}: ${DONE[kind]}`);
      }
      const forgotten = call.text('forget');
      if (forgotten !== undefined) {
        const { id } = await forgetSession(project, forgotten);
        if (!call.has('json'))
          call.out.print(`${id}: given up; foreword receipts --failed lists what it was not given`);
      }
      const found = await listSessions(project, { isAll: call.has('all') });
      if (call.has('json')) call.out.json({ sessions: found });
      else if (call.text('pause') ?? call.text('resume') ?? call.text('stop') ?? forgotten) return 0;
      else if (found.length === 0) call.out.print('No session runs. foreword start AGENT begins one.');
      else {
        const now = project.clock.now();
        const rows = found.map((one) => [
          one.id,
          one.agent,
          one.paused ? `${one.readiness}, paused` : one.readiness,
          formatAge(now - Date.parse(one.startedAt)),
          one.on === undefined ? (one.terminal ?? '') : `${one.terminal ?? ''} on ${oneLine(one.on, 40)}`.trim(),
          oneLine(one.waiting.map(({ id, reason }) => `${id}: ${reason}`).join('; '), 100),
        ]);
        call.out.print(columns(['session', 'agent', 'is', 'started', 'in', 'waiting'], rows));
        for (const { id, log } of found) if (log !== undefined) call.out.print(`! ${id}: something went wrong: ${log}`);
      }
      return 0;
    }),
};

const DONE = { pause: 'paused; texts wait', resume: 'goes on', stop: 'its agent is being ended' } as const;
