import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holds, textsAt, valuesAt } from './record-path.ts';

const RECORD = {
  type: 'user',
  count: 0,
  none: null,
  message: {
    content: [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b', thought: true }, 'c'],
  },
  sections: { one: '1', two: '2', three: 3 },
};

test.each([
  ['type', ['user']],
  ['message.content[].text', ['a', 'b']],
  ['message.content[type=text].text', ['a', 'b']],
  ['message.content[!thought].text', ['a']],
  ['message.content[]', ['c']],
  ['sections.*', ['1', '2']],
  ['count', []],
  ['none.text', []],
  ['message.content.text', []],
  ['type[].text', []],
  ['nowhere.at[].all', []],
  ['constructor', []],
  ['type.length', []],
])('%s leads to %j', (path, texts) => expect(textsAt(RECORD, path)).toEqual(texts));

test('conditions: all must hold, * is anything that is there', () => {
  expect(holds({ type: 'user', 'sections.three': 3 }, RECORD)).toBe(true);
  expect(holds({ type: 'user', count: 1 }, RECORD)).toBe(false);
  expect([holds({ count: '*' }, RECORD), holds({ none: '*' }, RECORD), holds({}, RECORD)]).toEqual([true, false, true]);
});

test('any value and any path are survived', () => {
  fc.assert(
    fc.property(
      fc.anything(),
      fc.array(fc.constantFrom('a', 'a[]', 'a[b=c]', 'a[!b]', '*', '', '[]')),
      (value, steps) => {
        valuesAt({ a: value }, steps.join('.'));
        holds({ [steps.join('.')]: '*' }, value);
      },
    ),
  );
});
