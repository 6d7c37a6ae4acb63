// The wording of the three hand-over blocks (design 001), their settings and what they are made from. Used through
// handover.ts; handover-block.ts bounds them.
// Inputs come from records that may be old, imported or damaged: whatever is missing or of a wrong type is left out,
// and nothing here throws.

import type { HandoverType } from '../../kernel/events.ts';
import { HANDOVER_LIMITS as LIMITS } from '../../kernel/handover-limits.ts';
import { type Block, cleanValue, type Part, renderBlock, renderFiles, textsOf } from '../handover/handover-block.ts';

export interface HandoverSettings {
  readonly enabled: boolean;
  /** 4 to 10, delimiters counted. */
  readonly maxLines: number;
  readonly types: readonly HandoverType[];
  /** Attempts named to the helper agent. */
  readonly helperMaxAttempts: number;
  /** Paths named in a line. */
  readonly maxFiles: number;
}

export const DEFAULT_HANDOVER_SETTINGS: HandoverSettings = {
  enabled: true,
  maxLines: 10,
  types: ['circuit_breaker', 'retry', 'helper'],
  helperMaxAttempts: 2,
  maxFiles: 3,
};

type Maybe<T> = T | null | undefined;

/** The part of an attempt's record that hand-overs read. */
export interface PreviousAttempt {
  readonly attemptNumber?: Maybe<number>;
  readonly files_created?: Maybe<readonly string[]>;
  readonly files_updated?: Maybe<readonly string[]>;
  readonly status?: Maybe<string>;
  readonly validationErrors?: Maybe<readonly string[]>;
}

export interface CircuitBreakerContextInput {
  readonly failedProvider?: Maybe<string>;
  readonly failureReason?: Maybe<string>;
  readonly previousAttempt?: Maybe<PreviousAttempt>;
  /** The switch is a retry as well: up to three errors are named instead of the first. */
  readonly alsoRetry?: Maybe<boolean>;
  readonly taskLoopDetected?: Maybe<boolean>;
}

export interface RetryContextInput {
  /** The number of the attempt to come. */
  readonly attemptNumber?: Maybe<number>;
  readonly previousValidationErrors?: Maybe<readonly string[]>;
  readonly previousFiles?: Maybe<{
    readonly created?: Maybe<readonly string[]>;
    readonly updated?: Maybe<readonly string[]>;
  }>;
  readonly taskLoopDetected?: Maybe<boolean>;
  /** The attempt before was cut off. */
  readonly endedEarly?: Maybe<{ readonly attempt?: Maybe<number>; readonly exitReason?: Maybe<string> }>;
}

export interface HelperAgentContextInput {
  /** The number of the attempt under review. */
  readonly attemptNumber?: Maybe<number>;
  /** Oldest first. Those without a number of their own are counted from 1. */
  readonly previousAttempts?: Maybe<readonly Maybe<PreviousAttempt>[]>;
  readonly taskLoopDetected?: Maybe<boolean>;
}

/** Settings with defaults for what is absent or no number, and numbers brought into the range they may have: the
 *  configuration refuses wrong ones, and a caller of the library must not get a block without its end. */
export function completeSettings(settings: Maybe<Partial<HandoverSettings>>): HandoverSettings {
  const given = { ...DEFAULT_HANDOVER_SETTINGS, ...settings };
  return {
    enabled: given.enabled !== false,
    maxLines: within(given.maxLines, { ...LIMITS.maxLines, otherwise: DEFAULT_HANDOVER_SETTINGS.maxLines }),
    types: Array.isArray(given.types) ? given.types : DEFAULT_HANDOVER_SETTINGS.types,
    // A program may leave attempts and files out altogether.
    helperMaxAttempts: within(given.helperMaxAttempts, {
      min: 0,
      max: LIMITS.helperMaxAttempts.max,
      otherwise: DEFAULT_HANDOVER_SETTINGS.helperMaxAttempts,
    }),
    maxFiles: within(given.maxFiles, {
      min: 0,
      max: LIMITS.maxFiles.max,
      otherwise: DEFAULT_HANDOVER_SETTINGS.maxFiles,
    }),
  };
}

const NOTHING: Block = { text: '', dropped: [] };
/** Kept first: the instruction, then who and why, errors (2 and following), the loop, files. */
const RANK = { instruction: 0, who: 1, errors: 2, loop: 12, created: 13, modified: 14 };
const MAX_NAME = 40;
const MAX_REASON = 80;
const MAX_ERRORS = 3;
/** One error may be long; of three, each leaves room for the files. */
const MAX_ERROR = [160, 160, 140, 120];

export function circuitBreakerBlock(input: CircuitBreakerContextInput, settings: HandoverSettings): Block {
  if (!isDue('circuit_breaker', settings)) return NOTHING;
  const agent = cleanValue(input?.failedProvider, MAX_NAME);
  const reason = cleanValue(input?.failureReason, MAX_REASON);
  const created = textsOf(input?.previousAttempt?.files_created);
  const updated = textsOf(input?.previousAttempt?.files_updated);
  const errors = cleanErrors(input?.previousAttempt?.validationErrors, input?.alsoRetry === true ? MAX_ERRORS : 1);
  if (agent === '' && reason === '' && created.length + updated.length + errors.length === 0) return NOTHING;

  const who = `Previous provider${agent === '' ? '' : ` (${agent})`} failed${reason === '' ? '' : `: ${reason}`}`;
  const left = agent === '' ? 'the previous provider' : agent;
  return renderBlock(
    'PROVIDER SWITCH CONTEXT',
    [
      fixedPart('who', RANK.who, who),
      ...filesPart('created files', RANK.created, { label: 'Previous attempt created: ', files: created, settings }),
      ...filesPart('modified files', RANK.modified, { label: 'Previous attempt modified: ', files: updated, settings }),
      ...errors.map((error, index) => errorPart(index, { before: 'Validation error: "', error, after: '"' })),
      ...loopPart(input?.taskLoopDetected),
      fixedPart(
        'instruction',
        RANK.instruction,
        `Continue from where ${left} left off. Avoid recreating existing files.`,
      ),
    ],
    settings.maxLines,
  );
}

export function retryBlock(input: RetryContextInput, settings: HandoverSettings): Block {
  if (!isDue('retry', settings)) return NOTHING;
  const early = earlyEnd(input?.endedEarly);
  const errors = [...early, ...cleanErrors(input?.previousValidationErrors, MAX_ERRORS - early.length)];
  const created = textsOf(input?.previousFiles?.created);
  const updated = textsOf(input?.previousFiles?.updated);
  const isLoop = input?.taskLoopDetected === true;
  if (errors.length + created.length + updated.length === 0 && !isLoop) return NOTHING;

  const number = asNumber(input?.attemptNumber);
  // With room for one line only, the error says more than its heading.
  const afterFirstError = RANK.errors + 0.5;
  return renderBlock(
    'RETRY CONTEXT',
    [
      fixedPart(
        'who',
        afterFirstError,
        `${number === undefined ? '' : `Attempt #${number} - `}Previous validation failures:`,
      ),
      ...errors.map((error, index) => errorPart(index, { before: '- ', error, after: '' })),
      ...filesPart('created files', RANK.created, { label: 'Already created: ', files: created, settings }),
      ...filesPart('modified files', RANK.modified, { label: 'Already modified: ', files: updated, settings }),
      ...loopPart(isLoop),
      fixedPart('instruction', RANK.instruction, 'Focus on fixing validation failures listed above.'),
    ],
    settings.maxLines,
  );
}

export function helperBlock(input: HelperAgentContextInput, settings: HandoverSettings): Block {
  if (!isDue('helper', settings)) return NOTHING;
  const given: readonly unknown[] = Array.isArray(input?.previousAttempts) ? input.previousAttempts : [];
  const first = Math.max(0, given.length - settings.helperMaxAttempts);
  const shown = given.slice(first).flatMap((each, index) => {
    return isRecord(each) ? [{ attempt: each as PreviousAttempt, position: first + index + 1 }] : [];
  });
  if (!given.some(isRecord)) return NOTHING;

  const number = asNumber(input?.attemptNumber) ?? given.length + 1;
  return renderBlock(
    'HELPER AGENT CONTEXT',
    [
      fixedPart('who', RANK.who, `Attempt #${number} (${number - 1} previous retries) - validation failed`),
      ...shown.flatMap((each, index) => {
        return attemptPart(each, { rank: RANK.errors + shown.length - index, maxFiles: settings.maxFiles });
      }),
      ...loopPart(input?.taskLoopDetected),
      fixedPart('instruction', RANK.instruction, 'Generate commands to verify ALL failed criteria from ALL attempts.'),
    ],
    settings.maxLines,
  );
}

function isDue(type: HandoverType, settings: HandoverSettings): boolean {
  return settings.enabled && settings.types.includes(type);
}

function fixedPart(name: string, rank: number, line: string): Part {
  return { name, rank, render: () => line };
}

function errorPart(index: number, line: { before: string; error: string; after: string }): Part {
  const frame = line.before.length + line.after.length;
  return {
    name: `error ${index + 1}`,
    rank: RANK.errors + index,
    render: (max) => (max < frame + 24 ? '' : line.before + oneError(line.error, max - frame) + line.after),
  };
}

function oneError(error: string, max: number): string {
  return error.length <= max ? error : cleanValue(error, max);
}

function filesPart(
  name: string,
  rank: number,
  line: { label: string; files: readonly string[]; settings: HandoverSettings },
): Part[] {
  const { label, files, settings } = line;
  if (files.length === 0 || settings.maxFiles === 0) return [];
  const render = (max: number) => {
    const list = renderFiles(files, { maxFiles: settings.maxFiles, max: max - label.length });
    return list === '' ? '' : label + list;
  };
  return [{ name, rank, render }];
}

function loopPart(isLoop: Maybe<boolean>): Part[] {
  if (isLoop !== true) return [];
  return [fixedPart('loop warning', RANK.loop, 'Task appears stuck in validation loop - try different approach')];
}

/** `Attempt 2 touched: a.ts - error: "…"`, with either half alone where the other is not known. */
function attemptPart(
  { attempt, position }: { attempt: PreviousAttempt; position: number },
  { rank, maxFiles }: { rank: number; maxFiles: number },
): Part[] {
  const number = asNumber(attempt.attemptNumber) ?? position;
  const files = [...textsOf(attempt.files_created), ...textsOf(attempt.files_updated)];
  const [error] = cleanErrors(attempt.validationErrors, 1);
  if (files.length === 0 && error === undefined) return [];
  const render = (room: number) => {
    const max = Math.min(room, MAX_ATTEMPT);
    const start = `Attempt ${number}`;
    const end = error === undefined ? '' : ` - error: "${oneError(error, Math.floor(max / 2))}"`;
    const label = ' touched: ';
    const list = renderFiles(files, { maxFiles, max: max - start.length - label.length - end.length });
    return list === '' && end === '' ? '' : start + (list === '' ? '' : label + list) + end;
  };
  return [{ name: `attempt ${number}`, rank, render }];
}

const MAX_ATTEMPT = 280;

/** The first `count` different errors, each as one short line. */
function cleanErrors(value: unknown, count: number): readonly string[] {
  const lines = new Set<string>();
  for (const text of textsOf(value)) {
    if (lines.size >= count) break;
    lines.add(cleanValue(text, MAX_ERROR[count] ?? 120));
  }
  lines.delete('');
  return [...lines];
}

function earlyEnd(value: unknown): string[] {
  if (!isRecord(value)) return [];
  const reason = cleanValue(value.exitReason, MAX_REASON);
  if (reason === '') return [];
  const number = asNumber(value.attempt);
  return [`attempt${number === undefined ? '' : ` ${number}`} ended early: ${reason}`];
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function within(value: unknown, range: { min: number; max: number; otherwise: number }): number {
  if (typeof value !== 'number' || Number.isNaN(value)) return range.otherwise;
  return Math.min(range.max, Math.max(range.min, Math.floor(value)));
}
