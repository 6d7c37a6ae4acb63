// Reads an agent's standard output by the rules of its data: the model's answer, and the errors the agent itself
// reports. Never fails: output that is cut, mixed with other lines or not JSON gives what can be found in it.

import type { OutputRule, OutputSpec } from '../../kernel/agent.ts';

export interface OutputError {
  readonly message?: string;
  readonly code?: string;
  readonly status?: number;
  readonly resetsAt?: string | number;
  /** Milliseconds until it tries again. */
  readonly retryMs?: number;
  /** Explains a failure, but is not one by itself. */
  readonly isNotice?: true;
}

interface ReadOutput {
  readonly answer: string;
  /** In the order they came; errors before a later answer are left out. */
  readonly errors: readonly OutputError[];
}

export function readOutput(spec: OutputSpec, stdout: string): ReadOutput {
  if (spec.format === 'text') return { answer: stdout.trim(), errors: [] };
  let answer = '';
  let isInPieces = false;
  let errors: OutputError[] = [];
  for (const value of spec.format === 'json' ? wholeValue(stdout) : lineValues(stdout)) {
    let isPiece = false;
    for (const rule of spec.rules) {
      if (!fits(rule, value)) continue;
      const text = rule.answer === undefined ? '' : textAt(value, rule.answer);
      if (text !== '') {
        answer = rule.isPiece && isInPieces ? answer + text : text;
        isPiece = rule.isPiece === true;
        errors = errors.filter((error) => error.isNotice);
      }
      if (rule.error !== undefined) errors.push(errorIn(value, rule.error));
    }
    isInPieces = isPiece;
  }
  return { answer: answer.trim(), errors };
}

/** One value, or the parts of a list; text around it is tolerated. */
function wholeValue(stdout: string): readonly unknown[] {
  const start = stdout.search(/[[{]/);
  const end = Math.max(stdout.lastIndexOf('}'), stdout.lastIndexOf(']'));
  const value = parse(stdout) ?? (start === -1 ? undefined : parse(stdout.slice(start, end + 1)));
  return Array.isArray(value) ? value : [value];
}

export function* lineValues(stdout: string): Generator<unknown> {
  for (const line of stdout.split('\n')) {
    const value = line.includes('{') ? parse(line.slice(line.indexOf('{'))) : undefined;
    if (value !== undefined) yield value;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON: a line of something else, or one that was cut.
  }
}

export function fits(rule: Pick<OutputRule, 'when'>, value: unknown): boolean {
  return Object.entries(rule.when).every(([path, wanted]) => {
    const found = valuesAt(value, path);
    return wanted === '*' ? found.some((one) => one !== null) : found.includes(wanted);
  });
}

function errorIn(value: unknown, parts: NonNullable<OutputRule['error']>): OutputError {
  const message = parts.message === undefined ? '' : textAt(value, parts.message);
  const code = parts.code === undefined ? '' : textAt(value, parts.code);
  const status = parts.status === undefined ? undefined : numberAt(value, parts.status);
  const resetsAt = parts.resetsAt === undefined ? undefined : scalarAt(value, parts.resetsAt);
  const retryMs = parts.retryMs === undefined ? undefined : scalarAt(value, parts.retryMs);
  return {
    ...(message === '' ? {} : { message }),
    ...(code === '' ? {} : { code }),
    ...(status === undefined ? {} : { status }),
    ...(resetsAt === undefined ? {} : { resetsAt }),
    ...(typeof retryMs === 'number' ? { retryMs } : {}),
    ...(parts.isNotice ? { isNotice: true } : {}),
  };
}

export function textAt(value: unknown, path: string): string {
  return valuesAt(value, path)
    .map((one) => (typeof one === 'string' ? one : typeof one === 'number' ? String(one) : ''))
    .join('');
}

function numberAt(value: unknown, path: string): number | undefined {
  const found = scalarAt(value, path);
  const number = typeof found === 'string' && /^\d{3}$/.test(found) ? Number(found) : found;
  return typeof number === 'number' ? number : undefined;
}

function scalarAt(value: unknown, path: string): string | number | undefined {
  return valuesAt(value, path).find((one) => typeof one === 'string' || typeof one === 'number') as
    | string
    | number
    | undefined;
}

/** Everything the path leads to; several only through `[]`. */
function valuesAt(value: unknown, path: string): readonly unknown[] {
  let found: readonly unknown[] = [value];
  for (const step of path.split('.')) {
    const isList = step.endsWith('[]');
    const key = isList ? step.slice(0, -2) : step;
    found = found.flatMap((one) => {
      if (typeof one !== 'object' || one === null || !Object.hasOwn(one, key)) return [];
      const inner: unknown = (one as Readonly<Record<string, unknown>>)[key];
      return isList ? (Array.isArray(inner) ? inner : []) : [inner];
    });
  }
  return found;
}
