import { exportLines } from '../../app/transfer.ts';
import type { Command } from '../command.ts';
import { inProject } from '../in-project.ts';

export const exportRecords: Command = {
  name: 'export',
  summary: 'Print everything in the store as JSON lines',
  args: [],
  flags: {},
  examples: [
    { line: 'foreword export > everything.jsonl', does: 'writes a backup' },
    {
      line: 'foreword export | foreword import --store redis://localhost -',
      does: 'copies the SQLite store to a Redis server',
    },
  ],
  worksInCheckouts: true,
  run: (call) =>
    inProject(call, async (project) => {
      for await (const line of exportLines(await project.readStores(), project.redact)) call.out.jsonLine(line);
      return 0;
    }),
};
