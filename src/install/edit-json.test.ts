// JSON files with other tools' hooks in them: nothing of others is lost or moved, and what we put in comes out again.

import fc from 'fast-check';
import { parseTree, type Node as Theirs } from 'jsonc-parser';
import { expect, test } from 'vitest';
import { settingsText } from '../../test/install/json-text.ts';
import { scaled } from '../../test/scale.ts';
import { insertJson } from './edit-json.ts';
import { cutAll, insertAll, spansOf } from './insertion.ts';
import { type Node as Ours, readJsonc } from './jsonc.ts';
import { ownJson, removeJson } from './own-json.ts';
import { hookLine } from './shell-command.ts';
import type { Want } from './target.ts';

const line = (event: string) => hookLine(['/opt/fore word/foreword-hook', event, 'claude']);
const entry = (event: string, ours: string) => ({
  event,
  value: { hooks: [{ type: 'command', command: line(ours), timeout: 5 }] },
});
const want = (place: 'first' | 'last' = 'first'): Extract<Want, { format: 'json' }> => ({
  format: 'json',
  place,
  base: {},
  entries: [entry('SessionStart', 'session-start'), entry('PreToolUse', 'pre-tool'), entry('Stop', 'stop')],
});

function put(text: string, place: 'first' | 'last' = 'first'): string {
  const made = insertJson(text, want(place));
  if (!made.ok) throw new Error(made.message);
  return insertAll(text, made.insertions);
}

function taken(text: string, created?: readonly (readonly string[])[]): string {
  const removed = removeJson(text, created);
  if (!removed.ok) throw new Error(removed.message);
  return removed.text;
}

test('a tidy file keeps its layout, and our entry comes first', () => {
  const before = `{
  // my model
  "model": "opus", // the good one
  "hooks": {
    "PreToolUse": [
      // keep this guard
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "guard" }] },
    ],
  },
}
`;
  expect(put(before)).toBe(`{
  // my model
  "model": "opus", // the good one
  "hooks": {
    "PreToolUse": [
      {
        "hooks": [
          {
            "type": "command",
            "command": ${JSON.stringify(line('pre-tool'))},
            "timeout": 5
          }
        ]
      },
      // keep this guard
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "guard" }] },
    ],
    "SessionStart": [
      {
        "hooks": [
          {
            "type": "command",
            "command": ${JSON.stringify(line('session-start'))},
            "timeout": 5
          }
        ]
      }
    ],
    "Stop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": ${JSON.stringify(line('stop'))},
            "timeout": 5
          }
        ]
      }
    ]
  },
}
`);
});

test('a comment behind the last entry stays behind it', () => {
  const after = put('{\n\t"model": "opus" // the good one\n\t/* done */\n}\n');
  expect(after).toMatch(
    /^\{\n\t"model": "opus", \/\/ the good one\n\t\/\* done \*\/\n\t"hooks": \{\n\t\t"SessionStart": \[/,
  );
});

test('a file on one line stays on one line', () => {
  expect(put('{"model":"opus"}')).toMatch(/^\{"model":"opus", "hooks": \{"SessionStart":.*\}\}$/);
  expect(put('{}')).toMatch(/^\{\n {2}"hooks": \{\n/);
});

test('an empty file becomes a whole one', () => {
  for (const before of ['', '\n', '\uFEFF', '// nothing yet\n']) {
    const after = put(before);
    expect(JSON.parse(after.replace('\uFEFF', '').replace('// nothing yet', ''))).toHaveProperty('hooks.Stop');
    expect(after.endsWith('\n')).toBe(true);
  }
});

test('what is not valid is refused with its line', () => {
  expect(insertJson('{\n  "a": 1\n  "b": 2\n}', want())).toEqual({
    ok: false,
    line: 3,
    message: 'Not valid JSON: expected a comma or }, found "\\""',
  });
  expect(insertJson('[1]', want())).toMatchObject({
    ok: false,
    line: 1,
    message: 'the file is a list, expected a map',
  });
  expect(insertJson('{\n"hooks": []}', want())).toMatchObject({ ok: false, line: 2 });
  expect(insertJson('{"hooks":{\n"Stop": {}}}', want())).toMatchObject({ ok: false, line: 2 });
  expect(insertJson('{"hooks": {},\n"hooks": {}}', want())).toMatchObject({ ok: false, line: 2 });
  expect(insertJson('['.repeat(5000), want())).toMatchObject({ ok: false });
  expect(insertJson(`{"a": "${'x'.repeat(3_000_000)}`, want())).toMatchObject({ ok: false });
});

test('property: taking out what was put in gives the bytes from before', () => {
  fc.assert(
    fc.property(settingsText, fc.constantFrom('first' as const, 'last' as const), (before, place) => {
      const made = insertJson(before, want(place));
      if (!made.ok) throw new Error(`${made.line}: ${made.message}`);
      const after = insertAll(before, made.insertions);
      expect(cutAll(after, spansOf(made.insertions))).toBe(before);
    }),
    { numRuns: scaled(1500) },
  );
});

test('property: nothing of others is lost or moved, our entry comes first, and a second search finds only ours', () => {
  fc.assert(
    fc.property(settingsText, (before) => {
      const after = put(before);
      const [was, is] = [parsed(before), parsed(after)];
      for (const { event, value } of want().entries) {
        expect(is.hooks[event].shift()).toEqual(value);
        if (was.hooks?.[event] === undefined) {
          expect(is.hooks[event]).toEqual([]);
          delete is.hooks[event];
        }
      }
      if (was.hooks === undefined) delete is.hooks;
      expect(JSON.stringify(is)).toBe(JSON.stringify(was));
      const own = ownJson(after);
      expect(own.ok && own.parts.length).toBe(3);
    }),
    { numRuns: scaled(1500) },
  );
});

test('property: after others edited the file, only our entries are removed', () => {
  fc.assert(
    fc.property(settingsText, settingsText, (before, other) => {
      // The other tool rewrites the file: its own layout, its own keys, its hooks before and behind ours.
      const after = parsed(put(before));
      const theirs = parsed(other);
      for (const [event, list] of Object.entries(theirs.hooks ?? {}) as [string, unknown[]][]) {
        after.hooks[event] = [...(list ?? []), ...(after.hooks[event] ?? []), ...list];
      }
      const edited = `// theirs\n${JSON.stringify({ ...after, theirs }, null, 3)}`;
      const expected = JSON.parse(JSON.stringify({ ...after, theirs }));
      for (const { event, value } of want().entries) {
        const same = JSON.stringify(value);
        expected.hooks[event] = expected.hooks[event].filter((item: unknown) => JSON.stringify(item) !== same);
        if (expected.hooks[event].length === 0) delete expected.hooks[event];
      }
      if (Object.keys(expected.hooks).length === 0) delete expected.hooks;
      expect(JSON.stringify(parsed(taken(edited)))).toBe(JSON.stringify(expected));
    }),
    { numRuns: scaled(1000) },
  );
});

test('property: removal leaves every comment of others and a text that is valid', () => {
  fc.assert(
    fc.property(settingsText, (before) => {
      const made = insertJson(before, want());
      if (!made.ok) throw new Error(made.message);
      const text = taken(insertAll(before, made.insertions), made.created);
      expect(JSON.stringify(parsed(text))).toBe(JSON.stringify(parsed(before)));
      const comments = (of: string) => of.match(/with \] and \}|to the end of|lines \*\/|\/\/ alone/g) ?? [];
      expect(comments(text)).toEqual(comments(before));
    }),
    { numRuns: scaled(1500) },
  );
});

test('a hook that a person put into our group stays', () => {
  const text = put('{"hooks": {"Stop": []}}');
  const value = JSON.parse(text);
  value.hooks.Stop[0].hooks.push({ type: 'command', command: 'mine' });
  expect(
    JSON.parse(
      taken(JSON.stringify(value), [
        ['hooks', 'SessionStart'],
        ['hooks', 'PreToolUse'],
      ]),
    ),
  ).toEqual({
    hooks: { Stop: [{ hooks: [{ type: 'command', command: 'mine' }] }] },
  });
});

test('an empty list that was there before is there after', () => {
  const made = insertJson('{"hooks": {"Stop": []}, "a": 1}', want());
  if (!made.ok) throw new Error(made.message);
  const after = insertAll('{"hooks": {"Stop": []}, "a": 1}', made.insertions);
  expect(taken(`${after}\n`, made.created)).toBe('{"hooks": {"Stop": []}, "a": 1}\n');
});

test('property: reads what jsonc-parser reads, and refuses what it refuses', () => {
  const broken = fc
    .tuple(settingsText, fc.nat(), fc.constantFrom('', ',', '{', ']', '"', '1', 'x', '/*', '\n', '\\'))
    .map(([text, at, put]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place + (put === '' ? 1 : 0));
    });
  fc.assert(
    fc.property(fc.oneof(settingsText, broken), (full) => {
      const text = full.replace(/^\uFEFF/, '');
      const errors: { error: number; offset: number; length: number }[] = [];
      const theirs = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
      const ours = readJsonc(text);
      // It takes a comma without a value before it; readers of JSON do not.
      if (!ours.ok && errors.length === 0) expect(isLenient(text)).toBe(true);
      else expect(ours.ok, text).toBe(errors.length === 0);
      if (ours.ok && theirs !== undefined) expect(shape(ours.root)).toEqual(shapeOf(theirs));
    }),
    { numRuns: scaled(1500) },
  );
});

function isLenient(text: string): boolean {
  return /[[{,]\s*,/.test(text.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, ''));
}

type Shape = { start: number; end: number; items: Shape[] };

function shape(node: Ours | undefined): Shape | undefined {
  if (node === undefined) return undefined;
  return { start: node.start, end: node.end, items: node.items.flatMap(({ value }) => shape(value) ?? []) };
}

function shapeOf(node: Theirs): Shape {
  const values = (node.children ?? []).map((child) => (child.type === 'property' ? child.children?.[1] : child));
  return {
    start: node.offset,
    end: node.offset + node.length,
    items: values.flatMap((child) => (child === undefined ? [] : [shapeOf(child)])),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a settings file can hold anything
function parsed(text: string): any {
  const tree = parseTree(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true });
  return tree === undefined ? {} : build(tree);
}

function build(node: Theirs): unknown {
  if (node.type === 'array') return (node.children ?? []).map(build);
  if (node.type !== 'object') return node.value;
  return Object.fromEntries(
    (node.children ?? []).map(({ children: [key, value] = [] }) => [
      key?.value,
      value === undefined ? null : build(value),
    ]),
  );
}
