// Twelve losses planted in one home, in the transcripts and settings of six agents, beside sessions in which nothing is wrong: each is found, and
// nothing else.

import { createHash } from 'node:crypto';
import { parse } from 'smol-toml';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ownHooks } from '../../src/agents/codex/trust.ts';
import type { AuditFinding } from '../../src/verify/audit/tally.ts';
import { AuditHome, ClaudeSession, RULES } from './home.ts';

let home: AuditHome;
beforeEach(() => {
  home = new AuditHome();
});
afterEach(() => home.remove());

type Fields = Readonly<Record<string, unknown>>;

/** Each record a second after the one before. */
function lines(records: readonly Fields[], from = Date.UTC(2026, 10, 1, 12)): string {
  return records
    .map(
      (record, second) => `${JSON.stringify({ timestamp: new Date(from + second * 1000).toISOString(), ...record })}\n`,
    )
    .join('');
}

function claude(session: string, plant: (one: ClaudeSession) => ClaudeSession = (one) => one): void {
  const one = new ClaudeSession({ session }).hook('SessionStart', RULES).prompt('fix the route').tool('Read').edit();
  home.write(`.claude/projects/-home-ada-shop/${session}.jsonl`, plant(one.say('Fixed.')).text());
}

function claudeLosses(): void {
  const editor = new ClaudeSession({ session: 'editor', entry: 'claude-vscode' }).prompt('fix it').edit().say('Done.');
  home.write('.claude/projects/-home-ada-shop/editor.jsonl', editor.text());
  const long = `Read this first. ${'0123456789'.repeat(1200)}The end.`;
  const preview = `<persisted-output>\nOutput too large (11.7KB). Preview (first 2KB):\n${long.slice(0, 2000)}\n...\n</persisted-output>`;
  claude('cut', (one) => one.hook('SessionStart', long, { served: preview }).prompt('go').say('ok'));
  const lost = (by: string) => (one: ClaudeSession) =>
    one
      .hook('SessionStart', `${RULES} after the ${by}`, { name: `SessionStart:${by}`, served: null })
      .prompt('go on')
      .say('ok')
      .say('ok');
  claude('fork', lost('fork'));
  claude('resume', lost('resume'));
  claude('compaction', (one) => one.compact().prompt('go on').tool('Read').edit().say('done'));
  claude('parent', (one) => one.tool('Agent'));
  const child = new ClaudeSession({ session: 'parent' })
    .add({ type: 'user', isSidechain: true, message: { role: 'user', content: 'count' } })
    .add({ type: 'assistant', isSidechain: true, message: { id: 'x', content: [] } });
  home.write('.claude/projects/-home-ada-shop/parent/subagents/agent-1.jsonl', child.text());
}

/** One hook to which nobody agreed, one that was changed afterwards, and one that is as it was agreed to. */
function codexLosses(): void {
  const hook = (command: string) => [{ hooks: [{ type: 'command', command, timeout: 5 }] }];
  const hooks = (stop: string) => ({
    SessionStart: hook('unseen.sh'),
    Stop: hook(stop),
    UserPromptSubmit: hook('agreed.sh'),
  });
  home.toml = parse;
  home.write('.codex/hooks.json', JSON.stringify({ hooks: hooks('changed.sh --more') }));
  const agreed = ownHooks(hooks('changed.sh'), (command) => command !== 'unseen.sh').map(({ place, text }) => {
    const hash = createHash('sha256').update(text).digest('hex');
    return `[hooks.state."${home.path}/.codex/hooks.json:${place}"]\ntrusted_hash = "sha256:${hash}"\n`;
  });
  home.write('.codex/config.toml', agreed.join(''));
  const meta = { id: 'c-1', cli_version: '0.166.0', cwd: '/home/ada/shop', source: 'cli' };
  const item = (payload: Fields) => ({ type: 'response_item', payload });
  const said = (role: string, type: string, text: string) => item({ type: 'message', role, content: [{ type, text }] });
  home.write(
    '.codex/sessions/2026/11/01/rollout-2026-11-01T12-00-00-c-1.jsonl',
    lines([
      { type: 'session_meta', payload: meta },
      said('user', 'input_text', 'fix the route'),
      said('assistant', 'output_text', 'Fixed.'),
    ]),
  );
}

/** The clock goes back for an hour. */
function copilotLoss(): void {
  const at = Date.UTC(2026, 10, 1, 12);
  const about = { sessionId: 'p-1', copilotVersion: '1.0.102', context: { cwd: '/home/ada/shop' } };
  const talk = (said: string) => [
    { type: 'user.message', data: { content: said, transformedContent: said } },
    { type: 'assistant.message', data: { messageId: said, content: 'Done.', toolRequests: [] } },
    { type: 'session.usage_record', data: { usage: { apiCallId: said, inputTokens: 900, outputTokens: 9 } } },
  ];
  const before = lines([{ type: 'session.start', data: about }, ...talk('one')], at);
  home.write('.copilot/session-state/p-1/events.jsonl', before + lines(talk('two'), at - 3_600_000));
}

/** The same text twice in one conversation. */
function geminiLoss(): void {
  const user = (id: string) => ({
    id,
    type: 'user',
    content: [{ text: `<hook_context>${RULES}</hook_context>\n\ngo` }],
  });
  const answer = (id: string) => ({ id, type: 'gemini', content: 'Done.', toolCalls: [] });
  const about = { sessionId: 'g-1', projectHash: 'abc', kind: 'main' };
  home.write('.gemini/tmp/p/chats/session-1.jsonl', lines([about, user('m1'), answer('m2'), user('m3'), answer('m4')]));
}

/** A line that broke off. */
function piLoss(): void {
  const message = (id: string, role: string) => ({
    ...{ id, type: 'message' },
    message: { role, content: [{ type: 'text', text: `words of ${id}` }] },
  });
  const about = { type: 'session', version: 3, id: 'i-1', cwd: '/home/ada/shop' };
  const before = lines([about, message('e1', 'user')]);
  home.write(
    '.pi/agent/sessions/p/1_x.jsonl',
    `${before}{"id":"e2","type":"mess\n${lines([message('e3', 'assistant')])}`,
  );
}

/** A version that writes other records. */
function qwenLoss(): void {
  const records = [1, 2, 3, 4].map((id) => ({ v: '9.0.0', kind: 'turn', id }));
  home.write('.qwen/projects/p/chats/x.jsonl', lines(records));
}

function named({ kind, agent, entry, event, command, during, example }: AuditFinding): string {
  const about = [kind, agent, entry === 'editor' ? entry : undefined, event, command, during, example];
  return about.filter((one) => one !== undefined && one !== '').join(' ');
}

test('twelve losses of six agents in one home are all found, and nothing else', async () => {
  for (const number of [1, 2, 3]) claude(`clean-${number}`);
  expect((await home.audit()).findings).toEqual([]);
  claudeLosses();
  codexLosses();
  copilotLoss();
  geminiLoss();
  piLoss();
  qwenLoss();
  const { findings, groups } = await home.audit();
  expect(findings.map(named).sort()).toEqual(
    [
      'no-hooks claude editor editor',
      'untrusted codex SessionStart unseen.sh',
      'modified codex Stop changed.sh --more',
      'cut claude SessionStart remember.sh cut',
      'lost claude SessionStart remember.sh fork fork',
      'lost claude SessionStart remember.sh resume resume',
      'not-again claude compaction',
      'sub-agents claude',
      'clock copilot p-1',
      'again gemini g-1',
      'torn pi ~/.pi/agent/sessions/p/1_x.jsonl',
      'unknown-format qwen ~/.qwen/projects/p/chats/x.jsonl',
    ].sort(),
  );
  expect(findings.map(({ count }) => count)).toEqual(findings.map(() => 1));
  // What is around a loss is counted all the same.
  expect([...new Set(groups.map(({ agent }) => agent))].sort()).toEqual(['claude', 'codex', 'copilot', 'gemini', 'pi']);
});
