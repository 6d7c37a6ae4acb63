import { expect, test } from 'vitest';
import { hookText } from '../texts/delivery-text.ts';
import { ownWords } from './own-words.ts';

test('a startup context that stands in the conversation by itself is not what the person wrote', () => {
  expect(ownWords(hookText({ id: 'fw_3f2a9c01b7d4', text: 'Next: register the route' }))).toBeUndefined();
  expect(ownWords('Fix the [foreword] line')).toBe('Fix the [foreword] line');
});
