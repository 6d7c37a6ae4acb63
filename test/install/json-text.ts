// Settings files as people and tools leave them, for property tests: any layout, comments anywhere, trailing commas, tabs,
// CRLF, a byte order mark, other tools' hooks.

import fc from 'fast-check';

const EVENTS = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PreCompact', 'Stop', 'SessionEnd', 'Notification'];

const command = fc.constantFrom(
  '/opt/guard/bin/guard check',
  'node ~/.claude/hooks/format.mjs',
  'echo "foreword-hook is not mine"',
  "jq -r '.tool_input.file_path' | xargs prettier --write",
  'C:\\tools\\notify.exe',
  '日本語 …',
);
const hook = fc.record(
  { type: fc.constant('command'), command, timeout: fc.integer({ min: 1, max: 600 }), async: fc.boolean() },
  { requiredKeys: ['type', 'command'] },
);
const group = fc.record(
  { matcher: fc.constantFrom('', '*', 'Bash', 'Edit|Write'), hooks: fc.array(hook, { maxLength: 3 }) },
  { requiredKeys: ['hooks'] },
);

/** Hooks of others by event; lists may be empty, and a flat entry stands among groups. */
export const othersHooks = fc.dictionary(
  fc.constantFrom(...EVENTS),
  fc.array(fc.oneof({ weight: 4, arbitrary: group }, { weight: 1, arbitrary: hook }), { maxLength: 3 }),
);

const settings = fc
  .tuple(
    fc.dictionary(
      fc.constantFrom('model', 'env', 'permissions', 'x', '', '$schema', 'a"b'),
      fc.jsonValue({ maxDepth: 2 }),
    ),
    fc.option(othersHooks, { nil: undefined }),
    fc.boolean(),
  )
  .map(([rest, hooks, isFirst]) => {
    if (hooks === undefined) return rest;
    return isFirst ? { hooks, ...rest } : { ...rest, hooks };
  });

/** Numbers that say how each gap is written; taken in turn, from the start again when they run out. */
const dice = fc.array(fc.nat({ max: 99 }), { minLength: 5, maxLength: 40 });

export const settingsText: fc.Arbitrary<string> = fc
  .tuple(
    settings,
    dice,
    fc.record({
      eol: fc.constantFrom('\n', '\r\n'),
      unit: fc.constantFrom('  ', '    ', '\t', ''),
      mood: fc.constantFrom('tidy', 'one line', 'wild'),
      bom: fc.boolean(),
      end: fc.constantFrom('', '\n', '\n\n'),
    }),
  )
  .map(([value, rolls, { eol, unit, mood, bom, end }]) => {
    let turn = 0;
    const roll = () => rolls[turn++ % rolls.length] ?? 0;
    const text =
      mood === 'tidy'
        ? JSON.stringify(value, null, unit).replaceAll('\n', eol)
        : mood === 'one line'
          ? JSON.stringify(value)
          : wild(value, { roll, eol, unit }, 0);
    return `${bom ? '\uFEFF' : ''}${text}${end.replaceAll('\n', eol)}`;
  });

interface Style {
  readonly roll: () => number;
  readonly eol: string;
  readonly unit: string;
}

function wild(value: unknown, style: Style, depth: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(
    ([key, item]) =>
      (isList ? '' : `${JSON.stringify(key) + gap(style, depth)}:${gap(style, depth)}`) + wild(item, style, depth + 1),
  );
  let inner = '';
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const comma = isLast && style.roll() < 60 ? '' : ',';
    inner += gap(style, depth + 1) + part + (style.roll() < 80 ? '' : gap(style, depth)) + comma;
  }
  inner += gap(style, depth);
  return isList ? `[${inner}]` : `{${inner}}`;
}

function gap({ roll, eol, unit }: Style, depth: number): string {
  const kind = roll();
  const line = eol + unit.repeat(depth);
  if (kind < 30) return '';
  if (kind < 45) return ' ';
  if (kind < 75) return line;
  if (kind < 82) return ` /* block, with ] and } */`;
  if (kind < 90) return ` // to the end of the line${line}`;
  if (kind < 95) return `${line}/* two${eol} lines */ `;
  return `${line}${line}// alone${line}`;
}
