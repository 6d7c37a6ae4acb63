import { resolve } from 'node:path';
import type { Project } from '../../app/project.ts';
import { exportLines, exportWork } from '../../app/transfer.ts';
import { ForewordError, isForewordError } from '../../kernel/errors.ts';
import { nameSome } from '../../kernel/name-some.ts';
import type { Call, Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { openProgress } from '../progress.ts';
import { working } from '../working.ts';

export const exportRecords: Command = {
  name: 'export',
  summary: 'Print everything in the store as JSON lines, or write it to a file with the work of runs',
  args: [],
  flags: {
    work: {
      description:
        'write the records and the commits of runs to this file, from which foreword import goes on elsewhere',
      value: 'FILE',
    },
  },
  examples: [
    { line: 'foreword export > everything.jsonl', does: 'writes a backup' },
    {
      line: 'foreword export | foreword import --store redis://localhost -',
      does: 'copies the SQLite store to a Redis server',
    },
    {
      line: 'foreword export --work work.tar',
      does: 'writes what another clone needs to go on with the runs, also after one was killed',
    },
  ],
  worksInCheckouts: true,
  run: (call) =>
    inProject(call, async (project) => {
      const file = call.text('work');
      if (file !== undefined) return writeWork(call, project, file);
      // On a terminal the records themselves go by.
      const progress = openProgress({ isQuiet: call.has('json') || process.stdout.isTTY });
      let lines = 0;
      for await (const line of exportLines(await project.readStores(), project.redact)) {
        call.out.jsonLine(line);
        lines += 1;
        progress.show(`${lines} records written`);
      }
      progress.close();
      return 0;
    }),
};

async function writeWork(call: Call, project: Project, file: string): Promise<number> {
  if (file === '' || file === '-') {
    throw new ForewordError('bad-usage', '--work needs the name of a file: it is written whole or not at all.', {
      hint: 'Usage: foreword export --work FILE',
    });
  }
  const written = await working(call, `writing ${file}`, () =>
    exportWork(project, resolve(project.cwd, file)).catch((error: unknown) => {
      throw notWritten(file, error);
    }),
  );
  const { records, runs, attempts, bytes } = written;
  if (call.has('json')) call.out.json({ file, records, runs, attempts, bytes });
  else {
    const of = runs.length === 0 ? 'no run that is not merged' : `the commits of ${nameSome(runs)}`;
    call.out.print(`${file}: ${records} record(s), ${attempts} attempt(s), ${of}, ${Math.ceil(bytes / 1024)} KiB.`);
  }
  return 0;
}

function notWritten(file: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (isForewordError(error) || code === undefined) return error;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  return new ForewordError(isFull ? 'disk-full' : 'bad-input', `${file} cannot be written: ${message}.`, {
    hint: isFull ? 'Free some space, or name a file on another disk.' : 'Name a file in a folder that is there.',
    cause: error,
  });
}
