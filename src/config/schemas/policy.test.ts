import { expect, test } from 'vitest';
import { renderFault } from '../../kernel/errors.ts';
import type { Format } from '../../system/formats/index.ts';
import { parsePolicy } from './policy.ts';

const read = (format: Format, text: string): unknown => {
  const parsed = parsePolicy(format, text, `policy.${format}`);
  return parsed.ok ? parsed.value : parsed.faults.map(renderFault);
};

test.each<[Format, string]>([
  [
    'yaml',
    'rules: [patch-only]\nallow: [src/**]\ndeny: [secrets/**]\nlimits: { max_lines_added: 800, max_files: 10 }\n',
  ],
  ['edn', '{:rules [patch-only] :allow ["src/**"] :deny #{"secrets/**"} :limits {:max-lines-added 800 :max-files 10}}'],
  [
    'json',
    '{"$schema": "x", "rules": ["patch-only"], "allow": ["src/**"], "deny": ["secrets/**"], "limits": {"max_lines_added": 800, "max_files": 10}}',
  ],
])('a right policy in %s', (format, text) => {
  expect(read(format, text)).toEqual({
    rules: ['patch-only'],
    allow: ['src/**'],
    deny: ['secrets/**'],
    limits: { max_lines_added: 800, max_files: 10 },
  });
});

test('an empty file, empty keys and an empty map are an empty policy', () => {
  expect([read('yaml', ''), read('yaml', 'deny:\nlimits:\n'), read('json', '{}')]).toEqual([{}, {}, {}]);
});

test('every unknown key and wrong value is named, with what is allowed', () => {
  const text =
    'rule: [a]\nowner: me\nallow: src/**\ndeny: [1]\nlimits:\n  max_lines: 5\n  max_files: -1\n  max_lines_added: "80"\n';
  expect(read('yaml', text)).toEqual([
    'policy.yaml:1: rule: Unknown key "rule"; did you mean rules?',
    'policy.yaml:2: owner: Unknown key "owner"; the known keys are rules, allow, deny, limits.',
    'policy.yaml:3: allow: Got "src/**", expected a list of globs.',
    'policy.yaml:4: deny[0]: Got 1, expected a glob such as "src/**". Put it in quotes.',
    'policy.yaml:6: limits.max_lines: Unknown key "max_lines"; did you mean max_lines_added?',
    'policy.yaml:7: limits.max_files: Got -1, expected a whole number, at least 0.',
    'policy.yaml:8: limits.max_lines_added: Got "80", expected a whole number, at least 0.',
  ]);
  expect(read('json', '[]')).toEqual([
    'policy.json:1: Got an empty list, expected a map with rules, allow, deny or limits.',
  ]);
});
