// A request as the texts that a model reads: each tool, each block of the instructions and of the conversation. Their characters are the
// characters of the request; ids, marks for the cache and settings of the service are not among them. Pure.

import { type RequestPlace, requestParts } from '../kept-prefix.ts';
import { DEEPEST, fieldsOf, isFields, jsonOf, listOf, textOf } from '../model/json.ts';
import type { XrayRequest } from './recording.ts';

export interface RequestUnit {
  readonly place: Exclude<RequestPlace, 'model'>;
  /** The number of the part of `requestParts` that it stands in. */
  readonly part: number;
  /** `tool`: the result of one. `call`: what the model called. */
  readonly role: 'system' | 'user' | 'assistant' | 'tool' | 'call';
  readonly text: string;
  /** The name of a tool on offer. */
  readonly tool?: string;
}

export function unitsOf({ protocol, body }: Pick<XrayRequest, 'protocol' | 'body'>): readonly RequestUnit[] {
  return requestParts(protocol, body).flatMap(({ place, value, role }, part): RequestUnit[] => {
    if (place === 'model') return [];
    if (place === 'tools') return toolsIn(value, '').map((one) => ({ place, part, role: 'system', ...one }));
    if (place === 'instructions') return textsIn(value).map((text) => ({ place, part, role: 'system', text }));
    return entryTexts(value, roleOf(role)).map((one) => ({ place, part, ...one }));
  });
}

export function lengthOf(units: readonly RequestUnit[]): number {
  return units.reduce((sum, { text }) => sum + text.length, 0);
}

/** Some services wrap several tools into one entry, with a name before theirs. */
function toolsIn(
  value: unknown,
  before: string,
  depth = 0,
): readonly { readonly tool: string; readonly text: string }[] {
  const fields = fieldsOf(value);
  const inner = [...listOf(fields.functionDeclarations), ...listOf(fields.tools)];
  const own = textOf(fields.name) ?? textOf(fieldsOf(fields.function).name) ?? textOf(fields.type) ?? 'tools';
  if (inner.length === 0 || depth > DEEPEST) return [{ tool: `${before}${own}`, text: plainJson(value) }];
  const { functionDeclarations: _one, tools: _other, ...rest } = fields;
  const prefix = typeof fields.name === 'string' ? `${before}${fields.name}.` : before;
  const head = Object.keys(rest).length === 0 ? [] : [{ tool: `${prefix}*`, text: plainJson(rest) }];
  return [...head, ...inner.flatMap((tool) => toolsIn(tool, prefix, depth + 1))];
}

type Said = Pick<RequestUnit, 'role' | 'text'>;

/** One block, or one entry with several. */
function entryTexts(value: unknown, role: RequestUnit['role']): readonly Said[] {
  const fields = fieldsOf(value);
  const type = textOf(fields.type) ?? '';
  if (type === 'tool_result' || type === 'function_call_output' || role === 'tool' || isFields(fields.functionResponse))
    return textsIn(fields.content ?? fields.output ?? fieldsOf(fields.functionResponse).response).map((text) => ({
      role: 'tool',
      text,
    }));
  if (type === 'tool_use' || type === 'function_call' || isFields(fields.functionCall)) return [call(value)];
  if (typeof fields.text === 'string') return [{ role, text: fields.text }];
  const inner = fields.content ?? fields.parts;
  const calls = listOf(fields.tool_calls).map(call);
  if (typeof inner === 'string') return [...(inner === '' ? [] : [{ role, text: inner }]), ...calls];
  if (Array.isArray(inner)) return [...inner.flatMap((one) => entryTexts(one, role)), ...calls];
  return calls.length > 0 ? calls : [{ role, text: plainJson(value) }];
}

function call(value: unknown): Said {
  const { id: _id, call_id: _call, type: _type, cache_control: _mark, status: _status, ...rest } = fieldsOf(value);
  return { role: 'call', text: jsonOf(rest) };
}

/** The texts themselves; anything else, an image, as JSON. */
function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (Array.isArray(value)) return depth > DEEPEST ? [] : value.flatMap((one) => textsIn(one, depth + 1));
  const { text, parts, output } = fieldsOf(value);
  if (typeof text === 'string') return text === '' ? [] : [text];
  if (parts !== undefined || output !== undefined) return depth > DEEPEST ? [] : textsIn(parts ?? output, depth + 1);
  return value === undefined || value === null ? [] : [plainJson(value)];
}

function roleOf(role: string | undefined): RequestUnit['role'] {
  if (role === 'assistant' || role === 'model') return 'assistant';
  if (role === 'tool' || role === 'function') return 'tool';
  return role === 'system' || role === 'developer' ? 'system' : 'user';
}

function plainJson(value: unknown): string {
  if (!isFields(value)) return jsonOf(value);
  const { cache_control: _mark, ...rest } = value;
  return jsonOf(rest);
}
