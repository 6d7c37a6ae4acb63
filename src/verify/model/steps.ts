// Steps: the model's next replies. `resolveStep` turns a step into a reply to play, and reads the request only if the step needs
// it. Pure.

import { ForewordError } from '../../kernel/errors.ts';
import { fieldsOf, isFields } from './json.ts';
import type { ToolCall } from './protocol.ts';
import type { RecordedRequest } from './record.ts';
import { askedCode, newestTurn } from './turn.ts';

export type ModelStep =
  | { readonly kind: 'text'; readonly text: string }
  /** The pieces one after the other, each after the delay. */
  | { readonly kind: 'stream'; readonly pieces: readonly string[]; readonly delayMs: number }
  /** Nothing at all for a while, not even the status; then the other step, by default the standing one. */
  | { readonly kind: 'slow'; readonly delayMs: number; readonly step?: ModelStep }
  /** Several calls are made at once. */
  | { readonly kind: 'call'; readonly calls: readonly ToolCall[]; readonly text?: string }
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly body?: 'plain' | 'quota';
      readonly retryAfterSeconds?: number;
      /** Replaces the service's own message. */
      readonly message?: string;
    }
  /** The connection is cut after this many pieces. */
  | { readonly kind: 'cut'; readonly pieces: readonly string[]; readonly afterPieces: number }
  /** The reply code, when the newest user text asks for it; else the standing text. */
  | { readonly kind: 'acknowledge' }
  | { readonly kind: 'reply'; readonly reply: (request: RecordedRequest) => ModelStep };

export const STANDING_TEXT = 'Noted.';
/** The reply to a tool's result, so that a turn with a tool ends by itself. */
const AFTER_TOOL_TEXT = 'Done.';

/** A resolved step: no choice is left. */
export type Played =
  | {
      readonly kind: 'answer';
      readonly waitMs: number;
      readonly pieces: readonly string[];
      readonly pieceMs: number;
      readonly calls: readonly ToolCall[];
      readonly cutAfter?: number;
    }
  | {
      readonly kind: 'error';
      readonly waitMs: number;
      readonly status: number;
      readonly isQuota: boolean;
      readonly message: string | undefined;
      readonly retryAfterSeconds: number | undefined;
    };

/** The most nested `reply` and `slow` steps. */
const DEEPEST_STEP = 16;

/** `standing` is what `acknowledge` and `slow` fall back to. A `reply` that throws becomes an error of status 500 with
 *  its message, since the script is wrong and the agent must see a failure. */
export function resolveStep(step: ModelStep, standing: ModelStep, request: RecordedRequest, depth = 0): Played {
  if (depth > DEEPEST_STEP) return scriptFault('the steps never end in a reply');
  const next = (other: ModelStep) => resolveStep(other, standing, request, depth + 1);
  switch (step.kind) {
    case 'text':
      return answer([step.text]);
    case 'stream':
      return { ...answer(step.pieces), pieceMs: milliseconds(step.delayMs) };
    case 'slow': {
      const slowed = next(step.step ?? standing);
      return { ...slowed, waitMs: slowed.waitMs + milliseconds(step.delayMs) };
    }
    case 'call':
      return { ...answer(step.text === undefined ? [] : [step.text]), calls: step.calls };
    case 'error':
      return {
        kind: 'error',
        waitMs: 0,
        status: step.status,
        isQuota: step.body === 'quota',
        message: step.message,
        retryAfterSeconds: step.retryAfterSeconds,
      };
    case 'cut':
      return { ...answer(step.pieces), cutAfter: step.afterPieces };
    case 'acknowledge': {
      const code = askedCode(newestTurn(request.texts));
      if (code !== undefined) return answer([`ACK: context received ${code}`]);
      return standing.kind === 'acknowledge' ? answer([STANDING_TEXT]) : next(standing);
    }
    case 'reply':
      try {
        return next(step.reply(request));
      } catch (error) {
        return scriptFault(error instanceof Error ? error.message : String(error));
      }
    default:
      return scriptFault('there is no such step');
  }
}

/** The reply to a main request when neither the script nor a directive decides it. A result of a tool ends the turn with a
 *  short text, unless the standing step reads requests itself or simulates a service that is down. */
export function standingStep(standing: ModelStep, request: RecordedRequest): ModelStep {
  const turn = newestTurn(request.texts);
  if (!turn.hasToolResult || standing.kind === 'reply' || standing.kind === 'error') return standing;
  if (standing.kind === 'acknowledge' && askedCode(turn) !== undefined) return standing;
  return { kind: 'text', text: AFTER_TOOL_TEXT };
}

function answer(pieces: readonly string[]): Extract<Played, { kind: 'answer' }> {
  return { kind: 'answer', waitMs: 0, pieces, pieceMs: 0, calls: [] };
}

function scriptFault(message: string): Played {
  return {
    kind: 'error',
    waitMs: 0,
    status: 500,
    isQuota: false,
    message: `The script of the loopback model is wrong: ${message}`,
    retryAfterSeconds: undefined,
  };
}

/** Ten minutes at most: no agent waits longer, and a timer beyond 2^31 ms fires at once. */
function milliseconds(value: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(0, value), 600_000) : 0;
}

const SHAPES: Readonly<
  Record<Exclude<ModelStep['kind'], 'reply'>, (value: Readonly<Record<string, unknown>>) => boolean>
> = {
  text: ({ text }) => typeof text === 'string',
  stream: ({ pieces, delayMs }) => isTexts(pieces) && isCount(delayMs),
  slow: ({ delayMs, step }) => isCount(delayMs) && (step === undefined || isStep(step)),
  call: ({ calls, text }) =>
    Array.isArray(calls) &&
    calls.every((call) => typeof fieldsOf(call).name === 'string') &&
    (text === undefined || typeof text === 'string'),
  error: ({ status, body, retryAfterSeconds, message }) =>
    isCount(status) &&
    status >= 400 &&
    status <= 599 &&
    (body === undefined || body === 'plain' || body === 'quota') &&
    (retryAfterSeconds === undefined || isCount(retryAfterSeconds)) &&
    (message === undefined || typeof message === 'string'),
  cut: ({ pieces, afterPieces }) => isTexts(pieces) && isCount(afterPieces),
  acknowledge: () => true,
};

/** A step that came as JSON. A `reply` cannot. */
export function stepFrom(value: unknown): ModelStep {
  if (isStep(value)) return value;
  throw new ForewordError('bad-input', 'The input is not a step of the loopback model.', {
    hint: `A step is an object whose kind is one of ${Object.keys(SHAPES).join(', ')}, with the fields of that kind.`,
  });
}

function isStep(value: unknown): value is ModelStep {
  if (!isFields(value) || typeof value.kind !== 'string' || !Object.hasOwn(SHAPES, value.kind)) return false;
  return SHAPES[value.kind as keyof typeof SHAPES](value);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
