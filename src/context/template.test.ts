import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderTemplate, TEMPLATE_TOKENS, type TemplateToken, type TemplateValues } from './template.ts';

const RUNS = { numRuns: process.env.FOREWORD_TEST_LONG === '1' ? 3000 : 300 };
const where = { where: 'prompts/engineer.md' };

function values(given: Partial<TemplateValues> = {}): TemplateValues {
  const names = Object.fromEntries(TEMPLATE_TOKENS.map((token) => [token, `<${token}>`]));
  return { ...(names as Record<TemplateToken, string>), ...given };
}

describe('renderTemplate', () => {
  test('replaces every token, wherever it is', () => {
    const text = TEMPLATE_TOKENS.map((token) => `a {${token}}{${token}} b`).join('\n');
    const rendered = TEMPLATE_TOKENS.map((token) => `a <${token}><${token}> b`).join('\n');
    expect(renderTemplate(text, values(), where)).toEqual({ text: rendered });
  });

  test('a value is not expanded again, and a dollar sign is a character', () => {
    const given = values({ targets: "$& $1 $$ $` $' {queue_md} {{queue_md}} {nonsense}" });
    expect(renderTemplate('[{targets}] $'.concat('{targets}'), given, where)).toEqual({
      text: `[${given.targets}] $${given.targets}`,
    });
  });

  test('doubled braces are the literal text', () => {
    expect(renderTemplate('{{queue_md}} {{anything}} {{{targets}}}', values(), where)).toEqual({
      text: '{queue_md} {anything} {{targets}}',
    });
  });

  test('braces of JSON and code are left alone', () => {
    const text = '{"a": {"b": 1}} {} { x } {A} {a-b} {0} {a.b} function f() { return {b: 1}; } {\ntargets\n}';
    expect(renderTemplate(text, values(), where)).toEqual({ text });
  });

  test('every unknown token is named with its file, line and the tokens there are', () => {
    const rendered = renderTemplate('{context_heading}\n\nok {targets} {todo}\n{todo}', values(), where);
    const message = (name: string) =>
      `unknown token {${name}}; tokens are {context_header} {queue_md} {recent_files_md} {next_work_md} ` +
      `{diffstat_md} {targets} {mode_hint}, and {{${name}}} writes the literal text`;
    expect(rendered).toEqual({
      faults: [
        { where: 'prompts/engineer.md', line: 1, path: '', message: message('context_heading') },
        { where: 'prompts/engineer.md', line: 3, path: '', message: message('todo') },
        { where: 'prompts/engineer.md', line: 4, path: '', message: message('todo') },
      ],
    });
  });

  test('whatever the values are, each is in the text unchanged', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (header, targets) => {
        const rendered = renderTemplate(
          '{context_header}|{targets}',
          values({ context_header: header, targets }),
          where,
        );
        expect(rendered).toEqual({ text: `${header}|${targets}` });
      }),
      RUNS,
    );
  });
});
