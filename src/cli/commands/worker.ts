import type { Command } from '../command.ts';
import { eventPrinter } from '../event-printer.ts';
import { inProject } from '../in-project.ts';
import { wholeNumber } from '../whole-number.ts';
import { workerStops } from '../worker-stops.ts';

/** A server that is away for longer needs a person; results wait in files until then and after. */
const STORE_WAIT_MS = 24 * 3_600_000;

export const worker: Command = {
  name: 'worker',
  summary: 'Do tasks that were enqueued, beside other machines',
  args: [],
  flags: {
    concurrency: { description: 'tasks at the same time (run.concurrency), each in its own checkout', value: 'N' },
    agents: {
      description: 'the agents of this machine, in the order they are tried, separated by commas',
      value: 'NAMES',
    },
    'until-done': { description: 'end when no task is left that can be done' },
  },
  examples: [
    {
      line: 'foreword worker --fleet f0123456789abcdef --store rediss://USER:PASSWORD@HOST',
      does: 'works in a clone of the project until it is stopped; TERM lets the tasks under way end, a second one gives them back',
    },
    {
      line: 'foreword worker --concurrency 4 --agents codex,claude',
      does: 'does up to four tasks at once, with these agents',
    },
  ],
  run: (call) =>
    inProject(call, async (project) => {
      const stops = workerStops(call);
      const print = eventPrinter((line) => call.out.print(line));
      try {
        const { spoolOf, workOnFleet } = await import('../../app/fleet.ts');
        const { killRunning } = await import('../../app/run.ts');
        stops.killWith(killRunning);
        const spool = spoolOf(project);
        project.bePatient(stops.end, STORE_WAIT_MS, spool);
        project.state.switchOn();
        const note = (text: string) => call.out.note(`foreword: ${text}`);
        const names = call.text('agents')?.split(',');
        const counts = await workOnFleet(
          project,
          {
            isAgain: false,
            signal: stops.end,
            onEvent: (event) => {
              if (call.has('json')) call.out.jsonEvent({ at: new Date(project.clock.now()).toISOString(), ...event });
              else print(event, project.clock.now());
            },
            onNote: note,
            note,
            spool,
            lineup: names?.map((name) => name.trim()) ?? project.config.lineup,
            concurrency: wholeNumber(call, 'concurrency', { from: 1, to: 32 }) ?? project.config.run.concurrency,
            isUntilDone: call.has('until-done'),
            version: call.version,
            opened: ({ fleet, id, agents }) =>
              note(
                `worker ${id} of fleet ${fleet}, with ${agents.join(', ')}. TERM or Ctrl-C stops it when its tasks have ended.`,
              ),
          },
          stops,
        );
        const { claims, completed, takeovers, spooled } = counts;
        if (!call.has('json'))
          call.out.print(
            `Worker ended: ${claims} claim(s), ${completed} completed, ${takeovers} takeover(s), ${spooled} result(s) in the spool.`,
          );
        return 0;
      } finally {
        stops.close();
      }
    }),
};
