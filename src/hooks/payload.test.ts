import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scaled } from '../../test/scale.ts';
import { payloadReader } from './payload.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const never = () => false;

function read(text: string | Uint8Array, size = Number.POSITIVE_INFINITY) {
  const all = typeof text === 'string' ? bytes(text) : text;
  const reader = payloadReader(never);
  let progress = reader.push(new Uint8Array());
  for (let at = 0; at < all.length && progress === 'more'; at += size)
    progress = reader.push(all.subarray(at, at + size));
  return { progress, fields: Object.fromEntries(reader.fields) };
}

test('any object, in pieces of any size, has the fields that JSON gives it', () => {
  const object = fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.jsonValue({ maxDepth: 3 }));
  fc.assert(
    fc.property(object, fc.integer({ min: 1, max: 9 }), fc.constantFrom(0, 2, '\t'), (value, size, indent) => {
      const json = JSON.stringify(value, null, indent);
      const expected = Object.fromEntries(Object.entries(JSON.parse(json)));
      expect(read(json, size)).toEqual({ progress: 'done', fields: expected });
    }),
    { numRuns: scaled(2000) },
  );
});

test('bytes that are anything at all are read without an error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.integer({ min: 1, max: 50 }), (noise, size) => {
      expect(['more', 'done', 'bad']).toContain(read(noise, size).progress);
    }),
    { numRuns: scaled(5000) },
  );
});

test('it ends at its own last bracket, whatever follows', () => {
  expect(read('{"a":1} and more')).toEqual({ progress: 'done', fields: { a: 1 } });
  expect(read('{"a":1').progress).toBe('more');
});

test('what is no object is refused at its first byte', () => {
  for (const text of ['[1]', 'null', '"x"', 'hello', '\0{}']) expect(read(text).progress).toBe('bad');
});

test('white space and a byte order mark may stand before it', () => {
  expect(read('\uFEFF\n { "a" : "b" }').fields).toEqual({ a: 'b' });
});

test('of two fields of one name the first counts', () => {
  expect(read('{"session_id":"one","session_id":"two"}').fields).toEqual({ session_id: 'one' });
});

test('of a text that is too long the beginning is known, of a list or map nothing', () => {
  const long = `{"prompt":"${'é\\n'.repeat(200_000)}","input":{"x":"${'y'.repeat(300_000)}"},"z":1}`;
  const { progress, fields } = read(long, 65_536);
  expect(progress).toBe('done');
  expect(String(fields.prompt).startsWith('é\né\n')).toBe(true);
  expect(String(fields.prompt).length).toBeGreaterThan(100_000);
  expect(String(fields.prompt).length).toBeLessThan(262_144);
  expect(Object.keys(fields)).toEqual(['prompt', 'z']);
});

test('a field that is no JSON is left out, and the others are known', () => {
  expect(read('{"session_id":"a\0b","cwd":"/x","n":1e,"z":2}').fields).toEqual({ cwd: '/x', z: 2 });
});

test('it can be enough before the end', () => {
  const reader = payloadReader((next, known) => next === 'tool_input' && known.has('session_id'));
  expect(reader.push(bytes('{"session_id":"s","tool_input":{"session_id":"evil"'))).toBe('done');
  expect(Object.fromEntries(reader.fields)).toEqual({ session_id: 's' });
});

test('a payload of thousands of fields is refused', () => {
  const many = Array.from({ length: 1000 }, (_, index) => `"k${index}":1`).join(',');
  expect(read(`{${many}}`).progress).toBe('bad');
});

test('a text that is nothing but escapes takes no longer than another', () => {
  const json = (text: string) => new TextEncoder().encode(`{"a":"${text}","session_id":"s"}`);
  for (const text of ['\\n'.repeat(2_000_000), '\\"'.repeat(2_000_000), 'x'.repeat(4_000_000)]) {
    const reader = payloadReader(() => false);
    const begun = performance.now();
    expect(reader.push(json(text))).toBe('done');
    expect(reader.fields.get('session_id')).toBe('s');
    expect(performance.now() - begun).toBeLessThan(3000);
  }
});
