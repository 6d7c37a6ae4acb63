// One stream of a program without secrets, chunk by chunk, before it goes anywhere: into memory, a log, a message.

import type { RedactionStream } from '../../kernel/redact-stream.ts';

export interface CleanOutput {
  /** What may be kept of the stream so far; empty while there may be a secret in it. */
  push(chunk: Buffer): Buffer;
  /** What was held back. */
  end(): Buffer;
}

/** Bytes that are not UTF-8 become U+FFFD, where secrets are removed; a byte order mark stays. Without `redaction` all
 *  bytes go through as they are. */
export function cleanOutput(redaction: RedactionStream | undefined): CleanOutput {
  if (redaction === undefined) return { push: (chunk) => chunk, end: () => Buffer.alloc(0) };
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return {
    push: (chunk) => Buffer.from(redaction.push(decoder.decode(chunk, { stream: true }))),
    end: () => Buffer.from(redaction.push(decoder.decode()) + redaction.end()),
  };
}
