// A file that only foreword writes, such as a plug-in. Its first line holds the hash of the rest. So a file that was changed
// by hand is recognised without any record, and is never replaced or deleted.

import { createHash } from 'node:crypto';
import type { Misplaced, Owned } from './edited.ts';

const FIRST = /^\/\/ Made by foreword init, sha256 ([0-9a-f]{64})\. /;

/** Source text of a language with `//` comments. */
export function signed(rest: string): string {
  const line = `// Made by foreword init, sha256 ${hashOf(rest)}. foreword uninstall deletes it.\n`;
  return line + rest;
}

export function ownFile(text: string): Owned {
  const hash = FIRST.exec(text)?.[1];
  if (hash === undefined) return { ok: true, parts: [] };
  const rest = text.slice(text.indexOf('\n') + 1);
  if (hashOf(rest) !== hash) return changed();
  return { ok: true, parts: [{ event: 'plug-in', command: '', value: text }] };
}

function changed(): Misplaced {
  return {
    ok: false,
    message:
      'the file was changed by hand after foreword wrote it; move your change to another file and delete this one',
  };
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
