// How much of an earlier request stands unchanged at the beginning of a later one: that much a service can take from its prompt
// cache. Each service has its own rule of what is compared. Pure.
//
// All read tools, then instructions, then the conversation, and a model reads only what it stored itself. Anthropic compares whole blocks
// and stores at the blocks that are marked with `cache_control`; it looks for them at the marks of the later request and at most 20
// blocks before each. OpenAI and Google store by themselves and compare token by token, which is character by character here.

import { type Fields, fieldsOf, isFields, jsonOf, listOf, textOf } from './model/json.ts';
import type { ProtocolName } from './model/record.ts';

export type RequestPlace = 'model' | 'tools' | 'instructions' | 'conversation';

/** One block of a request, in the order in which a service reads it. */
export interface RequestPart {
  readonly place: RequestPlace;
  readonly text: string;
  /** The service is asked to store everything up to here. */
  readonly isMarked: boolean;
  /** As the request has it; of a message's block, the block. */
  readonly value: unknown;
  /** Whose message it is; absent outside of the conversation. */
  readonly role?: string;
}

export interface KeptPrefix {
  /** Characters of the earlier request that stand unchanged at the beginning of the later one. */
  readonly kept: number;
  /** Of those, what the service finds in its cache; fewer than `kept` only where requests say what is to be stored. */
  readonly found: number;
  /** All characters of the earlier request. */
  readonly of: number;
  /** Where the first difference is; absent when all of the earlier request is kept. */
  readonly broken?: { readonly place: RequestPlace; readonly part: number; readonly character: number };
}

/** Marks for the service, which no model reads. */
const UNREAD = ['cache_control', 'refusal', 'thoughtSignature', '__copilotMessageSource'];
/** Of an entry of the conversation: names that the client or the service gave it. Codex 0.166.0 makes new ones in every session. */
const UNREAD_OF_ENTRIES = ['id', 'status'];
/** How a block for the service begins, which no model reads: Claude Code 2.1.325 sends one that differs from session to session. */
const UNREAD_BLOCK = 'x-anthropic-billing-header:';
const LOOKS_BACK = 20;

export function requestParts(protocol: ProtocolName, body: unknown): readonly RequestPart[] {
  const fields = fieldsOf(body);
  const one = (place: RequestPlace, value: unknown): RequestPart => ({
    place,
    text: plain(value),
    isMarked: protocol === 'anthropic' && fieldsOf(value).cache_control !== undefined,
    value,
    ...(place === 'conversation' ? roleIn(value) : {}),
  });
  const all = (place: RequestPlace, values: readonly unknown[]) => values.map((value) => one(place, value));
  const { model, tools, toolConfig, system, instructions, systemInstruction } = fields;
  return [
    one('model', model ?? null),
    ...all('tools', [...listOf(tools), ...defined(toolConfig)]),
    ...all('instructions', [
      ...blocksOf(system).filter(isRead),
      ...defined(instructions),
      ...defined(systemInstruction),
    ]),
    ...(protocol === 'anthropic'
      ? listOf(fields.messages).flatMap(messageParts)
      : all('conversation', listOf(fields.messages ?? fields.input ?? fields.contents).map(nameless))),
  ];
}

/** Both requests in the same protocol. */
export function keptPrefix(
  protocol: ProtocolName,
  earlier: readonly RequestPart[],
  later: readonly RequestPart[],
): KeptPrefix {
  const at = earlier.findIndex((part, index) => !isSame(part, later[index]));
  const of = lengthOf(earlier);
  if (at === -1) return { kept: of, found: foundIn(protocol, earlier, later), of };
  const whole = earlier.slice(0, at);
  const part = earlier[at];
  const character = sameBeginning(part?.text ?? '', later[at]?.place === part?.place ? (later[at]?.text ?? '') : '');
  const broken = { place: part?.place ?? 'conversation', part: at, character } as const;
  if (protocol === 'anthropic') return { kept: lengthOf(whole), found: foundIn(protocol, whole, later), of, broken };
  // Another model has nothing of it.
  const kept = at === 0 ? 0 : lengthOf(whole) + character;
  return { kept, found: kept, of, broken };
}

/** The most that any of the earlier requests gives. */
export function bestPrefix(
  protocol: ProtocolName,
  earlier: readonly (readonly RequestPart[])[],
  later: readonly RequestPart[],
): KeptPrefix | undefined {
  const all = earlier.map((parts) => keptPrefix(protocol, parts, later));
  return all.reduce<KeptPrefix | undefined>(
    (best, one) => (best === undefined || one.kept >= best.kept ? one : best),
    undefined,
  );
}

function foundIn(protocol: ProtocolName, same: readonly RequestPart[], later: readonly RequestPart[]): number {
  return protocol === 'anthropic' ? lengthOf(same.slice(0, partsFound(same, later))) : lengthOf(same);
}

/** Of the parts that two requests begin with: how many the service finds in its cache, by the marks in them. */
export function partsFound(same: readonly RequestPart[], later: readonly RequestPart[]): number {
  const asked = later.flatMap(({ isMarked }, index) => (isMarked ? [index] : []));
  const isLookedFor = (index: number) => asked.some((mark) => index <= mark && mark - index < LOOKS_BACK);
  return same.findLastIndex(({ isMarked }, index) => isMarked && isLookedFor(index)) + 1;
}

function isSame(one: RequestPart, other: RequestPart | undefined): boolean {
  return one.place === other?.place && one.text === other.text;
}

function messageParts(message: unknown): readonly RequestPart[] {
  const { role, content } = fieldsOf(message);
  return blocksOf(content).map((block) => ({
    place: 'conversation' as const,
    text: plain({ role, block }),
    isMarked: fieldsOf(block).cache_control !== undefined,
    value: block,
    ...roleIn(message),
  }));
}

function roleIn(entry: unknown): { readonly role?: string } {
  const role = textOf(fieldsOf(entry).role);
  return role === undefined ? {} : { role };
}

/** A bare text is the same to the service as one block with it. */
function blocksOf(content: unknown): readonly unknown[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
}

function nameless(entry: unknown): unknown {
  if (!isFields(entry)) return entry;
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !UNREAD_OF_ENTRIES.includes(key)));
}

function isRead(block: unknown): boolean {
  return textOf(fieldsOf(block).text)?.startsWith(UNREAD_BLOCK) !== true;
}

function defined(value: unknown): readonly unknown[] {
  return value === undefined ? [] : [value];
}

function plain(value: unknown): string {
  return jsonOf(without(value));
}

function without(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(without);
  if (!isFields(value)) return value;
  const fields: Fields = value;
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, inner]) => (UNREAD.includes(key) ? [] : [[key, without(inner)]])),
  );
}

function sameBeginning(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

function lengthOf(parts: readonly RequestPart[]): number {
  return parts.reduce((sum, { text }) => sum + text.length, 0);
}
