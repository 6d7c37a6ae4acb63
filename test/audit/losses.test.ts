// Losses that are planted in transcripts, each found; and none in clean ones.

import { createHash } from 'node:crypto';
import { parse } from 'smol-toml';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownHooks } from '../../src/agents/codex/trust.ts';
import type { AuditFinding } from '../../src/verify/audit/tally.ts';
import { findingLines } from '../../src/verify/audit/text.ts';
import { AuditHome, ClaudeSession, RULES } from './home.ts';

let home: AuditHome;
beforeEach(() => {
  home = new AuditHome();
});
afterEach(() => home.remove());

const CLAUDE = '.claude/projects/-home-ada-shop';

function clean(options: ConstructorParameters<typeof ClaudeSession>[0] = {}): ClaudeSession {
  return new ClaudeSession(options)
    .hook('SessionStart', RULES)
    .prompt('fix the route')
    .tool('Read')
    .tool('Grep')
    .edit()
    .say('Fixed.');
}

async function found(): Promise<readonly AuditFinding[]> {
  const { findings } = await home.audit();
  expect(findingLines({ findings }).every((line) => !line.includes('undefined'))).toBe(true);
  return findings;
}

test('a clean session has its figures and no finding', async () => {
  home.write(`${CLAUDE}/s-1.jsonl`, clean().text());
  const { groups, findings, files } = await home.audit();
  expect({ findings, files }).toEqual({ findings: [], files: 1 });
  expect(groups).toMatchObject([
    { agent: 'claude', version: '2.1.325', entry: 'terminal', sessions: 1, prompts: 1, actions: 3, edits: 1, hooks: 1 },
  ]);
  expect(groups[0]).toMatchObject({ printed: 1, served: 1, characters: RULES.length, lost: 0, cut: 0, again: 0 });
  // Each reply makes the conversation 200 tokens longer, and has ten itself.
  expect(groups[0]?.reorientation.start).toMatchObject({
    beginnings: 1,
    edited: 1,
    actions: { median: 2, p75: 2 },
    tokens: { count: 1 },
  });
});

test('hooks that never run in an editor, while they run in the terminal', async () => {
  home.write(`${CLAUDE}/s-1.jsonl`, clean().text());
  const editor = new ClaudeSession({ session: 's-2', entry: 'claude-vscode' }).prompt('fix it').edit().say('Done.');
  home.write(`${CLAUDE}/s-2.jsonl`, editor.text());
  expect(await found()).toMatchObject([{ kind: 'no-hooks', entry: 'editor', count: 1, example: 's-2' }]);
});

function editorSession(number: number): ClaudeSession {
  return new ClaudeSession({ session: `s-e${number}`, entry: 'claude-vscode' });
}

test('hooks that never run in an editor, though one session there has no prompt and one was begun in the terminal', async () => {
  home.write(`${CLAUDE}/s-1.jsonl`, clean().text());
  for (const number of [1, 2, 3])
    home.write(`${CLAUDE}/s-e${number}.jsonl`, editorSession(number).prompt('fix it').edit().say('Done.').text());
  home.write(`${CLAUDE}/s-e4.jsonl`, editorSession(4).say('Hello.').text());
  home.write(`${CLAUDE}/s-e5.jsonl`, clean({ session: 's-e5', entry: 'claude-vscode' }).text());
  expect(await found()).toMatchObject([{ kind: 'no-hooks', entry: 'editor', count: 3, of: 4, example: 's-e3' }]);
  const { groups } = await home.audit();
  expect(groups.find(({ entry }) => entry === 'editor')).toMatchObject({
    ...{ sessions: 5, prompted: 4, withoutHooks: 3, told: 1 },
  });
});

test('an editor in which hooks run, but for a session now and then, is no finding', async () => {
  home.write(`${CLAUDE}/s-1.jsonl`, clean().text());
  for (const number of [1, 2])
    home.write(`${CLAUDE}/s-e${number}.jsonl`, clean({ session: `s-e${number}`, entry: 'claude-vscode' }).text());
  home.write(`${CLAUDE}/s-e3.jsonl`, editorSession(3).prompt('fix it').edit().say('Done.').text());
  expect(await found()).toEqual([]);
});

test('an editor in a folder without hooks is no finding', async () => {
  home.write(`${CLAUDE}/s-1.jsonl`, clean().text());
  const elsewhere = new ClaudeSession({ session: 's-2', entry: 'claude-vscode', cwd: '/home/ada/other' });
  home.write('.claude/projects/-home-ada-other/s-2.jsonl', elsewhere.prompt('hello').say('Hello.').text());
  expect(await found()).toEqual([]);
});

/** The settings of Codex with one hook, and what a person agreed to. */
function codexHook(command: string, agreedTo?: string): void {
  const hooks = (line: string) => ({ SessionStart: [{ hooks: [{ type: 'command', command: line, timeout: 5 }] }] });
  home.toml = parse;
  home.write('.codex/hooks.json', JSON.stringify({ hooks: hooks(command) }));
  const [{ place, text } = expect.fail()] = ownHooks(hooks(agreedTo ?? command), () => true);
  const hash = createHash('sha256').update(text).digest('hex');
  const state = `[hooks.state."${home.path}/.codex/hooks.json:${place}"]\ntrusted_hash = "sha256:${hash}"\n`;
  home.write('.codex/config.toml', agreedTo === undefined ? 'model = "x"\n' : state);
}

test('a hook that Codex skips because nobody agreed to it', async () => {
  codexHook('remember.sh');
  expect(await found()).toMatchObject([
    { kind: 'untrusted', agent: 'codex', event: 'SessionStart', command: 'remember.sh' },
  ]);
});

test('a hook that Codex skips because it was changed', async () => {
  codexHook('remember.sh --more', 'remember.sh');
  expect(await found()).toMatchObject([{ kind: 'modified', agent: 'codex', command: 'remember.sh --more' }]);
});

test('a hook that a person agreed to is no finding', async () => {
  codexHook('remember.sh', 'remember.sh');
  expect(await found()).toEqual([]);
});

test('a text that was cut', async () => {
  const long = `${RULES}${'0123456789'.repeat(1200)}The end.`;
  const preview = `<persisted-output>\nOutput too large (11.7KB). Preview (first 2KB):\n${long.slice(0, 2000)}\n...\n</persisted-output>`;
  const session = new ClaudeSession().hook('SessionStart', long, { served: preview }).prompt('go').say('ok');
  home.write(`${CLAUDE}/s-1.jsonl`, session.text());
  expect(await found()).toMatchObject([{ kind: 'cut', event: 'SessionStart', command: 'remember.sh', count: 1 }]);
});

test('a text that was cut by an agent that keeps only what it made of it', async () => {
  const item = (payload: object) =>
    JSON.stringify({ type: 'response_item', timestamp: '2026-11-01T12:00:00.000Z', payload });
  const meta = { id: 'c-1', cli_version: '0.166.0', cwd: '/home/ada/shop', source: 'cli' };
  const hook = {
    type: 'message',
    role: 'developer',
    content: [{ type: 'input_text', text: 'Warning: truncated output (original token count: 3002)\nthe rules' }],
    internal_chat_message_metadata_passthrough: {
      content_item_metadata: [{ provenance: { type: 'harness', hook: true } }],
    },
  };
  const lines = [JSON.stringify({ type: 'session_meta', payload: meta }), item(hook), item({ ...hook, role: 'user' })];
  home.write('.codex/sessions/2026/11/01/rollout-2026-11-01T12-00-00-c-1.jsonl', `${lines.join('\n')}\n`);
  expect(await found()).toMatchObject([{ kind: 'cut', agent: 'codex', version: '0.166.0', entry: 'terminal' }]);
});

test('a text that was printed and never arrived: at the start, and after a fork, a resume and a compaction', async () => {
  const lost = { served: null };
  const session = clean()
    .hook('SessionStart', `${RULES} resumed`, { ...lost, name: 'SessionStart:resume' })
    .prompt('go on')
    .say('ok')
    .hook('SessionStart', `${RULES} forked`, { ...lost, name: 'SessionStart:fork' })
    .prompt('go on')
    .say('ok')
    .compact()
    .hook('SessionStart', `${RULES} compacted`, { ...lost, name: 'SessionStart:compact' })
    .prompt('go on')
    .say('ok');
  home.write(`${CLAUDE}/s-1.jsonl`, session.text());
  home.write(
    `${CLAUDE}/s-2.jsonl`,
    new ClaudeSession({ session: 's-2' }).hook('SessionStart', RULES, lost).prompt('go').say('ok').text(),
  );
  const all = await found();
  expect(
    all
      .filter(({ kind }) => kind === 'lost')
      .map(({ during }) => during)
      .sort(),
  ).toEqual(['compaction', 'fork', 'resume', 'start']);
  expect(all.every(({ command }) => command === 'remember.sh')).toBe(true);
});

test('nothing was said again after a compaction', async () => {
  const session = clean().compact().prompt('go on').tool('Read').tool('Read').edit().say('done');
  home.write(`${CLAUDE}/s-1.jsonl`, session.text());
  expect(await found()).toMatchObject([{ kind: 'not-again', count: 1 }]);
  const { groups } = await home.audit();
  expect(groups[0]?.reorientation.compaction).toMatchObject({ beginnings: 1, edited: 1, actions: { median: 2 } });
});

test('the same text before the model twice, and once more after a compaction is right', async () => {
  const twice = clean().hook('UserPromptSubmit', RULES).prompt('again').say('ok');
  home.write(`${CLAUDE}/s-1.jsonl`, twice.text());
  const right = clean({ session: 's-2' }).compact().hook('SessionStart', RULES).prompt('go on').say('ok').say('ok');
  home.write(`${CLAUDE}/s-2.jsonl`, right.text());
  expect(await found()).toMatchObject([{ kind: 'again', count: 1, example: 's-1' }]);
});

test('sub-agents that were given nothing', async () => {
  const child = (session: string) =>
    new ClaudeSession({ session }).add({
      type: 'user',
      isSidechain: true,
      message: { role: 'user', content: 'count' },
    });
  home.write(`${CLAUDE}/s-1.jsonl`, clean().tool('Agent').text());
  const alone = child('s-1').add({ type: 'assistant', isSidechain: true, message: { id: 'x', content: [] } });
  home.write(`${CLAUDE}/s-1/subagents/agent-1.jsonl`, alone.text());
  expect(await found()).toMatchObject([{ kind: 'sub-agents', agent: 'claude', count: 1 }]);
  const { groups, subagents } = await home.audit();
  expect({ sessions: groups[0]?.sessions, subagents }).toEqual({
    sessions: 1,
    subagents: [{ agent: 'claude', count: 1, told: 0 }],
  });
});

test('a sub-agent inside the conversation of its parent is not that conversation', async () => {
  const session = clean();
  for (let turn = 0; turn < 20; turn += 1)
    session.add({
      type: 'assistant',
      isSidechain: true,
      message: { id: `x${turn}`, content: [{ type: 'tool_use', id: `x${turn}`, name: 'Read' }] },
    });
  home.write(`${CLAUDE}/s-1.jsonl`, session.text());
  expect((await home.audit()).groups[0]?.actions).toBe(3);
});

test('a clock that jumped', async () => {
  const session = clean();
  session.at -= 3_600_000;
  home.write(`${CLAUDE}/s-1.jsonl`, session.prompt('again').say('ok').text());
  expect(await found()).toMatchObject([{ kind: 'clock', count: 1 }]);
});

test('lines that broke off; a last one that is being written is none of them', async () => {
  const lines = clean().lines.flatMap((line, index) => (index === 2 ? [line.slice(0, 40)] : [line]));
  home.write(`${CLAUDE}/s-1.jsonl`, `${lines.join('\n')}\n{"type":"assist`);
  expect(await found()).toMatchObject([{ kind: 'torn', count: 1 }]);
});

test('a version whose format is not known', async () => {
  const lines = [1, 2, 3, 4].map((id) => JSON.stringify({ v: '9.0.0', kind: 'turn', id }));
  home.write(`${CLAUDE}/s-9.jsonl`, `${lines.join('\n')}\n`);
  const { groups, findings } = await home.audit();
  expect({ groups, findings }).toMatchObject({ groups: [], findings: [{ kind: 'unknown-format', count: 1 }] });
});

test('a hook that failed, and one that was slow', async () => {
  const session = clean()
    .hook('PreToolUse', RULES, { exitCode: 1, served: null })
    .hook('PreToolUse', 'x', { ms: 6000 });
  home.write(`${CLAUDE}/s-1.jsonl`, session.text());
  expect((await found()).map(({ kind }) => kind)).toEqual(['failed', 'slow']);
});

test('what a fork copied is counted once, and its own part from the fork on', async () => {
  const parent = clean();
  home.write(`${CLAUDE}/s-1.jsonl`, parent.text());
  const fork = new ClaudeSession({ session: 's-2' });
  fork.lines.push(...parent.lines.map((line) => line.replaceAll('"sessionId":"s-1"', '"sessionId":"s-2"')));
  fork.at = parent.at;
  home.write(`${CLAUDE}/s-2.jsonl`, fork.prompt('another way').tool('Read').edit().say('ok').text());
  const { groups, findings } = await home.audit();
  expect(findings).toEqual([]);
  expect(groups[0]).toMatchObject({ sessions: 2, prompts: 2, actions: 5, edits: 2, hooks: 1, served: 1, forks: 1 });
  expect(groups[0]?.reorientation.fork).toMatchObject({ beginnings: 1, actions: { median: 1 } });
});

test('a session that took over from another agent is measured as a switch', async () => {
  const text = '--- PROVIDER SWITCH CONTEXT ---\nPrevious provider (codex) failed: quota\n--- END CONTEXT ---';
  const session = new ClaudeSession().hook('SessionStart', text).prompt('go on').tool('Read').edit().say('ok');
  home.write(`${CLAUDE}/s-1.jsonl`, session.text());
  const [group] = (await home.audit()).groups;
  expect(Object.keys(group?.reorientation ?? {})).toEqual(['switch']);
});

test('beginnings are kept apart by whether a hook had told the agent something before the edit', async () => {
  home.write(`${CLAUDE}/s-1.jsonl`, clean().text());
  home.write(
    `${CLAUDE}/s-2.jsonl`,
    new ClaudeSession({ session: 's-2' }).prompt('fix').edit().hook('Stop', RULES).say('ok').text(),
  );
  const { orientation } = await home.audit();
  expect(orientation).toMatchObject([
    { by: 'start', told: { total: 1, value: Math.log(3) }, untold: { total: 1, value: 0 } },
  ]);
});
