// Directives: a step written into a prompt, so that a person at an agent's screen, or a test that can only type, decides
// the model's reply: `[[say TEXT]]`, `[[stream MS]]`, `[[slow MS]]`, `[[err STATUS]]`, `[[err STATUS quota]]`,
// `[[call TOOL {json}]]`. One prompt may hold several: slow goes with any other, stream with say, calls together.

import { isFields } from './json.ts';
import type { ToolCall } from './protocol.ts';
import type { ModelStep } from './steps.ts';

/** The reply of `[[stream MS]]` without a `[[say …]]`: 24 pieces, long enough to act while it runs. */
const STREAMED = Array.from({ length: 24 }, (_, index) => `word${index} `);

/** More than a person writes into a prompt; further ones are ignored. */
const MOST_DIRECTIVES = 32;

/** A call's JSON may hold `]]` itself; this many candidates for its end are tried. */
const MOST_ENDS = 100;

/** `undefined` when the text holds no directive. A malformed directive is ordinary text. */
export function stepFromDirectives(text: string): ModelStep | undefined {
  let said: string | undefined;
  let streamMs: number | undefined;
  let slowMs: number | undefined;
  let failure: ModelStep | undefined;
  const calls: ToolCall[] = [];
  for (const [word, rest] of directives(text)) {
    if (word === 'say') said = rest;
    else if (word === 'stream') streamMs = numberOf(rest) ?? streamMs;
    else if (word === 'slow') slowMs = numberOf(rest) ?? slowMs;
    else if (word === 'err') failure = errorOf(rest) ?? failure;
    else calls.push(...callsOf(rest));
  }
  const step = failure ?? spoken(said, streamMs, calls);
  if (slowMs === undefined) return step;
  return { kind: 'slow', delayMs: slowMs, ...(step === undefined ? {} : { step }) };
}

function spoken(
  said: string | undefined,
  streamMs: number | undefined,
  calls: readonly ToolCall[],
): ModelStep | undefined {
  if (calls.length > 0) return { kind: 'call', calls, ...(said === undefined ? {} : { text: said }) };
  if (streamMs !== undefined)
    return { kind: 'stream', pieces: said === undefined ? STREAMED : (said.match(/\S+\s*/g) ?? []), delayMs: streamMs };
  return said === undefined ? undefined : { kind: 'text', text: said };
}

/** Word and rest of each directive. A call comes with all the text after it, since only its JSON shows where it ends. */
function* directives(text: string): Generator<[word: string, rest: string]> {
  let count = 0;
  for (let from = text.indexOf('[['); from !== -1; from = text.indexOf('[[', from + 2)) {
    const word = /^(say|stream|slow|err|call) /.exec(text.slice(from + 2, from + 9))?.[1];
    if (word === undefined) continue;
    const start = from + 3 + word.length;
    const end = text.indexOf(']]', start);
    if (end === -1 || ++count > MOST_DIRECTIVES) return;
    yield [word, word === 'call' ? text.slice(start) : text.slice(start, end)];
  }
}

function numberOf(text: string): number | undefined {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : undefined;
}

function errorOf(text: string): ModelStep | undefined {
  const [, status, quota] = /^([45]\d\d)( quota)?$/.exec(text.trim()) ?? [];
  return status === undefined ? undefined : { kind: 'error', status: Number(status), body: quota ? 'quota' : 'plain' };
}

function callsOf(text: string): ToolCall[] {
  const name = /^\S{1,200}/.exec(text)?.[0];
  if (name === undefined) return [];
  let end = text.indexOf(']]', name.length);
  for (let tries = 0; end !== -1 && tries < MOST_ENDS; tries++, end = text.indexOf(']]', end + 1)) {
    const input = inputOf(text.slice(name.length, end));
    if (input !== undefined) return [{ name, input }];
  }
  return [];
}

/** opencode 1.18.33 sends a prompt of its command line in double quotes and escapes those inside. */
function inputOf(text: string): unknown {
  for (const candidate of [text, text.replaceAll('\\"', '"')]) {
    try {
      const value: unknown = JSON.parse(candidate);
      if (isFields(value)) return value;
    } catch {
      // Not the end of the JSON, or not JSON at all: the next candidate is tried.
    }
  }
  return undefined;
}
