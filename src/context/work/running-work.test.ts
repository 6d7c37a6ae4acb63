import { expect, test } from 'vitest';
import { withoutPrompts } from './running-work.ts';

test('the prompts of a person stay with their agent', () => {
  const lines = ['Prompts of the person:', '- "fix it"', '- "and this"', 'Edited: a.ts', 'Open on its list:', '- b'];
  expect(withoutPrompts(lines)).toEqual(['Edited: a.ts', 'Open on its list:', '- b']);
  expect(withoutPrompts(['Edited: a.ts'])).toEqual(['Edited: a.ts']);
  expect(withoutPrompts(lines.slice(0, 3))).toEqual([]);
});
