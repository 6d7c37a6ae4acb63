// Transcripts that somebody made to do harm: nothing is written, nothing hangs, nothing of them is more than text on the page.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { auditPage } from '../../src/verify/audit/page.ts';
import { auditTables, findingLines } from '../../src/verify/audit/text.ts';
import { AuditHome, ClaudeSession, RULES } from './home.ts';

let home: AuditHome;
beforeEach(() => {
  home = new AuditHome();
});
afterEach(() => home.remove());

const CLAUDE = '.claude/projects/-home-ada-shop';
const EVIL = `</li><script>alert(1)</script><img src=x onerror=alert(2)>\u001b]0;owned\u0007\u202e"'&`;

test('HTML and control characters of a transcript are text on the page', async () => {
  const session = new ClaudeSession({ session: EVIL, version: EVIL, entry: EVIL, cwd: EVIL })
    .hook(EVIL, RULES, { name: EVIL, exitCode: 1 })
    .add({
      type: 'attachment',
      attachment: { type: 'hook_success', hookEvent: 'SessionStart', command: EVIL, stdout: EVIL },
    })
    .prompt(EVIL)
    .say(EVIL);
  home.write(`${CLAUDE}/s.jsonl`, session.text());
  const found = await home.audit();
  expect(found.findings.length).toBeGreaterThan(1);
  const page = auditPage({ ...found, read: EVIL });
  expect(page).not.toMatch(/<script|<img|<\/li><s|onerror=alert\(2\)>/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
  expect(page).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(page).toContain("default-src 'none'");
  expect(page.match(/<[a-z]+\d?/g)?.every((tag) => KNOWN_TAGS.has(tag))).toBe(true);
});

const KNOWN_TAGS = new Set(
  ['html', 'head', 'meta', 'title', 'style', 'body', 'h1', 'h2', 'p', 'ul', 'li', 'div', 'table', 'tr', 'th', 'td'].map(
    (name) => `<${name}`,
  ),
);

test('links, pipes and folders in the place of a transcript are not read', async () => {
  const outside = join(home.path, 'outside.jsonl');
  writeFileSync(outside, new ClaudeSession().prompt('secret').say('secret').text());
  const folder = join(home.path, CLAUDE);
  mkdirSync(join(folder, 'folder.jsonl'), { recursive: true });
  symlinkSync(outside, join(folder, 'link.jsonl'));
  symlinkSync(home.path, join(home.path, '.claude/projects/loop'));
  execFileSync('mkfifo', [join(folder, 'pipe.jsonl')]);
  const { files, groups } = await home.audit();
  expect({ files, groups }).toEqual({ files: 0, groups: [] });
});

test('a line without an end, deep nesting and wrong types everywhere are survived', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const odd = [
    null,
    1,
    'x',
    [],
    {},
    { type: 'assistant', message: 7 },
    { type: 'attachment', attachment: { hookEvent: 1 } },
  ];
  const more: readonly object[] = [
    {
      type: 'attachment',
      attachment: { hookEvent: 'SessionStart', type: 'hook_additional_context', content: { a: 1 } },
    },
    { type: 'user', message: { content: [null, 5, { type: 'tool_result' }] } },
    {
      type: 'assistant',
      message: { content: [{ type: 'tool_use', id: {}, name: [] }], usage: { input_tokens: 'many' } },
    },
    { type: '__proto__', __proto__: { type: 'user' }, constructor: 1 },
  ];
  const lines = [...odd, ...more].map((value) => JSON.stringify(value));
  for (const place of [
    `${CLAUDE}/a.jsonl`,
    '.codex/sessions/2026/11/01/rollout-x.jsonl',
    '.gemini/tmp/p/chats/session-x.jsonl',
    '.qwen/projects/p/chats/x.jsonl',
    '.copilot/session-state/x/events.jsonl',
    '.pi/agent/sessions/p/1_x.jsonl',
  ])
    home.write(place, `${lines.join('\n')}\n${deep}\n${'x'.repeat(300_000)}\u0000\n`);
  const found = await home.audit();
  expect(found.files).toBe(6);
  expect(found.findings.filter(({ kind }) => kind === 'torn')).toHaveLength(6);
  expect(() => [findingLines(found), auditTables(found)]).not.toThrow();
});

test('a line of 40 MB is left out and named, and what follows it is read', async () => {
  const session = new ClaudeSession().prompt('one').say('ok');
  const long = JSON.stringify({ type: 'user', text: 'x'.repeat(40_000_000) });
  home.write(`${CLAUDE}/s.jsonl`, `${session.lines[0]}\n${long}\n${session.lines[1]}\n`);
  const { groups, findings } = await home.audit();
  expect(findings).toMatchObject([{ kind: 'long', count: 1 }]);
  expect(groups).toMatchObject([{ prompts: 1, sessions: 1 }]);
});

test('nothing in the home is written, created or touched', async () => {
  home.write(`${CLAUDE}/s.jsonl`, new ClaudeSession().hook('SessionStart', RULES).prompt('go').say('ok').text());
  home.write('.codex/hooks.json', '{"hooks":{}}');
  const before = snapshot();
  await home.audit();
  expect(snapshot()).toEqual(before);
});

function snapshot(): readonly string[] {
  return readdirSync(home.path, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const { mtimeMs, ctimeMs, mode } = statSync(path);
    return `${path} ${mtimeMs} ${ctimeMs} ${mode} ${entry.isFile() ? readFileSync(path, 'utf8') : ''}`;
  });
}

test('thousands of versions and findings stay bounded', async () => {
  for (let number = 0; number < 400; number += 1)
    home.write(
      `${CLAUDE}/s-${number}.jsonl`,
      new ClaudeSession({ session: `s-${number}`, version: `${number}.0` }).prompt('a').say('b').text(),
    );
  const { groups } = await home.audit();
  expect(groups.length).toBeLessThanOrEqual(301);
  expect(groups.reduce((sum, { sessions }) => sum + sessions, 0)).toBe(400);
});
