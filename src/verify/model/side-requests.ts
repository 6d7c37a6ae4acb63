// Side requests: what an agent requests from its model beside the turns of the user: a title for the session, a suggestion for
// the next prompt, a classification, a summary. They get the smallest reply that fits, at once, and never use up the script.
// Pure.

import { LABS } from '../../agents/labs.ts';
import { DEEPEST, type Fields, fieldsOf, isFields, jsonOf, listOf } from './json.ts';
import type { Answer, Reading } from './protocol.ts';

/** The texts by which they are recognised are in each agent's folder (lab.ts). */
const KNOWN: readonly string[] = Object.values(LABS).flatMap(({ sideRequests = [] }) => sideRequests);

/** Tools that the service itself runs: a request with these alone is an agent's search, not a turn. */
const SERVICE_TOOLS = new Set(['web_search', 'web_fetch', 'googleSearch', 'google_search', 'urlContext']);

export function isSideRequest(reading: Reading): boolean {
  if (reading.forced !== undefined || reading.tools.every((name) => SERVICE_TOOLS.has(name))) return true;
  return tellingTexts(reading).some((text) => KNOWN.some((start) => text.trimStart().startsWith(start)));
}

/** The agent may put other lines before its instructions, so each text up to the first of the user counts. */
function tellingTexts({ texts }: Reading): string[] {
  const firstUser = texts.findIndex(({ role }) => role === 'user');
  const instructions = texts.slice(0, firstUser === -1 ? texts.length : firstUser).slice(0, 8);
  const newest = texts.findLast(({ role }) => role === 'user');
  return [...instructions, ...(newest === undefined ? [] : [newest])].map(({ text }) => text);
}

/** As a suggestion this one word is not among the allowed ones, so no agent shows it; as a title or a summary it does no
 *  harm. */
const SMALLEST_TEXT = 'done';

/** Elements that the reply has to be wrapped in. */
const ELEMENTS = Object.values(LABS).flatMap(({ summaryElement }) => summaryElement ?? []);

export function sideAnswer(reading: Reading): Pick<Answer, 'pieces' | 'calls'> {
  const { forced, schema } = reading;
  if (forced !== undefined) return { pieces: [], calls: [{ name: forced.name, input: smallest(forced.schema) ?? {} }] };
  if (schema !== undefined) return { pieces: [jsonOf(smallest(schema) ?? {})], calls: [] };
  const element = ELEMENTS.find((name) => tellingTexts(reading).some((text) => text.includes(`<${name}>`)));
  return { pieces: [element === undefined ? SMALLEST_TEXT : `<${element}>${SMALLEST_TEXT}</${element}>`], calls: [] };
}

/** How many nested schemas are followed: references can make a small schema endless. */
const MOST_SCHEMAS = 10_000;

/** The smallest value that a JSON schema allows, as far as agents write such schemas: types, required properties,
 *  enumerations, alternatives, references inside, least lengths. `undefined` when the schema restricts nothing. */
export function smallest(root: unknown): unknown {
  let left = MOST_SCHEMAS;
  return fitting(root, 0);

  function fitting(schema: unknown, depth: number): unknown {
    left -= 1;
    if (!isFields(schema) || depth > DEEPEST || left < 0) return undefined;
    const inside = (inner: unknown) => fitting(inner, depth + 1);
    if (schema.const !== undefined) return schema.const;
    if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0];
    if (typeof schema.$ref === 'string') return inside(resolved(schema.$ref, root));
    for (const alternative of [...listOf(schema.anyOf), ...listOf(schema.oneOf)]) {
      const found = inside(alternative);
      if (found !== undefined) return found;
    }
    return typedValue(schema, listOf(schema.allOf).map(inside), inside);
  }
}

function typedValue(schema: Fields, all: readonly unknown[], inside: (inner: unknown) => unknown): unknown {
  switch (typeOf(schema)) {
    case 'object':
      return Object.assign({}, ...all.filter(isFields).slice(0, 100), requiredOf(schema, inside));
    case 'array':
      return Array.from({ length: Math.min(wholeOf(schema.minItems), 100) }, () => inside(schema.items) ?? null);
    case 'string':
      return SMALLEST_TEXT.padEnd(Math.min(wholeOf(schema.minLength), 1000), '.');
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? schema.minimum : 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return all.find((value) => value !== undefined);
  }
}

/** Some write types in capitals. In a list of types any will do. */
function typeOf(schema: Fields): string | undefined {
  const type: unknown = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (typeof type === 'string') return type.toLowerCase();
  return schema.properties === undefined ? undefined : 'object';
}

function requiredOf(schema: Fields, inside: (inner: unknown) => unknown): object {
  const properties = fieldsOf(schema.properties);
  const names = listOf(schema.required).filter((name) => typeof name === 'string');
  return Object.fromEntries(
    names.map((name) => [name, inside(Object.hasOwn(properties, name) ? properties[name] : undefined) ?? '']),
  );
}

function resolved(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#')) return undefined;
  const steps = reference.slice(1).split('/').slice(1);
  return steps.reduce<unknown>((value, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    return isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }, root);
}

function wholeOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.ceil(value) : 0;
}
