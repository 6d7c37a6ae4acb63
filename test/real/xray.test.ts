// `foreword xray` with the real agents and a planted set-up: every planted fault is found, with the right owner and size, and nothing of the
// home is written.

import { expect, test } from 'vitest';
import { ownHooks } from '../../src/agents/codex/trust.ts';
import { sha256 } from '../../src/system/sha256.ts';
import { AGENTS } from './field.ts';
import {
  BIG,
  DROPPED,
  hooksOf,
  IMPORTED,
  LINES,
  LONG,
  OF_HOME,
  OF_PROJECT,
  type Planted,
  SAME,
  SKILL,
  serverCommand,
  TIME,
  xrayPlanted,
} from './planted.ts';

const FOUND = 'every planted fault of a set-up is found with its owner, and the home stays as it is';

/** The tools of the planted server, as a service is given them. */
const MANY = Array.from({ length: 40 }, (_, at) => ({
  name: `tool_${at}`,
  description: `Does the planted thing number ${at}.`,
  parameters: { type: 'object', properties: { text: { type: 'string' } } },
}));

/** What is the same for agents whose hooks are commands. */
function expectHooks({ result, one, own }: Planted, events: { readonly prompt: string }): void {
  expect(one('slow', LINES.slow)).toMatchObject({ event: events.prompt });
  expect(one('failed', 'exit 3')).toMatchObject({ event: events.prompt, exitCode: 3, said: 'no such table' });
  expect(one('twice', 'printf')).toMatchObject({ owners: [{ kind: 'hook' }, { kind: 'hook' }] });
  expect(one('cache', 'It is now')).toMatchObject({ step: { from: 'first prompt', to: 'new session' } });
  expect(one('lost', 'which the agent drops')).toMatchObject({ event: 'PreToolUse', characters: DROPPED.length });
  expect(own('It is now') / TIME.length).toBeCloseTo(1, 2);
  expect(result.servers).toMatchObject([{ owner: { kind: 'server', name: 'many' }, tools: 40 }]);
  expect(own(LINES.same) / SAME.length).toBeCloseTo(1, 2);
}

test.runIf(AGENTS.includes('claude'))(`claude: ${FOUND}`, () => {
  const seen = xrayPlanted('claude', ({ home, write }) => {
    const hooks = {
      SessionStart: hooksOf(LINES.big(home), LINES.time),
      UserPromptSubmit: hooksOf(LINES.slow, LINES.failing, LINES.same, LINES.again),
      PreToolUse: hooksOf(LINES.dropped),
    };
    write('home/.claude/settings.json', JSON.stringify({ hooks, env: { ANTHROPIC_BASE_URL: 'https://else.invalid' } }));
    write('home/.claude/.credentials.json', '{"claudeAiOauth":{"accessToken":"planted"}}');
    const [command, script] = serverCommand(home);
    write('home/.claude.json', JSON.stringify({ mcpServers: { many: { command, args: [script] } } }));
    write('home/.claude/CLAUDE.md', `${OF_HOME}\n\n@imported.md\n`);
    write('home/.claude/imported.md', `${IMPORTED}\n`);
    write('home/project/CLAUDE.md', `${OF_PROJECT}\n`);
  });
  expectHooks(seen, { prompt: 'UserPromptSubmit' });
  const { one, own, result, page } = seen;
  expect(one('cut', 'big.txt')).toMatchObject({ event: 'SessionStart', of: BIG.length });
  expect(one('lost', 'which the agent drops')).toMatchObject({ event: 'PreToolUse', isPlain: true });
  expect(own('imported.md') / IMPORTED.length).toBeCloseTo(1, 2);
  // Up to the last whole line of the first 2,000 characters.
  const upTo = BIG.lastIndexOf('\n', 2000) + 1;
  const cut = one('cut', 'big.txt');
  expect(cut?.kind === 'cut' ? [cut.characters / upTo, cut.at / upTo] : []).toEqual([
    expect.closeTo(1, 2),
    expect.closeTo(1, 2),
  ]);
  // Of the tools of a server it is given the names alone.
  const names = MANY.map(({ name }) => `mcp__many__${name}`).join('');
  expect(own('many') / names.length).toBeCloseTo(1, 2);
  expect(result.cache.steps.slice(0, -1).every(({ broken }) => broken === undefined)).toBe(true);
  expect(page).toContain('<h1>The hook');
});

test.runIf(AGENTS.includes('codex'))(`codex: ${FOUND}`, () => {
  const seen = xrayPlanted('codex', ({ home, write }) => {
    const hooks = {
      // A text that is too long becomes a file with a new name each time, which breaks the cache as well.
      SessionStart: hooksOf(LINES.time, LINES.big(home)),
      UserPromptSubmit: hooksOf(LINES.slow, LINES.failing, LINES.same, LINES.again),
      PreToolUse: hooksOf(LINES.dropped),
      PostToolUse: hooksOf('echo nobody agreed to this one'),
    };
    const agreed = ownHooks(hooks, (command) => !String(command).includes('nobody agreed')).map(
      ({ place, text }) =>
        `[hooks.state."${home}/.codex/hooks.json:${place}"]\ntrusted_hash = "sha256:${sha256(text)}"\n`,
    );
    const [command, script] = serverCommand(home);
    const server = `[mcp_servers.many]\ncommand = "${command}"\nargs = ["${script}"]\n`;
    write('home/.codex/hooks.json', JSON.stringify({ hooks }));
    write('home/.codex/auth.json', '{"OPENAI_API_KEY":"planted"}');
    write('home/.codex/config.toml', ['model = "other"\n', server, ...agreed].join(''));
    write('home/.codex/AGENTS.md', `${OF_HOME}\n`);
    write('home/.codex/skills/planted/SKILL.md', `---\nname: planted\ndescription: ${SKILL}\n---\nBody.\n`);
    write('home/project/AGENTS.md', `${LONG}\n`);
  });
  expectHooks(seen, { prompt: 'UserPromptSubmit' });
  const { one, own, result } = seen;
  // Over 2,500 tokens it writes a file and gives its model the two ends.
  const cut = one('cut', 'big.txt');
  expect(cut).toMatchObject({ event: 'SessionStart', of: BIG.length });
  expect(cut?.kind === 'cut' ? cut.characters / own('big.txt') : 0).toBeCloseTo(1, 2);
  expect(cut?.kind === 'cut' ? (2 * cut.at) / cut.characters : 0).toBeCloseTo(1, 2);
  const namespace = { type: 'namespace', name: 'mcp__many', description: 'Tools in the mcp__many namespace.' };
  const sent = MANY.map((tool) => ({ type: 'function', ...tool, strict: false }));
  expect(own('many') / [namespace, ...sent].map((one) => JSON.stringify(one)).join('').length).toBeCloseTo(1, 2);
  expect(one('lost', 'which the agent drops')).toMatchObject({ event: 'PreToolUse', isPlain: true });
  expect(one('skipped', 'nobody agreed')).toMatchObject({ event: 'PostToolUse' });
  expect(own('~/.codex/AGENTS.md') / OF_HOME.length).toBeCloseTo(1, 2);
  // It takes 32 KiB of the files of a project.
  const rules = one('cut', '"AGENTS.md"');
  expect(rules?.kind === 'cut' ? [rules.characters / 32_768, rules.of / LONG.length] : []).toEqual([
    expect.closeTo(1, 2),
    expect.closeTo(1, 2),
  ]);
  expect(own('SKILL.md')).toBeGreaterThanOrEqual(SKILL.length);
  expect(result.cache.steps.slice(0, -1).every(({ broken }) => broken === undefined)).toBe(true);
});
