import { expect, test } from 'vitest';
import { makeRedactor } from '../kernel/redact.ts';
import { countUnsafe } from '../kernel/safe-text.ts';
import { makeOut } from './output.ts';

const SECRET = 'hunter2-hunter2';

function captured(hasColor = false) {
  const written = { out: '', err: '' };
  const stdout = { write: (text: string) => (written.out += text) };
  const stderr = { write: (text: string) => (written.err += text) };
  return { written, out: makeOut({ stdout, stderr, hasColor }, makeRedactor([SECRET])) };
}

test('no way out shows a secret or a control character', () => {
  const { written, out } = captured(true);
  const hostile = `a ${SECRET} \u001b[1mb\u001b[2J\u202e`;
  out.print(hostile);
  out.note(hostile);
  out.item(hostile, hostile);
  out.table(['state'], [[hostile], ['served']]);
  out.diff(`+${hostile}`);
  out.warn(hostile);
  out.json({ key: hostile, list: [hostile] });
  // Those of ours.
  const ours = ['1', '0', '32', '33'].map((code) => `\u001b[${code}m`);
  const all = ours.reduce((text, code) => text.replaceAll(code, ''), written.out) + written.err;
  expect(all).not.toContain(SECRET);
  expect(countUnsafe(all)).toBe(0);
  expect(JSON.parse(/\{[\s\S]*\}/.exec(written.out)?.[0] ?? '').key).toBe('a [redacted] \u001b[1mb\u001b[2J\u202e');
});

test('a long message is shortened after the secret in it was taken out', () => {
  const { written, out } = captured();
  out.note(`  ${'x'.repeat(190)}${SECRET}${'y'.repeat(400)}`);
  expect(written.err).not.toContain('hunter2');
  expect(written.err.length).toBeLessThan(420);
});

test('a list item cannot forge a second line', () => {
  const { written, out } = captured();
  out.item('src/a.ts\nsrc/evil.ts:1', 'text\nmore');
  expect(written.out).toBe('src/a.ts src/evil.ts:1  text more\n');
});

test('a better redactor takes over', () => {
  const { written, out } = captured();
  out.redactWith(makeRedactor([SECRET, 'another-secret']));
  out.print('another-secret');
  expect(written.out).toBe('[redacted]\n');
});
