// The last thing in an agent's output that a person can read: a line of text, the last message, or the tool that it uses now with
// what it uses it on. Looks at the end of the output only. Never fails: what is cut or unknown is passed over.

import type { OutputSpec } from '../../kernel/agent.ts';
import { oneLine } from '../../kernel/safe-text.ts';
import { fits, textAt } from './read-output.ts';

const MOST_LINES = 200;
/** A longer line is the result of a tool, or a file. */
const MOST_CHARS = 64 * 1024;
const MOST_SHOWN = 300;

/** Safe and on one line; `undefined` when nothing in it can be read. `output` is absent for an agent that is not known. */
export function lastReadable(output: OutputSpec | undefined, tail: string): string | undefined {
  const lines = tail.split('\n').slice(-MOST_LINES);
  let pieces = '';
  for (const line of lines.reverse()) {
    const found = line.length > MOST_CHARS ? undefined : readable(output, line);
    if (found === undefined) continue;
    if (found.isPiece !== true && pieces !== '') break;
    if (found.isPiece !== true) return shown(found.text);
    pieces = found.text + pieces;
    // The line that is being written is whole from its beginning.
    if (shown(pieces) !== undefined && pieces.trimEnd().includes('\n')) break;
  }
  return shown(pieces);
}

interface Readable {
  readonly text: string;
  readonly isPiece?: boolean;
}

function readable(output: OutputSpec | undefined, line: string): Readable | undefined {
  const text = line.replace(CONTROLS, '').trim().split('\r').at(-1)?.trim() ?? '';
  if (text === '' || output?.format === 'text') return text === '' ? undefined : { text };
  const value = text.startsWith('{') ? parsed(text) : undefined;
  // A part of a document, or the end of a line whose beginning is gone.
  if (value === undefined) return /^["'{}[\]]|["}\]],?$/.test(text) || LOGGED.test(text) ? undefined : { text };
  for (const rule of output?.rules ?? []) {
    const answer = rule.answer === undefined || !fits(rule, value) ? '' : textAt(value, rule.answer);
    if (answer !== '') return { text: answer, isPiece: rule.isPiece === true };
  }
  const part = partOf(value, MOST_DEPTH);
  return part === undefined ? undefined : { text: part };
}

/** A line of the program's own log. Codex in a box begins with one that reports an error of no consequence (0.166.0). */
const LOGGED = /^\d{4}-\d\d-\d\dT[\d:.]+Z? +(?:TRACE|DEBUG|INFO|WARN|ERROR) /;

/** Colours and other sequences for terminals: the text without them is what the person would have seen. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose
const CONTROLS = /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)/g;

/** The last line of it that is not blank. */
function shown(text: string): string | undefined {
  const line = text.trimEnd().split('\n').at(-1) ?? '';
  const safe = oneLine(line.slice(0, MOST_CHARS), MOST_SHOWN);
  return safe === '' ? undefined : safe;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Cut, or not JSON.
  }
}

const MOST_DEPTH = 6;
/** What the model or a tool read, not what the agent does. */
const NOT_SHOWN =
  /^(user|tool_result|tool_response|function_call_output|system|init|session|result|reasoning_delta)$|^user\./;
const INNER = ['message', 'item', 'part', 'data', 'tool_call', 'toolCall', 'assistantMessageEvent', 'content', 'error'];
const TOOL_NAMES = ['tool_name', 'toolName', 'tool', 'name'];
const TOOL_INPUTS = ['input', 'parameters', 'args', 'arguments', 'params', 'state', 'tool_input'];
const TOOL_SUBJECTS = [
  'command',
  'cmd',
  'file_path',
  'filePath',
  'path',
  'pattern',
  'query',
  'url',
  'description',
  'title',
];

function partOf(value: unknown, depth: number): string | undefined {
  if (depth === 0) return undefined;
  if (Array.isArray(value)) return partOf(value.at(-1), depth - 1);
  if (typeof value !== 'object' || value === null) return undefined;
  const record = value as Readonly<Record<string, unknown>>;
  if ([record.type, record.role].some((kind) => typeof kind === 'string' && NOT_SHOWN.test(kind))) return undefined;
  return toolText(record) ?? commandText(record) ?? ownText(record) ?? innerText(record, depth);
}

function toolText(record: Readonly<Record<string, unknown>>): string | undefined {
  const name = firstText(record, TOOL_NAMES);
  const input = TOOL_INPUTS.map((key) => record[key]).find((one) => typeof one === 'object' && one !== null);
  if (name === undefined || (input === undefined && !/tool|function/.test(String(record.type)))) return undefined;
  return `${name} ${input === undefined ? '' : (subjectOf(input as object) ?? '')}`.trim();
}

/** Of an input, or of the input in a state. */
function subjectOf(input: object): string | undefined {
  const record = input as Readonly<Record<string, unknown>>;
  const inner = record.input;
  return (
    firstText(record, TOOL_SUBJECTS) ?? (typeof inner === 'object' && inner !== null ? subjectOf(inner) : undefined)
  );
}

function commandText(record: Readonly<Record<string, unknown>>): string | undefined {
  const { command, changes } = record;
  if (typeof command === 'string') return firstLine(command);
  const first: unknown = Array.isArray(changes) ? changes[0] : undefined;
  if (typeof first !== 'object' || first === null || !('path' in first)) return undefined;
  return typeof first.path === 'string' ? `edits ${first.path}` : undefined;
}

function ownText(record: Readonly<Record<string, unknown>>): string | undefined {
  return ['text', 'content', 'message', 'thinking'].map((key) => record[key]).find(isText);
}

function innerText(record: Readonly<Record<string, unknown>>, depth: number): string | undefined {
  for (const key of INNER) {
    const found = partOf(record[key], depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function firstText(record: Readonly<Record<string, unknown>>, keys: readonly string[]): string | undefined {
  const found = keys.map((key) => record[key]).find(isText);
  return found === undefined ? undefined : firstLine(found);
}

function firstLine(text: string): string {
  return text.trimStart().split('\n')[0] ?? '';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
