import { resolve } from 'node:path';
import type { Project } from '../../app/project.ts';
import { ForewordError } from '../../kernel/errors.ts';
import { mapStrings } from '../../kernel/map-strings.ts';
import { asciiJson, safeText } from '../../kernel/safe-text.ts';
import { type ReportOnRun, reportOf } from '../../reports/report/report.ts';
import { reportText } from '../../reports/report/sections.ts';
import { reportedRun } from '../../runs/review/choose-run.ts';
import { replaceFile } from '../../system/files/atomic.ts';
import type { Call, Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { localDate, localMinute, localTime } from '../local-time.ts';
import { seenTasks } from '../seen-tasks.ts';

export const report: Command = {
  name: 'report',
  summary: 'Write a page on a run: what is done, what needs you, what it took',
  args: ['[RUN]'],
  flags: {
    output: { description: 'write it to this file instead of standard output', value: 'FILE', short: 'o' },
  },
  examples: [
    { line: 'foreword report', does: 'prints the page on the last run, in Markdown' },
    { line: 'foreword report tasks-1a2b -o morning.md', does: 'writes the page on this run to a file' },
    { line: 'foreword report --json', does: 'prints everything that the page is made of' },
  ],
  worksInCheckouts: true,
  run: (call) =>
    inProject(call, async (project) => {
      // Before anything is shortened: half a secret is not found any more.
      const value = mapStrings(await readReport(call, project), project.redact);
      const text = call.has('json') ? undefined : value === null ? NO_RUN : reportText(value, localMinute);
      const file = call.text('output');
      if (file !== undefined) write(resolve(project.cwd, file), text === undefined ? `${asciiJson(value, 2)}\n` : text);
      else if (text === undefined) call.out.json(value);
      else call.out.print(text.trimEnd());
      return 0;
    }),
};

const NO_RUN = 'No run was made in this project yet. foreword run TASKS starts one.\n';

/** `null` when there is no run at all. */
async function readReport(call: Call, project: Project): Promise<ReportOnRun | null> {
  const stores = await project.readStores();
  const [named] = call.args;
  const { tasks, runs } = await seenTasks(project, stores);
  const events = (await stores.journal.read()).map(({ value }) => value);
  const run = reportedRun(runs, named, events);
  if (run === undefined && named === undefined) return null;
  if (run === undefined) {
    const known = runs.slice(-10).map(({ id, state }) => `${id} (${state})`);
    throw new ForewordError('bad-usage', `There is no run "${named}".`, {
      hint: known.length === 0 ? 'No run was made in this project yet.' : `Runs: ${known.join(', ')}.`,
    });
  }
  const breakers = (await stores.breakers.list()).map(({ value }) => value);
  return reportOf({ run, runs, tasks, events, breakers, now: project.clock.now(), hourOf });
}

function hourOf(iso: string): string {
  const at = Date.parse(iso);
  return `${localDate(at)} ${localTime(at).slice(0, 2)}:00`;
}

function write(path: string, text: string): void {
  try {
    replaceFile(path, safeText(text));
  } catch (error) {
    throw new ForewordError('bad-usage', `The report could not be written to ${path}: ${reasonOf(error)}.`, {
      hint: 'Name a file in a folder that you may write to.',
    });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
