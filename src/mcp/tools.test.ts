import { countTokens } from 'gpt-tokenizer';
import { expect, test } from 'vitest';
import { TOOL_NAMES, TOOLS } from './tools.ts';

test('four tools, whose descriptions and schemas take at most 600 tokens of every request', () => {
  expect(TOOLS.map(({ name }) => name)).toEqual(['context', 'history', 'save', 'search']);
  expect(TOOLS.map(({ name }) => name)).toEqual(TOOL_NAMES);
  expect(countTokens(JSON.stringify(TOOLS))).toBeLessThanOrEqual(600);
});
