import { ForewordError } from '../../kernel/errors.ts';
import type { Call, Command } from '../command.ts';
import { withProject } from '../with-project.ts';

export const dashboard: Command = {
  name: 'dashboard',
  summary: 'Show who needs you, what arrived, agents and tasks in a browser, live; it changes nothing',
  args: [],
  flags: { port: { meaning: 'listen on this port of 127.0.0.1; a free one by default', value: 'N' } },
  examples: [
    { line: 'foreword dashboard', does: 'prints one address with a fresh token; open it; Ctrl-C ends it' },
    { line: 'foreword dashboard --port 8700 --json', does: 'for a program: the address as {"url"}' },
  ],
  run: (call) =>
    withProject(call, async (project) => {
      const port = portOf(call.text('port'));
      const { openProjectDashboard } = await import('../../app/dashboard.ts');
      const stopped = stopSignal();
      const opened = await openProjectDashboard(project, { port });
      try {
        tell(call, opened.url);
        await stopped;
      } finally {
        await opened.close();
      }
      return 0;
    }),
};

/** The address goes out as it is: redaction would take its token out. */
function tell(call: Call, url: string): void {
  if (call.has('json')) call.out.jsonLine({ url });
  else {
    process.stdout.write(`${url}\n`);
    call.out.note('Whoever has this address may look. It changes nothing; Ctrl-C ends it.');
  }
}

function portOf(text: string | undefined): number {
  if (text === undefined) return 0;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new ForewordError('bad-usage', `--port was given "${text}"; it takes a whole number from 0 to 65535.`);
}

/** Resolves at the first Ctrl-C or TERM: there is nothing to be lost. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => resolve());
  });
}
