// `foreword mcp` as an agent starts it: a process that is written to and read line by line, in both versions of the protocol.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { foreword, hasState, homeFor } from '../foreword.ts';

const MAIN = join(import.meta.dirname, '../../dist/command/start.cjs');
const MODERN = '2026-07-28';

interface Reply {
  readonly id?: unknown;
  readonly result?: { readonly content?: readonly { readonly text: string }[]; readonly isError?: boolean } & Readonly<
    Record<string, unknown>
  >;
  readonly error?: { readonly code: number; readonly message: string };
}

class Agent {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  stderr = '';
  /** The folders that it says it works in. */
  roots: readonly string[] = [];
  readonly #waiting = new Map<unknown, (reply: Reply) => void>();
  #last = 0;

  constructor(cwd: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
    this.child = spawn(process.execPath, [MAIN, 'mcp', ...args], {
      cwd,
      env: { PATH: process.env.PATH ?? '', HOME: homeFor(cwd), ...env },
    });
    createInterface({ input: this.child.stdout! }).on('line', (line) => {
      const reply: Reply & { readonly method?: string } = JSON.parse(line);
      if (reply.method === 'roots/list') {
        const roots = this.roots.map((path) => ({ uri: pathToFileURL(path).href }));
        this.write(JSON.stringify({ jsonrpc: '2.0', id: reply.id, result: { roots } }));
      } else this.#waiting.get(reply.id)?.(reply);
    });
    this.child.stderr!.on('data', (part) => {
      this.stderr += part;
    });
    this.child.stdin!.on('error', () => undefined);
    this.ended = new Promise((resolve) => this.child.on('close', resolve));
  }

  write(line: string): void {
    this.child.stdin!.write(`${line}\n`);
  }

  send(method: string, params: object): Promise<Reply> {
    this.#last += 1;
    const id = this.#last;
    const reply = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve));
    this.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return reply;
  }

  async handshake(version = '2025-11-25', name = 'some-editor'): Promise<Reply> {
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name, version: '1' } };
    const reply = await this.send('initialize', params);
    this.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    return reply;
  }

  /** As 2026-07-28 has it: no handshake, and who asks on every request. */
  modern(method: string, params: object = {}, version = MODERN): Promise<Reply> {
    const about = { name: 'some-editor', version: '1' };
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': about,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    return this.send(method, { ...params, _meta });
  }

  call(name: unknown, given?: unknown): Promise<Reply> {
    return this.send('tools/call', { name, ...(given === undefined ? {} : { arguments: given }) });
  }
}

let agent: Agent | undefined;
let folder = '';
afterEach(async () => {
  agent?.child.stdin?.end();
  await agent?.ended;
  agent = undefined;
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
  folder = '';
});

function project({ isOn = true } = {}): string {
  folder = mkdtempSync(join(tmpdir(), 'foreword-mcp-'));
  const root = join(folder, 'project');
  mkdirSync(join(root, isOn ? '.foreword' : 'src'), { recursive: true });
  return root;
}

const textOf = (reply: Reply): string => reply.result?.content?.[0]?.text ?? expect.fail(JSON.stringify(reply));

test('an agent of 2025 reads the tools, saves notes and is given them, and each answer is a receipt', async () => {
  const root = project();
  agent = new Agent(root);
  expect((await agent.handshake()).result).toMatchObject({
    protocolVersion: '2025-11-25',
    serverInfo: { name: 'foreword' },
  });
  const listed = (await agent.send('tools/list', {})).result?.tools as readonly { readonly name: string }[];
  expect(listed.map(({ name }) => name)).toEqual(['context', 'history', 'save', 'search']);
  expect(textOf(await agent.call('save', { summary: 'half way', nextSteps: ['register the route'] }))).toContain(
    'Saved for the next session.',
  );
  const context = textOf(await agent.call('context'));
  expect(context).toMatch(/^\[foreword mcp (fw_[0-9a-f]{12})\] .*register the route.*\[end of foreword mcp \1\]$/s);
  agent.child.stdin?.end();
  expect(await agent.ended).toBe(0);
  const { receipts } = JSON.parse((await foreword(['receipts', '--json'], { cwd: root })).stdout);
  expect(receipts).toMatchObject([
    { moment: 'asked', channel: 'mcp', proof: 'placed', outcome: 'open' },
    { moment: 'asked', channel: 'mcp', proof: 'placed', outcome: 'open' },
  ]);
  expect(context).toContain(receipts[1].id);
  const metrics = (await foreword(['metrics'], { cwd: root })).stdout;
  expect(metrics).toContain('foreword_mcp_calls_total{tool="context"} 1');
});

test('an agent of 2026 needs no handshake', async () => {
  const root = project();
  agent = new Agent(root);
  expect((await agent.modern('server/discover')).result).toMatchObject({ supportedVersions: [MODERN] });
  expect((await agent.modern('tools/list')).result?.tools).toHaveLength(4);
  const reply = await agent.modern('tools/call', { name: 'context', arguments: {} });
  expect(textOf(reply)).toContain('# agent_context');
});

test('an unknown version is answered with the known ones', async () => {
  agent = new Agent(project());
  expect((await agent.modern('server/discover', {}, '2031-01-01')).error?.message).toMatch(/protocol version/i);
  // Before 2026 a server answers with its own version, and the client decides.
  expect((await agent.handshake('1999-01-01')).result?.protocolVersion).toBe('2025-11-25');
});

test('hostile lines and arguments are answered in words or ignored, and the server goes on', async () => {
  agent = new Agent(project());
  await agent.handshake();
  for (const line of [
    '',
    '{',
    'null',
    '[]',
    '"x"',
    '{"jsonrpc":"2.0"}',
    '{"id":1}',
    '\u0000\u0001',
    '{"a":'.repeat(500),
  ])
    agent.write(line);
  expect((await agent.send('no/such', {})).error?.code).toBe(-32601);
  const wrong: readonly (readonly [unknown, unknown, RegExp])[] = [
    ['delete', {}, /There is no tool "delete"/],
    ['__proto__', {}, /There is no tool/],
    ['context', { task: ['x'] }, /task must be a string/],
    ['history', {}, /Give a task or a file/],
    ['history', { task: '../../etc/passwd' }, /There is no task/],
    ['history', { file: '/etc/passwd' }, /Nothing is known of/],
    ['save', { done: 'not a list' }, /done/],
    ['save', {}, /nothing to save/],
    ['save', { summary: 'x'.repeat(300_000) }, /at most 262144/],
    ['search', { words: '' }, /words of at least three letters/],
    ['search', { words: 'route' }, /not in a git repository/],
    ['search', { words: '"; DROP TABLE files; --', limit: -1 }, /limit|not in a git repository/],
  ];
  for (const [name, given, expected] of wrong) expect(textOf(await agent.call(name, given))).toMatch(expected);
  expect((await agent.send('tools/call', { name: 7 })).error).toBeDefined();
  expect(textOf(await agent.call('context'))).toContain('agent_context');
});

test('secrets and invisible characters do not reach the agent', async () => {
  const root = project();
  agent = new Agent(root, [], { MY_API_KEY: 'topsecretvalue123' });
  await agent.handshake();
  await agent.call('save', { summary: 'the key is topsecretvalue123 and \u202e\u200bhidden\u001b[31m' });
  const text = textOf(await agent.call('context'));
  expect(text).not.toContain('topsecretvalue123');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
  expect(text).not.toMatch(/[\u202e\u200b\u001b]/);
});

test('in a project that is off nothing is read, saved or made', async () => {
  const root = project({ isOn: false });
  agent = new Agent(root);
  await agent.handshake();
  for (const [name, given] of [['context'], ['save', { summary: 'x' }], ['search', { words: 'route' }]] as const) {
    const reply = await agent.call(name, given);
    expect(reply.result?.isError).toBe(true);
    expect(textOf(reply)).toMatch(/^foreword is not switched on in .*\nNothing was read or saved\./);
  }
  expect(hasState(root)).toBe(false);
  expect(readdirSync(root)).toEqual(['src']);
  expect(existsSync(join(homeFor(root), '.local'))).toBe(false);
  // A person's own word switches it on, for a server that is running too.
  expect((await foreword(['save', 'go on'], { cwd: root })).status).toBe(0);
  expect(textOf(await agent.call('context'))).toContain('go on');
});

test('an agent that starts its servers elsewhere is asked for its folders', async () => {
  const root = project();
  await foreword(['save', 'register the route'], { cwd: root });
  agent = new Agent(folder);
  agent.roots = [root];
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: { roots: {} },
    clientInfo: { name: 'x', version: '1' },
  };
  await agent.send('initialize', params);
  agent.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  expect(textOf(await agent.call('context'))).toContain('register the route');
});

test('what was asked before the input ended is answered, and the server ends', async () => {
  const root = project();
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'context', arguments: {} } };
  const hello = { jsonrpc: '2.0', id: 0, method: 'initialize', params: HELLO };
  const input = `${JSON.stringify(hello)}\n${JSON.stringify(call)}\n`;
  const ran = await foreword(['mcp'], { cwd: root, input });
  expect(ran.status).toBe(0);
  expect(ran.stdout.trimEnd().split('\n')).toHaveLength(2);
  expect(ran.stdout).toContain('# agent_context');
});

const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };

test('a reader that goes away, and a signal, end it without noise', async () => {
  const root = project();
  agent = new Agent(root);
  await agent.handshake();
  agent.child.stdout?.destroy();
  agent.write(JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/list', params: {} }));
  expect(await agent.ended).toBe(0);
  const second = new Agent(root);
  await second.handshake();
  second.child.kill('SIGTERM');
  expect(await second.ended).toBe(0);
  expect(second.stderr).toBe('');
});

test('a line longer than any note ends the connection instead of filling the memory', async () => {
  agent = new Agent(project());
  await agent.handshake();
  agent.child.stdin?.write(`"${'x'.repeat(3 * 1024 * 1024)}`);
  expect(await agent.ended).toBe(0);
  expect(agent.stderr).toMatch(/buffer|exceed|size/i);
});

test('a broken store is named in the context, and tasks are still shown', async () => {
  const root = project();
  writeFileSync(join(root, '.foreword/tasks.yaml'), '- { id: api_health, summary: Add a health endpoint }\n');
  agent = new Agent(root, [], { FOREWORD_STORE: '/dev/null/nowhere.db' });
  await agent.handshake();
  const text = textOf(await agent.call('context'));
  expect(text).toContain('api_health');
  expect(text).toContain('the store');
});
