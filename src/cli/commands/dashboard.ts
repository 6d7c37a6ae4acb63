import type { Call, Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { wholeNumber } from '../whole-number.ts';

export const dashboard: Command = {
  name: 'dashboard',
  summary: 'Show sessions, deliveries, agents and tasks in a browser, live and read-only',
  args: [],
  flags: { port: { description: 'listen on this port of 127.0.0.1; a free port by default', value: 'N' } },
  examples: [
    { line: 'foreword dashboard', does: 'prints a URL with a new token; Ctrl-C stops the server' },
    { line: 'foreword dashboard --port 8700 --json', does: 'prints the URL as {"url"}, for a program' },
  ],
  run: (call) =>
    inProject(call, async (project) => {
      const port = wholeNumber(call, 'port', { from: 0, to: 65_535 }) ?? 0;
      const { openProjectDashboard } = await import('../../app/dashboard.ts');
      const stopped = stopSignal();
      const opened = await openProjectDashboard(project, { port });
      try {
        printUrl(call, opened.url);
        await stopped;
      } finally {
        await opened.close();
      }
      return 0;
    }),
};

/** The URL is printed unredacted: redaction would remove its token. */
function printUrl(call: Call, url: string): void {
  if (call.has('json')) call.out.jsonLine({ url });
  else {
    process.stdout.write(`${url}\n`);
    call.out.note('Anyone with this URL can read the dashboard. It is read-only. Ctrl-C stops it.');
  }
}

/** Resolves at the first Ctrl-C or TERM: there is nothing to lose. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => resolve());
  });
}
