// Writes a page to the file that a person named.

import { ForewordError } from '../kernel/errors.ts';
import { replaceFile } from '../system/files/atomic.ts';

/** The page is redacted already: it leaves the terminal's own redactor behind. */
export function writePage(path: string, page: string): void {
  try {
    replaceFile(path, page);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ForewordError('bad-usage', `The page could not be written to ${path}: ${reason}.`, {
      hint: 'Name a file in a folder that you may write to.',
    });
  }
}
