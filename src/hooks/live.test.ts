// Hooks in a session that a host of ours began: what it handed over is printed, and it hears what the hooks saw.

import { writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Field } from '../../test/hooks/field.ts';

let field: Field;
let server: Server | undefined;
const received: unknown[] = [];
let env: Record<string, string>;

beforeEach(async () => {
  field = new Field();
  received.length = 0;
  env = { FOREWORD_SESSION: 'live-1', FOREWORD_SOCKET: join(field.folder, 'socket') };
  server = createServer((socket) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    socket.on('end', () =>
      received.push(
        ...text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ),
    );
  });
  await new Promise<void>((resolve) => server?.listen(env.FOREWORD_SOCKET, resolve));
});
afterEach(async () => {
  await new Promise((resolve) => server?.close(resolve));
  field.remove();
});

const payload = { session_id: 'ses-1', source: 'startup', transcript_path: '/t.jsonl' };
function handOver(): void {
  env.FOREWORD_CONTEXT_FILE = join(field.folder, 'context.json');
  writeFileSync(
    env.FOREWORD_CONTEXT_FILE,
    JSON.stringify({
      id: 'fw_host1234',
      text: '[foreword fw_host1234] From the host.',
      commands: 'Print ->continuity:save.',
    }),
  );
}

/** The line is on its way when the hook ends; it arrives at the next turn of the loop or so. */
async function report(count = 1): Promise<unknown> {
  for (let tries = 0; received.length < count && tries < 200; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 5));
  return received[count - 1];
}

test('the host hears every event, with the ids that stood in the prompt', async () => {
  await field.text(
    'prompt',
    'claude',
    { ...payload, prompt: '[CONTEXT INJECTION fw_k3v9abcd - Please acknowledge]' },
    { env },
  );
  expect(await report()).toEqual({
    kind: 'hook',
    session: 'live-1',
    event: 'prompt',
    agent: 'claude',
    hookSession: 'ses-1',
    source: 'startup',
    transcriptPath: '/t.jsonl',
    ids: ['fw_k3v9abcd'],
    at: expect.stringMatching(/Z$/),
  });
  await field.text('stop', 'claude', payload, { env });
  expect(await report(2)).toMatchObject({ event: 'stop', ids: [] });
});

test('what the host handed over is printed once in a context, in place of our own composition', async () => {
  handOver();
  expect(await field.text('session-start', 'claude', payload, { env })).toBe('[foreword fw_host1234] From the host.');
  expect(await report()).toMatchObject({ event: 'session-start', printed: 'fw_host1234' });
  expect(await field.text('session-start', 'claude', payload, { env })).toBe('');
  const prompted = await field.text('prompt', 'claude', { ...payload, prompt: 'go' }, { env });
  expect(prompted).not.toContain('From the host.');
});

test.each(['compact', 'clear'])(
  'after a %s what the session did is said, once, and not the old context',
  async (source) => {
    handOver();
    await field.text('session-start', 'claude', payload, { env });
    const said = [];
    for (const event of ['session-start', 'session-start', 'prompt'])
      said.push(await field.text(event, 'claude', { ...payload, source, prompt: 'go' }, { env }));
    expect(said.map((text) => text.split('STARTUP').length - 1)).toEqual([1, 0, 0]);
    expect(said.join()).not.toContain('From the host.');
    const moment = source === 'compact' ? 'compaction' : 'session-start';
    expect(field.journal().filter(({ kind }) => kind === 'context-printed')).toMatchObject([{ moment }]);
    expect(said[0]).toMatch(/Print ->continuity:save\.\n\n\[end of foreword startup/);
  },
);

test('an agent whose session start was not received gets it with its first prompt', async () => {
  handOver();
  expect(await field.text('prompt', 'gemini', { ...payload, prompt: 'go' }, { env })).toContain('From the host.');
  expect(await report()).toMatchObject({ event: 'prompt', printed: 'fw_host1234' });
});

test('an agent that writes down only what is printed at a prompt gets it there', async () => {
  handOver();
  expect(await field.text('session-start', 'qwen', payload, { env })).toBe('');
  expect(await field.text('prompt', 'qwen', { ...payload, prompt: 'go' }, { env })).toContain('From the host.');
  expect(await report(2)).toMatchObject({ event: 'prompt', printed: 'fw_host1234' });
  field.aheadMs += 60_000;
  const compacted = { ...payload, source: 'compact' };
  expect(await field.text('session-start', 'qwen', compacted, { env })).toContain('STARTUP');
});

test('two at the same moment: one prints it', async () => {
  handOver();
  const both = await Promise.all([
    field.text('session-start', 'claude', payload, { env }),
    field.text('session-start', 'cursor', payload, { env }),
  ]);
  expect(both.filter((text) => text.includes('From the host.'))).toHaveLength(1);
  expect(both.filter((text) => text !== '')).toHaveLength(1);
});

test('a host that chose another way in is not doubled, but after a compaction there is only this one', async () => {
  expect(await field.text('session-start', 'claude', payload, { env })).toBe('');
  expect(await field.text('session-start', 'claude', { ...payload, source: 'compact' }, { env })).toContain('STARTUP');
});

test('a new conversation in the same terminal, which its agent begins without a word about it, is given the startup context', async () => {
  const prompt = (session_id: string, more: object = {}) =>
    field.text('prompt', 'pi', { session_id, source: 'startup', prompt: 'go', ...more }, { env });
  await field.text('session-start', 'pi', payload, { env });
  expect(await prompt('ses-1')).toBe('');
  expect(await prompt('ses-1')).toBe('');
  expect(await field.text('session-start', 'pi', { ...payload, session_id: 'ses-2' }, { env })).toBe('');
  expect(await prompt('ses-2')).toContain('STARTUP');
  expect(await prompt('ses-2')).toBe('');
  expect(await prompt('ses-1')).toBe('');
});

test('an agent that begins again before its first prompt is still waited for', async () => {
  for (const session_id of ['ses-1', 'ses-2'])
    expect(await field.text('session-start', 'gemini', { ...payload, session_id }, { env })).toBe('');
  expect(await field.text('prompt', 'gemini', { ...payload, session_id: 'ses-2', prompt: 'go' }, { env })).toBe('');
});

test.each([
  ['holds what was typed is told nothing', '[CONTEXT INJECTION fw_k3v9abcd - Please acknowledge receipt]', false],
  ['never had a context is given it', 'Hello.', true],
])('a conversation that is resumed in the same terminal and %s', async (_, text, isTold) => {
  const transcript_path = join(field.folder, 'other.jsonl');
  writeFileSync(transcript_path, `${JSON.stringify({ type: 'message', message: { role: 'user', content: text } })}\n`);
  await field.text('prompt', 'pi', { session_id: 'ses-1', prompt: 'go' }, { env });
  const resumed = { session_id: 'ses-2', transcript_path, source: 'resume' };
  expect(await field.text('session-start', 'pi', resumed, { env })).toBe('');
  const printed = await field.text('prompt', 'pi', { ...resumed, prompt: 'go' }, { env });
  expect(printed.includes('STARTUP')).toBe(isTold);
});

test('it works in a folder that is no project of ours', async () => {
  handOver();
  expect(await field.text('session-start', 'claude', { ...payload, cwd: '/' }, { env, cwd: '/' })).toContain(
    'From the host.',
  );
  expect(await report()).toMatchObject({ printed: 'fw_host1234' });
  field.aheadMs += 60_000;
  const compacted = { ...payload, cwd: '/', source: 'compact' };
  expect(await field.text('session-start', 'claude', compacted, { env, cwd: '/' })).toContain('From the host.');
});

test('a host that is gone costs a moment and nothing else', async () => {
  const gone = { ...env, FOREWORD_SOCKET: join(field.folder, 'nobody') };
  expect(await field.text('pre-tool', 'claude', { ...payload, tool_input: {} }, { env: gone })).toContain('Never push');
  expect(field.log()).toContain('the host of the session does not reply');
});

test('a host that does not reply is not waited for', async () => {
  const sockets: Socket[] = [];
  const deaf = createServer((socket) => void sockets.push(socket));
  const path = join(field.folder, 'deaf');
  await new Promise<void>((resolve) => deaf.listen(path, resolve));
  const begun = performance.now();
  await field.text('stop', 'claude', payload, { env: { ...env, FOREWORD_SOCKET: path } });
  expect(performance.now() - begun).toBeLessThan(1000);
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => deaf.close(resolve));
});

test('a context file that is none is left, with a line in the log', async () => {
  for (const text of ['', '[]', '{"id":1,"text":2}', 'null']) {
    handOver();
    writeFileSync(env.FOREWORD_CONTEXT_FILE ?? '', text);
    expect(await field.text('session-start', 'claude', payload, { env })).toBe('');
  }
  expect(field.log()).toContain('could not be read');
});

test('more than the agent takes whole is cut, with a note', async () => {
  handOver();
  writeFileSync(
    env.FOREWORD_CONTEXT_FILE ?? '',
    JSON.stringify({ id: 'fw_host1234', text: 'line of it\n'.repeat(5000) }),
  );
  const text = await field.text('session-start', 'codex', payload, { env });
  expect(text.length).toBeLessThanOrEqual(7900);
  expect(text).toMatch(/\[\d+ more characters had no room here\]$/);
});

test('what nobody would read is left to the next call, and does not count as printed', async () => {
  const first = { ...payload, prompt: 'go on' };
  expect(await field.text('prompt', 'claude', first, { claim: 'quiet' })).toBe('');
  expect(field.journal()).toEqual([]);
  expect(await field.text('prompt', 'claude', first)).toContain('STARTUP');
  expect(field.journal()).toMatchObject([{ kind: 'context-printed' }]);
});

test('what happened while the person worked with another agent is printed with the next prompt, once', async () => {
  writeFileSync(
    join(field.folder, 'meanwhile.json'),
    JSON.stringify({ id: 'fw_meanwhile1', text: '[foreword fw_meanwhile1] While you waited' }),
  );
  const asked = { session_id: 'ses-1', prompt: 'go on', transcript_path: '/t.jsonl' };
  // Some agents call it with an empty prompt after every tool.
  expect(await field.text('prompt', 'claude', { ...asked, prompt: '' }, { env })).not.toContain('While you waited');
  expect(await field.text('prompt', 'claude', asked, { env })).toBe('[foreword fw_meanwhile1] While you waited');
  expect(await report(2)).toMatchObject({ event: 'prompt', printed: 'fw_meanwhile1' });
  expect(await field.text('prompt', 'claude', asked, { env })).not.toContain('While you waited');
});
