import { doctorRows } from '../../reports/doctor-rows.ts';
import { lostRow, lostTexts } from '../../reports/lost-texts.ts';
import type { Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { working } from '../working.ts';

/** Put in by scripts/build.mjs. */
declare const FOREWORD_VERSION: string;

export const doctor: Command = {
  name: 'doctor',
  summary:
    'Check this machine and project: agents, hooks, results of verify, store, sandbox, terminals, trust, settings',
  args: [],
  flags: { settings: { description: 'list every setting with its value and its origin' } },
  examples: [{ line: 'foreword doctor', does: 'prints what it found, and for each problem how to fix it' }],
  worksInCheckouts: true,
  run: (call) =>
    inProject(call, async (project) => {
      const { examineProject, lookAtJournal } = await import('../../app/doctor.ts');
      const found = await working(call, 'looking at agents, hooks and the store', () =>
        examineProject(project, FOREWORD_VERSION),
      );
      const isReadable = found.store.kind !== 'unknown' && found.store.kind !== 'memory';
      // What cannot be read now is in the row of the store already.
      const lost = lostTexts(isReadable ? await lookAtJournal(project).catch(() => []) : []);
      if (call.has('json')) {
        call.out.json({ ...found, lost, settings: project.origins() });
        return found.problems.length === 0 ? 0 : 3;
      }
      const rows = [...doctorRows(found, project), ...lost.map(lostRow)];
      call.out.table(['item', 'state'], rows);
      for (const problem of found.problems) call.out.warn(problem);
      if (call.has('settings')) {
        const settings = Object.entries(project.origins()).map(([name, { value, from }]) => [
          name,
          from,
          JSON.stringify(value) ?? 'not set',
        ]);
        call.out.print('');
        call.out.table(['setting', 'origin', 'value'], settings);
      }
      return found.problems.length === 0 ? 0 : 3;
    }),
};
