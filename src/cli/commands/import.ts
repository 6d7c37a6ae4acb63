import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { importLines } from '../../app/transfer.ts';
import { ForewordError } from '../../kernel/errors.ts';
import type { Command } from '../command.ts';
import { inProject } from '../in-project.ts';

export const importRecords: Command = {
  name: 'import',
  summary: 'Add records that foreword export printed to the store',
  args: ['FILE'],
  flags: {},
  examples: [
    {
      line: 'foreword import everything.jsonl',
      does: 'adds the records that are not there yet; a second run changes nothing',
    },
  ],
  run: (call) =>
    inProject(call, async (project) => {
      const [file = '-'] = call.args;
      const text = file === '-' ? ((await call.input()) ?? '') : read(resolve(project.cwd, file), file);
      const { added, kept } = await importLines(text, {
        redact: project.redact,
        stores: project.writeStores,
        where: file === '-' ? 'standard input' : file,
      });
      await project.emit({ kind: 'import-finished', added, kept });
      if (call.has('json')) call.out.json({ added, kept });
      else call.out.print(`${added} record(s) added, ${kept} were there already.`);
      return 0;
    }),
};

function read(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ForewordError('bad-input', `${name} cannot be read.`, {
      hint: 'Give a file that foreword export wrote.',
      cause: error,
    });
  }
}
