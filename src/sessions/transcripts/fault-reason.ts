// Why a turn got no answer, from what the agent wrote down about it: a few words for a person. Pure.

import { parseIsoTime } from '../../kernel/iso-time.ts';
import { oneLine } from '../../kernel/safe-text.ts';
import type { TranscriptText } from '../../kernel/transcript.ts';
import { readResetTime } from '../../runs/agent-output/reset-time.ts';

const MOST_CHARACTERS = 80;

/** What agents and the libraries in them write, whatever the model is. The first that fits counts. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  // pi 0.87, Gemini CLI 0.61, Claude Code 2.1, Codex 0.166.
  [/^(?:operation aborted|request cancelled\.|\[request interrupted by user\]|interrupted)$/i, 'the person stopped it'],
  [
    /ECONNREFUSED|connection refused|connection error|unable to connect|failed to connect/i,
    'model not reached: connection refused',
  ],
  [/ENOTFOUND|EAI_AGAIN|could not resolve|dns error/i, 'model not reached: name not found'],
  [/ETIMEDOUT|timed? ?out/i, 'model not reached: no answer in time'],
  [
    /ECONNRESET|connection .*lost|terminated|disconnected|premature close|socket hang ?up|aborted/i,
    'the answer broke off',
  ],
  [/fetch failed|network error/i, 'model not reached: network error'],
  // Codex 0.166 writes the first for a status of 500.
  [/high demand|overloaded|server.?side|temporarily unavailable/i, 'model failed'],
  [/no response was returned|empty response|no visible output/i, 'the answer was empty'],
];

export function faultReason({ text, status, at }: Pick<TranscriptText, 'text' | 'status' | 'at'>): string {
  const code = status ?? statusIn(text);
  if (code === 429 || LIMIT.test(text)) return limitReason(text, at);
  if (code === 401 || code === 403) return `refused: ${code}`;
  if (code !== undefined && code >= 500) return `model failed: ${code}`;
  const known = KNOWN.find(([pattern]) => pattern.test(text))?.[1];
  if (known !== undefined) return known;
  if (code !== undefined) return `refused: ${code}`;
  const said = oneLine(text, MOST_CHARACTERS);
  return said === '' ? 'no answer of the model' : `no answer of the model: ${said}`;
}

const LIMIT = /usage limit|rate.?limit|quota|too many requests|resource.?exhausted/i;

/** In the time zone of nobody in particular: as the log has its own times. */
function limitReason(text: string, at: string | undefined): string {
  const until = resetOf({ text, at });
  return until === undefined ? 'limit' : `limit until ${new Date(until).toISOString().slice(11, 16)} UTC`;
}

/** When a limit is over, as the agent wrote it; `undefined` when it does not say. */
export function resetOf({ text, at }: { readonly text: string; readonly at?: string | undefined }): number | undefined {
  return at === undefined ? undefined : readResetTime(text, timeOf(at));
}

function timeOf(at: string): number {
  return /^\d+$/.test(at) ? Number(at) : (parseIsoTime(at) ?? 0);
}

/** A number that stands where agents put the status. */
function statusIn(text: string): number | undefined {
  const found = /(?:^|status:?|code"?:|error:?|HTTP|\()\s*([45]\d\d)\b/i.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
