// Document: the value of a file a person wrote, with its name and lines, ready to be checked. In EDN files keys are
// commonly written max-files; they are read as max_files, so that one schema serves all formats.

import type { Fault } from '../../kernel/errors.ts';
import { type Format, type Lines, type Path, readText } from '../../system/formats/index.ts';

export interface Document extends Lines {
  readonly value: unknown;
  /** The file as the person knows it. */
  readonly where: string;
}

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly Fault[] };

export function openDocument(format: Format, text: string, where: string): Checked<Document> {
  const parsed = readText(format, text);
  if (!parsed.ok) {
    const line = parsed.line === undefined ? {} : { line: parsed.line };
    return { ok: false, faults: [{ where, ...line, path: '', message: parsed.message }] };
  }
  const { value, lineOf, keyLineOf } = parsed;
  if (format !== 'edn') return { ok: true, value: { where, value, lineOf, keyLineOf } };
  return {
    ok: true,
    value: {
      where,
      value: withSnakeKeys(value),
      lineOf: (path) => lineOf(asWritten(value, path)),
      keyLineOf: (path) => keyLineOf(asWritten(value, path)),
    },
  };
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `tasks[2].priority`, the way people write it. */
export function pathText(path: Path): string {
  let text = '';
  for (const step of path)
    if (typeof step === 'number') text += `[${step}]`;
    else if (/^[\w$-]+$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step.length > 2000 ? `${step.slice(0, 2000)}…` : step)}]`;
  return text;
}

const KEBAB = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/;

/** A key that is written both ways stays as it is and is found as an unknown one. */
function withSnakeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSnakeKeys);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [snakeKey(value, key), withSnakeKeys(item)]));
}

function snakeKey(map: object, key: string): string {
  const snake = KEBAB.test(key) ? key.replaceAll('-', '_') : key;
  return Object.hasOwn(map, snake) ? key : snake;
}

function asWritten(root: unknown, path: Path): Path {
  let value = root;
  return path.map((step) => {
    const kebab = String(step).replaceAll('_', '-');
    const key = isMap(value) && !Object.hasOwn(value, step) && Object.hasOwn(value, kebab) ? kebab : step;
    value = typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[key] : undefined;
    return key;
  });
}
