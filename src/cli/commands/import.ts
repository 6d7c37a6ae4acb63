import { closeSync, createReadStream, readSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Project } from '../../app/project.ts';
import { type ImportInto, importLines, importStoreFile, importWork } from '../../app/transfer.ts';
import { ForewordError } from '../../kernel/errors.ts';
import type { RunRecord } from '../../kernel/run.ts';
import { shellWord } from '../../kernel/shell-word.ts';
import { openInside } from '../../system/files/open-inside.ts';
import { isTarHead, TAR_HEAD } from '../../system/files/tar.ts';
import type { Call, Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { openProgress } from '../progress.ts';

export const importRecords: Command = {
  name: 'import',
  summary: 'Add what foreword export printed or wrote, or the records of an old store file, to the store',
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
    {
      line: 'foreword import work.tar',
      does: 'takes over the runs that foreword export --work wrote; foreword run goes on with them',
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
      const path = resolve(project.cwd, file);
      const taken = await take(call, { path, project }, into).finally(progress.close);
      const { added, kept, leftOut, runs } = taken;
      await project.emit({ kind: 'import-finished', added, kept });
      const reasons = Object.entries(leftOut).map(([reason, count]) => ({ reason, count }));
      const goOn = runs.map(({ id, taskFile }) => ({ run: id, tasks: taskFile }));
      if (call.has('json')) call.out.json({ added, kept, left_out: reasons, runs: goOn });
      else {
        call.out.print(`${added} record(s) added, ${kept} were there already.`);
        for (const { reason, count } of reasons) call.out.print(`${count} left out: ${reason}.`);
        for (const { run, tasks } of goOn) call.out.print(`Run ${run} goes on with: foreword run ${shellWord(tasks)}`);
      }
      return 0;
    }),
};

type Taken = Awaited<ReturnType<typeof importLines>> & { readonly runs: readonly RunRecord[] };

async function take(
  call: Call,
  { path, project }: { readonly path: string; readonly project: Project },
  into: ImportInto,
): Promise<Taken> {
  if (call.args[0] === '-') return { ...(await importLines((await call.input()) ?? '', into)), runs: [] };
  const head = headOf(path, into.where);
  if (isTarHead(head)) return importWork(project, path, into);
  const isStore = head.toString('latin1', 0, MAGIC.length) === MAGIC;
  const done = isStore ? await importStoreFile(path, into) : await importLines(pieces(path, into.where), into);
  return { ...done, runs: [] };
}

const MAGIC = 'SQLite format 3\0';

/** A pipe or device is refused: waiting for one has no end. */
function headOf(path: string, name: string): Buffer {
  const opened = openInside(path);
  if (opened.kind !== 'open') throw unreadable(name, opened);
  try {
    const head = Buffer.alloc(TAR_HEAD);
    return head.subarray(0, readSync(opened.descriptor, head, 0, head.length, 0));
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
