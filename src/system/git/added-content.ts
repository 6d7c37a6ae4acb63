// What one tree adds to another, as text to search in: of every file, binary ones too, and in pieces, so that a large file does not
// have to be in memory. What is packed inside of a file (compressed, encrypted) is not unpacked.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ForewordError } from '../../kernel/errors.ts';
import { type AddedLine, addedLines } from './added-lines.ts';
import { gitEnvironment } from './environment.ts';
import { asId } from './object-id.ts';
import type { OwnRepository } from './own-repository.ts';

export interface AddedPiece {
  readonly path: string;
  /** The same bytes as text, in each way in which a text may stand in them. */
  readonly readings: readonly string[];
}

const PIECE = 1024 * 1024;
/** Said twice, at the end of a piece and at the beginning of the next one: longer than any key. */
const OVERLAP = 64 * 1024;
const TIME_LIMIT_MS = 1_800_000;

/** `--text`: else git only says that binary files differ. */
const DIFF = '-c core.quotePath=false diff-tree -r -p -M -U0 --text --no-ext-diff --no-textconv --color=never'.split(
  ' ',
);

/** Throws `bad-input` when git fails. */
export async function* addedContent(
  own: OwnRepository,
  [before, after]: readonly [string, string],
): AsyncGenerator<AddedPiece> {
  const child = spawn(own.program, [...DIFF, asId(before), asId(after), '--'], {
    cwd: own.directory,
    env: { ...gitEnvironment(join(own.directory, 'nowhere')), GIT_DIR: own.directory },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIME_LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  let printed = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    printed = `${printed}${part}`.slice(-300);
  });
  const end = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  end.catch(() => undefined);
  try {
    const read = addedLines();
    const pieces = collect();
    for await (const part of child.stdout) for (const added of read(part as Buffer)) yield* pieces.add(added);
    yield* pieces.end();
    if ((await end) === 0) return;
    const reason = printed.trim().replace(/\s+/g, ' ') || 'no reason given';
    throw new ForewordError('bad-input', `"git diff-tree" failed: ${reason}.`, {});
  } finally {
    child.kill('SIGKILL');
  }
}

/** Lines of one file until there are enough of them. */
function collect() {
  let path = '';
  let [parts, size, isNew]: [Buffer[], number, boolean] = [[], 0, false];
  const take = (keep: number): AddedPiece[] => {
    const bytes = Buffer.concat(parts);
    const wasNew = isNew;
    parts = [bytes.subarray(bytes.length - Math.min(keep, bytes.length))];
    [size, isNew] = [parts[0]?.length ?? 0, false];
    return wasNew ? [{ path, readings: readings(bytes) }] : [];
  };
  return {
    add: (added: AddedLine): AddedPiece[] => {
      const last = added.path === path ? [] : take(0);
      path = added.path;
      parts.push(added.bytes);
      [size, isNew] = [size + added.bytes.length, true];
      return size < PIECE ? last : [...last, ...take(OVERLAP)];
    },
    end: () => take(0),
  };
}

/** What no text has, and what cannot be read as one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: leaving them out is the purpose
const NO_TEXT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\ufffd]+/g;

/** Bytes with NUL are no text in UTF-8. They may have some in them, or be text in UTF-16, of which every second byte is NUL; without
 *  those it is Latin-1. */
function readings(bytes: Buffer): readonly string[] {
  if (!bytes.includes(0)) return [bytes.toString('utf8')];
  const clean = (text: string) => text.replace(NO_TEXT, ' ');
  return [clean(bytes.toString('utf8')), clean(bytes.toString('latin1').replaceAll('\0', ''))];
}
