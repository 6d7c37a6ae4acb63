import { expect, test } from 'vitest';
import { hookText } from '../texts/delivery-text.ts';
import { ownWords } from './own-words.ts';

test('a text of foreword send that the agent joined to what the person wrote is not theirs', () => {
  expect(ownWords('Fix the total.\n[fw_3f2a9c01b7d4]\nPlease also run the tests.')).toBe('Fix the total.');
  expect(ownWords('[fw_3f2a9c01b7d4]\nrun the tests')).toBeUndefined();
  expect(ownWords('[foreword] Your ->continuity:save is saved for the next session')).toBeUndefined();
});

test('a startup context that stands in the conversation by itself is not what the person wrote', () => {
  expect(ownWords(hookText({ id: 'fw_3f2a9c01b7d4', text: 'Next: register the route' }))).toBeUndefined();
  expect(ownWords('Fix the [foreword] line')).toBe('Fix the [foreword] line');
});
