// What an agent left for the next session with a command of its own, read as far as it goes: nothing it wrote is lost. JSON that
// is wrong in part keeps the rest, and what cannot be read is kept as the text it is.

import { type ContinuityInput, parseContinuity } from '../config/schemas/continuity.ts';
import type { Continuity } from '../kernel/continuity.ts';
import { EMPTY } from './continuity.ts';

export interface AgentContinuity {
  readonly continuity: ContinuityInput & Pick<Continuity, 'tree'>;
  /** What was kept as text, and why; empty when all was understood. */
  readonly kept: readonly string[];
}

/** `mark` names the working tree. */
export function readAgentContinuity(text: string, mark: Pick<Continuity, 'tree'> = {}): AgentContinuity {
  const { continuity, kept } = readWords(text.trim());
  return { continuity: { ...continuity, ...mark }, kept };
}

function readWords(whole: string): AgentContinuity {
  if (!whole.startsWith('{')) return { continuity: { ...EMPTY, summary: whole }, kept: [] };
  const map = [whole, unwrapped(whole)].map(mapIn).find((found) => found !== undefined);
  if (map === undefined)
    return { continuity: { ...EMPTY, summary: whole }, kept: ['all of it: this is not valid JSON'] };
  return readMap(map);
}

function readMap(map: Readonly<Record<string, unknown>>): AgentContinuity {
  const read = Object.entries(map).map(([name, value]) => {
    const checked = parseContinuity(JSON.stringify({ [name]: value }), name);
    return { name, value, checked };
  });
  const good = read.flatMap(({ name, checked }) =>
    checked.ok ? [[name, checked.value[name as keyof ContinuityInput]] as const] : [],
  );
  const rest = read.filter(({ checked }) => !checked.ok);
  const continuity: ContinuityInput = { ...EMPTY, ...Object.fromEntries(good) };
  if (rest.length === 0) return { continuity, kept: [] };
  const words = JSON.stringify(Object.fromEntries(rest.map(({ name, value }) => [name, value])));
  const summary = continuity.summary === undefined ? words : `${continuity.summary}\n${words}`;
  return { continuity: { ...continuity, summary }, kept: rest.map(({ name, checked }) => faultOf(name, checked)) };
}

function faultOf(name: string, checked: ReturnType<typeof parseContinuity>): string {
  const [fault] = checked.ok ? [] : checked.faults;
  return `${name}: ${fault?.message ?? 'not understood'}`;
}

function mapIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** A screen cuts a long line at its width, so that all lines but the last have it; an agent cuts it between words. */
function unwrapped(text: string): string {
  const lines = text.split('\n');
  const [first = ''] = lines;
  const isCut = lines.slice(0, -1).every((line) => line.length === first.length);
  return lines.join(isCut ? '' : ' ');
}
