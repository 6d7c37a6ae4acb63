// The plug-ins as an agent would load and call them, with a hook program that tells what it was asked.

import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { plugInFor } from './plug-in.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-plug-in-'));
  says('printf \'{"hookSpecificOutput":{"hookEventName":"x","additionalContext":"%s says"}}\' "$1"');
});
afterEach(() => rmSync(folder, { recursive: true }));

const program = () => join(folder, 'foreword-hook');

function says(answer: string): void {
  writeFileSync(
    program(),
    `#!/bin/sh\nprintf '%s ' "$1" "$2" >>'${folder}/asked'\ncat >>'${folder}/asked'\necho >>'${folder}/asked'\n${answer}\n`,
  );
  chmodSync(program(), 0o755);
}

/** Every call so far: event, agent and payload. */
function asked(): readonly { readonly event: string; readonly payload: Readonly<Record<string, unknown>> }[] {
  const lines = readFileSync(join(folder, 'asked'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [event = '', , ...rest] = line.split(' ');
    return { event, payload: JSON.parse(rest.join(' ')) };
  });
}

async function load(text: string): Promise<Record<string, unknown>> {
  const file = join(folder, `plug-in-${Math.random()}.mjs`);
  writeFileSync(file, text);
  return import(/* @vite-ignore */ pathToFileURL(file).href);
}

type Hook = (input: unknown, output?: unknown) => Promise<void>;

/** `prompt` is what its client does with a message that is added to a session. */
async function openCode(prompt?: (asked: unknown) => Promise<unknown>): Promise<Record<string, Hook>> {
  const module = await load(plugInFor('opencode', (event) => [program(), event, 'opencode']));
  const plugIn = module.Foreword as (input: unknown) => Promise<Record<string, Hook>>;
  return plugIn({ directory: folder, ...(prompt === undefined ? {} : { client: { session: { prompt } } }) });
}

const message = (text: string) => ({
  message: {},
  parts: [{ id: 'prt_1', sessionID: 's1', messageID: 'm1', type: 'text', text }],
});

test('OpenCode: the first message of a session gets the start, every one the prompt, and a tool its gate', async () => {
  const hooks = await openCode();
  await hooks.event?.({ event: { type: 'session.created', properties: { info: { id: 's1' } } } });
  const first = message('hello');
  await hooks['chat.message']?.({ sessionID: 's1' }, first);
  expect(first.parts[1]).toEqual({
    id: 'prt_1fw',
    sessionID: 's1',
    messageID: 'm1',
    type: 'text',
    text: 'session-start says\n\nprompt says',
    synthetic: true,
  });
  const second = message('more');
  await hooks['chat.message']?.({ sessionID: 's1' }, second);
  expect(second.parts[1]).toMatchObject({ text: 'prompt says' });
  const result = { title: '', output: 'done', metadata: {} };
  await hooks['tool.execute.after']?.({ sessionID: 's1', tool: 'read', args: { filePath: 'a' } }, result);
  expect(result.output).toBe('done\n\npost-tool says');
  expect(asked()[0]?.payload).toEqual({
    session_id: 's1',
    cwd: folder,
    hook_event_name: 'SessionStart',
    source: 'startup',
  });
  expect(asked()[3]?.payload).toMatchObject({ tool_name: 'read', tool_input: { filePath: 'a' } });
});

test('OpenCode: after a compaction the start comes again with the next tool or message', async () => {
  const hooks = await openCode();
  await hooks['chat.message']?.({ sessionID: 's1' }, message('hello'));
  expect(asked()[0]?.payload).toMatchObject({ source: 'resume' });
  const compacting = { context: [] as string[] };
  await hooks['experimental.session.compacting']?.({ sessionID: 's1' }, compacting);
  expect(compacting.context).toEqual(['pre-compact says']);
  const result = { output: 'done' };
  await hooks['tool.execute.after']?.({ sessionID: 's1', tool: 'read', args: {} }, result);
  expect(result.output).toBe('done\n\nsession-start says\n\npost-tool says');
  expect(asked().at(-2)?.payload).toMatchObject({ source: 'compact' });
  await hooks.event?.({ event: { type: 'session.idle', properties: { sessionID: 's1' } } });
  await hooks.dispose?.(undefined);
  expect(
    asked()
      .slice(-2)
      .map(({ event }) => event),
  ).toEqual(['stop', 'session-end']);
});

const CONTINUES = { sessionID: 's1', message: { agent: 'build', model: { providerID: 'p', modelID: 'm' } } };

test('OpenCode: when it goes on by itself after a compaction, the context is added before that, and only once', async () => {
  const added: unknown[] = [];
  const hooks = await openCode(async (asked) => {
    added.push(asked);
    // It calls the hook for messages with what is added, too.
    const output = message('session-start says');
    await hooks['chat.message']?.({ sessionID: 's1' }, output);
    expect(output.parts).toHaveLength(1);
  });
  await hooks['chat.message']?.({ sessionID: 's1' }, message('hello'));
  await hooks['experimental.session.compacting']?.({ sessionID: 's1' }, { context: [] });
  const output = { enabled: true };
  await hooks['experimental.compaction.autocontinue']?.(CONTINUES, output);
  expect(output).toEqual({ enabled: true });
  const parts = [{ type: 'text', text: 'session-start says', synthetic: true }];
  expect(added).toEqual([{ path: { id: 's1' }, body: { ...CONTINUES.message, noReply: true, parts } }]);
  expect(asked().at(-1)?.payload).toMatchObject({ source: 'compact' });
  const result = { output: 'done' };
  await hooks['tool.execute.after']?.({ sessionID: 's1', tool: 'read', args: {} }, result);
  expect(result.output).toBe('done\n\npost-tool says');
  const next = message('more');
  await hooks['chat.message']?.({ sessionID: 's1' }, next);
  expect(next.parts[1]).toMatchObject({ text: 'prompt says' });
});

test('OpenCode: a context that cannot be added comes with the next tool', async () => {
  const failing = () => Promise.reject(new Error('busy'));
  for (const prompt of [undefined, failing]) {
    const hooks = await openCode(prompt);
    await hooks['experimental.session.compacting']?.({ sessionID: 's1' }, { context: [] });
    await hooks['experimental.compaction.autocontinue']?.(CONTINUES, { enabled: true });
    const result = { output: 'done' };
    await hooks['tool.execute.after']?.({ sessionID: 's1', tool: 'read', args: {} }, result);
    expect(result.output).toBe('done\n\nsession-start says\n\npost-tool says');
  }
});

type Listener = (event: unknown, ctx: unknown) => Promise<unknown>;

interface Sent {
  readonly message: unknown;
  readonly options: unknown;
}

async function pi(limitMs = 3000, sent: Sent[] = []): Promise<Map<string, Listener>> {
  const text = plugInFor('pi', (event) => [program(), event, 'pi']);
  const module = await load(text.replace('LIMIT_MS = 3000', `LIMIT_MS = ${limitMs}`));
  const listeners = new Map<string, Listener>();
  const extension = module.default as (pi: {
    on: (name: string, listener: Listener) => void;
    sendMessage: (message: unknown, options: unknown) => void;
  }) => void;
  extension({
    on: (name, listener) => listeners.set(name, listener),
    sendMessage: (message, options) => sent.push({ message, options }),
  });
  return listeners;
}

const ctx = (id = 'p1') => ({
  cwd: folder,
  sessionManager: { getSessionId: () => id, getSessionFile: () => `/sessions/${id}.jsonl` },
});

const CONTEXT = { customType: 'foreword', content: 'session-start says', display: false };

test('pi: a compaction in the middle of a turn is followed by the context at once, and only once', async () => {
  const sent: Sent[] = [];
  const on = await pi(3000, sent);
  const content = [{ type: 'text', text: 'done' }];
  await on.get('agent_start')?.({}, ctx());
  await on.get('session_before_compact')?.({ reason: 'threshold' }, ctx());
  await on.get('session_compact')?.({ reason: 'threshold', willRetry: false }, ctx());
  expect(sent).toEqual([{ message: CONTEXT, options: { deliverAs: 'steer' } }]);
  expect(asked().at(-1)?.payload).toMatchObject({ source: 'compact' });
  expect(await on.get('tool_result')?.({ toolName: 'read', input: {}, content }, ctx())).toMatchObject({
    content: [{}, { text: 'post-tool says' }],
  });
});

test('pi: a compaction after which a failed turn is tried again is followed by the context', async () => {
  const sent: Sent[] = [];
  const on = await pi(3000, sent);
  await on.get('agent_start')?.({}, ctx());
  await on.get('agent_end')?.({}, ctx());
  await on.get('session_before_compact')?.({ reason: 'overflow' }, ctx());
  await on.get('session_compact')?.({ reason: 'overflow', willRetry: true }, ctx());
  expect(sent).toHaveLength(1);
});

test('pi: after a compaction between two turns the context waits for the prompt: sending it would begin a turn', async () => {
  const sent: Sent[] = [];
  const on = await pi(3000, sent);
  await on.get('session_start')?.({ reason: 'reload' }, ctx());
  await on.get('agent_start')?.({}, ctx());
  await on.get('agent_end')?.({}, ctx());
  await on.get('session_before_compact')?.({ reason: 'threshold' }, ctx());
  await on.get('session_compact')?.({ reason: 'threshold', willRetry: false }, ctx());
  expect(sent).toEqual([]);
  expect(await on.get('before_agent_start')?.({ prompt: 'hello' }, ctx())).toMatchObject({
    message: { content: 'session-start says\n\nprompt says' },
  });
});

test('pi: prompt, tool and compaction get theirs, and a reload does not begin again', async () => {
  const on = await pi();
  await on.get('session_start')?.({ reason: 'startup' }, ctx());
  expect(await on.get('before_agent_start')?.({ prompt: 'hello' }, ctx())).toEqual({
    message: { customType: 'foreword', content: 'session-start says\n\nprompt says', display: false },
  });
  const content = [{ type: 'text', text: 'done' }];
  expect(await on.get('tool_result')?.({ toolName: 'read', input: {}, content }, ctx())).toEqual({
    content: [...content, { type: 'text', text: 'post-tool says' }],
  });
  await on.get('session_before_compact')?.({}, ctx());
  expect(await on.get('tool_result')?.({ toolName: 'read', input: {}, content }, ctx())).toMatchObject({
    content: [{}, { text: 'session-start says\n\npost-tool says' }],
  });
  await on.get('session_start')?.({ reason: 'reload' }, ctx());
  expect(await on.get('before_agent_start')?.({ prompt: 'x' }, ctx())).toMatchObject({
    message: { content: 'prompt says' },
  });
  expect(await on.get('before_agent_start')?.({ prompt: 'x' }, ctx('p2'))).toMatchObject({
    message: { content: 'session-start says\n\nprompt says' },
  });
  await on.get('agent_end')?.({}, ctx());
  await on.get('session_shutdown')?.({}, ctx());
  expect(asked().at(-1)).toEqual({
    event: 'session-end',
    payload: {
      session_id: 'p1',
      cwd: folder,
      hook_event_name: 'SessionEnd',
      transcript_path: '/sessions/p1.jsonl',
      reason: 'other',
    },
  });
});

test('a hook program that is silent, wrong, failing or gone changes nothing', async () => {
  const hooks = await openCode();
  for (const answer of [
    ':',
    'echo hello',
    'echo "{"',
    'echo "null"',
    'exit 3',
    'echo \'{"additionalContext":"  "}\'',
    'kill -9 $$',
  ]) {
    says(answer);
    const told = message('hello');
    await hooks['chat.message']?.({ sessionID: answer }, told);
    expect(told.parts).toHaveLength(1);
  }
  rmSync(program());
  const told = message('hello');
  await hooks['chat.message']?.({ sessionID: 'gone' }, told);
  expect(told.parts).toHaveLength(1);
});

test('a hook program that hangs is ended, and a tool with a huge input is not sent along', async () => {
  says('exec sleep 60');
  expect(await (await pi(100)).get('before_agent_start')?.({ prompt: 'x' }, ctx())).toBe(undefined);
  says(':');
  const on = await pi();
  await on.get('tool_result')?.({ toolName: 'write', input: { text: 'x'.repeat(100_000) }, content: [] }, ctx());
  expect(asked().at(-1)?.payload).toMatchObject({ tool_name: 'write', tool_input: {} });
});
