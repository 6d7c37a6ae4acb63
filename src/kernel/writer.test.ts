import { expect, test } from 'vitest';
import { otherWriter, withoutOwnName } from './writer.ts';

test('only other writers are named, and what was imported always is', () => {
  expect(otherWriter({}, 'anna@desk')).toBeUndefined();
  expect(otherWriter({ writer: 'anna@desk' }, 'anna@desk')).toBeUndefined();
  expect(otherWriter({ writer: 'ben@lab' }, 'anna@desk')).toBe('ben@lab');
  expect(otherWriter({ writer: 'anna@desk', imported: true }, 'anna@desk')).toBe('anna@desk, imported');
  expect(otherWriter({ imported: true }, 'anna@desk')).toBe('imported');
});

test('a name from a store cannot break a line or be endless', () => {
  expect(otherWriter({ writer: `a\n## b\u001b[2J${'c'.repeat(500)}` }, 'x')).toMatch(/^a ## b.{1,60}$/u);
});

test('a record loses its own name, and no other', () => {
  expect(withoutOwnName({ id: 'a', writer: 'anna@desk' }, 'anna@desk')).toEqual({ id: 'a' });
  const other = { id: 'a', writer: 'ben@lab' };
  expect(withoutOwnName(other, 'anna@desk')).toBe(other);
  expect(withoutOwnName({ ...other, imported: true }, 'ben@lab')).toEqual({ ...other, imported: true });
});
