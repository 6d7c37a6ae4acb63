import { closeSync, createReadStream, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { type ImportInto, importLines, importStoreFile } from '../../app/transfer.ts';
import { ForewordError } from '../../kernel/errors.ts';
import { openInside } from '../../system/files/open-inside.ts';
import type { Call, Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { openProgress } from '../progress.ts';

export const importRecords: Command = {
  name: 'import',
  summary: 'Add records that foreword export printed, or the records of an old store file, to the store',
  args: ['FILE'],
  flags: {},
  examples: [
    {
      line: 'foreword import everything.jsonl',
      does: 'adds the records that are not there yet; a second run changes nothing',
    },
    {
      line: 'foreword import old.db',
      does: 'takes over the history of an old store; the file itself is not changed',
    },
  ],
  run: (call) =>
    inProject(call, async (project) => {
      const [file = '-'] = call.args;
      const progress = openProgress({ isQuiet: call.has('json') });
      const into: ImportInto = {
        redact: project.redact,
        stores: project.writeStores,
        now: project.clock.now(),
        where: file === '-' ? 'standard input' : file,
        onRead: (records) => progress.show(`${records} records read`),
        onWrite: (done, total) => progress.show(`${done} of ${total} records imported`),
      };
      const { added, kept, leftOut } = await take(call, resolve(project.cwd, file), into).finally(progress.close);
      await project.emit({ kind: 'import-finished', added, kept });
      const reasons = Object.entries(leftOut).map(([reason, count]) => ({ reason, count }));
      if (call.has('json')) call.out.json({ added, kept, left_out: reasons });
      else {
        call.out.print(`${added} record(s) added, ${kept} were there already.`);
        for (const { reason, count } of reasons) call.out.print(`${count} left out: ${reason}.`);
      }
      return 0;
    }),
};

async function take(call: Call, path: string, into: ImportInto): ReturnType<typeof importLines> {
  if (call.args[0] === '-') return importLines((await call.input()) ?? '', into);
  const isStore = isSqlite(path, into.where);
  return isStore ? importStoreFile(path, into) : importLines(pieces(path, into.where), into);
}

const MAGIC = 'SQLite format 3\0';

/** A pipe or device is refused: waiting for one has no end. */
function isSqlite(path: string, name: string): boolean {
  const opened = openInside(path);
  if (opened.kind !== 'open') throw unreadable(name, opened);
  try {
    const start = Buffer.alloc(MAGIC.length);
    readSync(opened.descriptor, start, 0, start.length, 0);
    return start.toString('latin1') === MAGIC;
  } catch (error) {
    throw unreadable(name, error);
  } finally {
    closeSync(opened.descriptor);
  }
}

async function* pieces(path: string, name: string): AsyncIterable<string> {
  const opened = openInside(path);
  if (opened.kind !== 'open') throw unreadable(name, opened);
  try {
    const options = { fd: opened.descriptor, encoding: 'utf8', highWaterMark: 1024 * 1024 } as const;
    for await (const piece of createReadStream(path, options)) yield piece as string;
  } catch (error) {
    throw unreadable(name, error);
  }
}

function unreadable(name: string, cause: unknown): ForewordError {
  return new ForewordError('bad-input', `${name} cannot be read.`, {
    hint: 'Give a file that foreword export wrote, or a store file.',
    cause,
  });
}
