// TOML files with other tools' hooks in them, as Codex keeps them.

import fc from 'fast-check';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { scaled } from '../../test/scale.ts';
import { insertToml, ownToml, removeToml } from './edit-toml.ts';
import { cutAll, insertAll, spansOf } from './insertion.ts';
import { hookLine } from './shell-command.ts';

const entries = (['session-start', 'pre-tool'] as const).map((ours, index) => ({
  event: ['SessionStart', 'PreToolUse'][index] ?? '',
  value: { hooks: [{ type: 'command', command: hookLine([`/opt/it's/foreword-hook`, ours, 'codex']), timeout: 5 }] },
}));

function put(text: string): string {
  const made = insertToml(text, entries);
  if (!made.ok) throw new Error(made.message);
  return insertAll(text, made.insertions);
}

function taken(text: string): string {
  const removed = removeToml(text);
  if (!removed.ok) throw new Error(removed.message);
  return removed.text;
}

const REAL = `model = "gpt-5" # the default
notify = [
  "a",
  ["b"]
]
text = """
[[hooks.PreToolUse]]
not a table"""

[hooks]

[[hooks.PreToolUse]]
matcher = "Bash"
[[hooks.PreToolUse.hooks]]
type = "command"
command = 'guard "[x]"'

# state of hooks
[hooks.state."/home/me/.codex/config.toml:pre_tool_use:0:0"]
trusted_hash = "sha256:00"

[projects."/home/me/[odd] name"]
trust_level = "trusted"
`;

test('our hooks are appended as tables, and the rest is the same to the byte', () => {
  const after = put(REAL);
  expect(after.startsWith(REAL)).toBe(true);
  expect(after.slice(REAL.length)).toBe(`
# Hooks of foreword. foreword uninstall takes them out.
[[hooks.SessionStart]]
[[hooks.SessionStart.hooks]]
type = "command"
command = ${JSON.stringify(entries[0]?.value.hooks[0]?.command)}
timeout = 5
[[hooks.PreToolUse]]
[[hooks.PreToolUse.hooks]]
type = "command"
command = ${JSON.stringify(entries[1]?.value.hooks[0]?.command)}
timeout = 5
`);
  const read = parse(after) as unknown as { hooks: Record<string, unknown[]> };
  expect(read.hooks.PreToolUse?.[1]).toEqual(entries[1]?.value);
  expect(ownToml(after)).toMatchObject({ ok: true, parts: [{ event: 'PreToolUse' }, { event: 'SessionStart' }] });
});

test('what Codex and a person wrote after and between our hooks stays', () => {
  const after = put(REAL)
    .replace(
      '[[hooks.PreToolUse]]\n[[',
      '# mine\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "mine"\n\n[[hooks.PreToolUse]]\n[[',
    )
    .concat('\n[hooks.state."x:session_start:0:0"]\ntrusted_hash = "sha256:01"\n');
  const left = taken(after);
  expect(left).toContain('# mine\n[[hooks.Stop]]');
  expect(left).toContain('[hooks.state."x:session_start:0:0"]');
  expect(left).not.toContain('foreword');
  expect(left.startsWith(REAL.trimEnd())).toBe(true);
});

test('a hook that a person put into our group stays', () => {
  const after = `${put('')}[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "mine"\n`;
  expect(parse(taken(after))).toEqual({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'mine' }] }] } });
});

test('hooks in one value are refused, and so is what is not TOML, with the line', () => {
  expect(insertToml('a = 1\nhooks.PreToolUse = []\n', entries)).toMatchObject({ ok: false, line: 2 });
  expect(insertToml('hooks = { }\n', entries)).toMatchObject({ ok: false, line: 1 });
  expect(insertToml('a = 1\nb = \n', entries)).toMatchObject({ ok: false, line: 2 });
  expect(removeToml('a = ')).toMatchObject({ ok: false, line: 1 });
});

const scalar = fc.oneof(
  fc.string().map((text) => JSON.stringify(text)),
  fc.constantFrom(
    'true',
    '1_000',
    '0x1f',
    '9223372036854775807',
    'inf',
    '1979-05-27T07:32:00Z',
    '07:32:00',
    "'lit # [x]'",
  ),
  fc.constantFrom(
    '"""\n[[hooks.Stop]]\n\\"""x"""',
    "'''\n[[hooks.Stop.hooks]]\n'''",
    '[\n[1],\n[2] # two\n]',
    '{ a = 1 }',
  ),
);
const keys = fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), scalar, { maxKeys: 4 }).map((table) =>
  Object.entries(table)
    .map(([key, value]) => `${key} = ${value}\n`)
    .join(''),
);
const othersGroup = fc
  .tuple(fc.constantFrom('PreToolUse', 'SessionStart', 'Stop'), fc.constantFrom('guard', 'x\ty', 'a "b"'), fc.boolean())
  .map(([event, command, hasMatcher]) =>
    [
      `[[hooks.${event}]]\n`,
      hasMatcher ? 'matcher = "Bash" # why\n' : '',
      `[[ hooks . ${event}.hooks ]]\ntype = "command"\ncommand = ${JSON.stringify(command)}\n`,
    ].join(''),
  );
const tomlText = fc
  .tuple(
    keys,
    fc.array(fc.oneof(othersGroup, fc.constantFrom('\n', '# a note\n', '\n\n')), { maxLength: 6 }),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([top, parts, isCrLf, hasEnd]) => {
    const text = `${top}${parts.join('')}[other]\nx = 1${hasEnd ? '\n' : ''}`;
    return isCrLf ? text.replace(/(?<!\r)\n/g, '\r\n') : text;
  });

test('property: taking out what was put in gives the bytes from before, by record and by looking', () => {
  fc.assert(
    fc.property(tomlText, (before) => {
      const made = insertToml(before, entries);
      if (!made.ok) throw new Error(`${made.line}: ${made.message}\n${before}`);
      const after = insertAll(before, made.insertions);
      expect(cutAll(after, spansOf(made.insertions))).toBe(before);
      expect(taken(after).trimEnd()).toBe(before.trimEnd());
    }),
    { numRuns: scaled(3000) },
  );
});

test('property: after others appended their tables, only ours are removed', () => {
  fc.assert(
    fc.property(tomlText, othersGroup, othersGroup, (before, one, other) => {
      const edited = `${put(before)}\n${one}# between\n${other}`;
      const left = taken(edited);
      expect(parse(left, { integersAsBigInt: true })).toEqual(
        parse(`${before}\n\n${one}${other}`, { integersAsBigInt: true }),
      );
      expect(left).toContain('# between\n');
    }),
    { numRuns: scaled(1500) },
  );
});
