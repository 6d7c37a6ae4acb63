// What a hook printed for the model. Pure.

import { DEEPEST, isFields } from '../model/json.ts';
import type { HookRun, XrayHook, XrayRequest } from './recording.ts';

export interface RunText {
  readonly text: string;
  /** As context in JSON, which is always meant for the model; a plain text may be a log. */
  readonly isContext: boolean;
}

/** Keys of a hook's JSON whose texts are for the model. Others are for the person. */
const FOR_THE_MODEL = ['additionalContext', 'reason', 'permissionDecisionReason', 'initialUserMessage'];
/** Why it lets something happen, or asks for it, is shown to the person. */
const NO_OBJECTION: readonly unknown[] = ['approve', 'allow', 'ask'];

/** An exit code of 2 gives the model what stands on standard error. */
export function runTexts({
  stdout,
  stderr,
  exitCode,
}: Pick<HookRun, 'stdout' | 'stderr' | 'exitCode'>): readonly RunText[] {
  const printed = stdout.trim();
  const refused = exitCode === 2 && stderr.trim() !== '' ? [{ text: stderr.trim(), isContext: true }] : [];
  if (printed === '') return refused;
  const json = jsonIn(printed);
  if (json === undefined) return [...refused, { text: printed, isContext: false }];
  return [...refused, ...contextIn(json).map((text) => ({ text: text.trim(), isContext: true }))].filter(
    ({ text }) => text !== '',
  );
}

function jsonIn(text: string): unknown {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function contextIn(value: unknown, depth = 0): readonly string[] {
  if (!isFields(value) || depth > DEEPEST) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (typeof inner !== 'string') return contextIn(inner, depth + 1);
    if (key === 'reason' && NO_OBJECTION.includes(value.decision)) return [];
    if (key === 'permissionDecisionReason' && value.permissionDecision !== 'deny') return [];
    return FOR_THE_MODEL.includes(key) ? [inner] : [];
  });
}

/** By its exit code; 2 means that it objects, which is no failure. */
export function hasFailed({ exitCode }: HookRun): boolean {
  return exitCode !== 0 && exitCode !== 2;
}

/** One without an end is where the agent went on without it, and should have waited: what runs
 *  at the end of a session is ended with it. */
export function isFailed(run: HookRun, hook: XrayHook, requests: readonly XrayRequest[]): boolean {
  if (run.isUnended !== true) return hasFailed(run);
  return hook.isAsync !== true && requests.some(({ moment, at }) => moment !== 'new session' && at > run.at);
}
