#!/usr/bin/env node
// An agent with a terminal and no hooks, whose model asks by MCP: at a prompt it starts the server of its `--mcp` argument, calls the
// tool `context` with the protocol's own messages, and goes on. What its model was given is in `asked.jsonl` of its home, a line for
// each turn; with --transcript it also writes a transcript as Claude Code does. A prompt with `no tools` calls none.

import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const args = process.argv.slice(2);
if (args.includes('--version')) {
  console.log('1.0.0');
  process.exit(0);
}
const server = JSON.parse(args[args.indexOf('--mcp') + 1] ?? 'null');
const home = process.env.HOME;
const log = join(home, 'asked.jsonl');
const slug = process.cwd().replace(/[^A-Za-z0-9]/g, '-');
const transcript = args.includes('--transcript') ? join(home, '.claude/projects', slug, 'asking.jsonl') : undefined;
let draft = '';
let isBusy = false;
let said = 'hello';
let last = null;

function draw() {
  const shown = draft.includes('\n') ? `[Pasted ${draft.split('\n').length} lines]` : draft;
  const rows = [said, '', isBusy ? 'Working (esc to interrupt)' : '', `> ${shown}`];
  process.stdout.write(`\x1b[2J\x1b[H${rows.join('\r\n')}`);
}

/** The answer of the tool, by a server of its own. */
async function callContext() {
  const child = spawn(server.command, server.args, {
    // As the SDK's client does: hardly anything of its own environment.
    env: { PATH: process.env.PATH, HOME: home, ...server.env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const reply = JSON.parse(line);
    waiting.get(reply.id)?.(reply.result);
  });
  const send = (id, method, params) => {
    const reply = new Promise((resolve) => waiting.set(id, resolve));
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return reply;
  };
  const clientInfo = { name: 'asking-agent', version: '1.0.0' };
  await send(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const { content } = await send(2, 'tools/call', { name: 'context', arguments: {} });
  child.stdin.end();
  return content.map(({ text }) => text).join('\n');
}

function write(type, message) {
  if (transcript === undefined) return;
  const uuid = `${type}-${Date.now()}-${Math.random()}`;
  mkdirSync(dirname(transcript), { recursive: true });
  const record = { type, uuid, parentUuid: last, sessionId: 'asking', timestamp: new Date().toISOString(), message };
  appendFileSync(transcript, `${JSON.stringify(record)}\n`);
  last = uuid;
}

async function turn(prompt) {
  isBusy = true;
  draw();
  write('user', { role: 'user', content: prompt });
  const given = prompt.includes('no tools') || server === null ? '' : await callContext();
  if (given !== '') {
    const call = { type: 'tool_use', id: 't1', name: 'mcp__foreword__context', input: {} };
    write('assistant', { id: 'm1', model: 'a-model', role: 'assistant', content: [call] });
    write('user', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: given }] }],
    });
    write('assistant', { id: 'm2', model: 'a-model', role: 'assistant', content: [{ type: 'text', text: 'Noted.' }] });
  }
  appendFileSync(log, `${JSON.stringify({ prompt, given })}\n`);
  setTimeout(() => {
    isBusy = false;
    said = 'done';
    draw();
  }, 300);
}

const [OPEN, CLOSE] = ['\x1b[200~', '\x1b[201~'];
let held = '';
process.stdin.setRawMode(true);
process.stdin.setEncoding('utf8');
process.stdin.on('data', (bytes) => {
  held += bytes;
  const [open, close] = [held.indexOf(OPEN), held.indexOf(CLOSE)];
  if (open !== -1 && close > open) {
    draft += held.slice(open + OPEN.length, close).replaceAll('\r', '\n');
    held = held.slice(close + CLOSE.length);
  }
  if (held.includes(OPEN)) return;
  if (held.includes('\x04')) process.exit(0);
  const [typed, ...sent] = held.split('\r');
  held = '';
  draft += typed;
  const prompt = draft;
  if (sent.length > 0) draft = '';
  draw();
  if (sent.length > 0 && prompt !== '') void turn(prompt);
});
process.stdout.write('\x1b[?2004h');
draw();
