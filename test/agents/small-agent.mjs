#!/usr/bin/env node
// A small agent that looks like pi and asks a model as pi does, with faults that `foreword verify` must find: it runs no
// hooks, gives its model the prompt of its launch only in part, a typed prompt twice, and its instruction file a turn too
// late. Meant to be on the PATH as `pi`.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const GIVEN_AT_LAUNCH = 1000;
const LINE = '─'.repeat(120);

const args = process.argv.slice(2);
if (args.includes('--version')) {
  console.log('9.9.9');
  process.exit(0);
}
const models = JSON.parse(readFileSync(join(process.env.HOME, '.pi/agent/models.json'), 'utf8'));
const url = `${models.providers.stub.baseUrl}/chat/completions`;
const messages = [];
let turns = 0;
let draft = '';
let isBusy = false;
let said = '';

function draw() {
  const top = isBusy ? `── ⠋ Working ${LINE}`.slice(0, 120) : LINE;
  const shown = draft.includes('\n') ? `[paste #1 +${draft.split('\n').length} lines]` : draft.slice(0, 100);
  const rows = [` ${said.slice(0, 100)}`, '', top, shown, LINE, process.cwd(), '0.7%/200k (auto)      stub-model'];
  process.stdout.write(`\x1b[2J\x1b[H${rows.join('\r\n')}\x1b[4;${shown.length + 1}H`);
}

/** What the model is given: the conversation, and in front of it the instruction file, from the second turn on. */
function conversation() {
  const file = join(process.cwd(), 'AGENTS.md');
  const instructions = turns > 1 && existsSync(file) ? readFileSync(file, 'utf8') : 'You are a small agent.';
  return [{ role: 'system', content: instructions }, ...messages];
}

async function ask() {
  const tools = [{ type: 'function', function: { name: 'bash', parameters: { type: 'object' } } }];
  const body = JSON.stringify({ model: 'stub-model', messages: conversation(), tools });
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const { message } = (await answer.json()).choices[0];
  messages.push(message);
  for (const call of message.tool_calls ?? []) messages.push({ role: 'tool', tool_call_id: call.id, content: 'one' });
  if (message.tool_calls !== undefined) return ask();
  said = message.content;
}

async function turn(prompt) {
  turns += 1;
  isBusy = true;
  draw();
  messages.push({ role: 'user', content: prompt });
  await ask();
  isBusy = false;
  draw();
}

const [OPEN, CLOSE] = ['\x1b[200~', '\x1b[201~'];
let held = '';
function read(bytes) {
  held += bytes;
  const [open, close] = [held.indexOf(OPEN), held.indexOf(CLOSE)];
  if (open !== -1 && close > open) {
    draft += held.slice(open + OPEN.length, close).replaceAll('\r', '\n');
    held = held.slice(close + CLOSE.length);
  }
  if (held.includes(OPEN)) return;
  const isSent = held.includes('\r') && draft !== '';
  held = '';
  const prompt = draft;
  if (isSent) draft = '';
  draw();
  if (isSent) void turn(prompt.includes('[CONTEXT INJECTION') ? `${prompt}\n${prompt}` : prompt);
}

process.stdin.setRawMode(true);
process.stdin.setEncoding('utf8');
process.stdin.on('data', read);
process.stdout.write('\x1b[?2004h');
draw();
const launched = args.includes('--') ? args[args.indexOf('--') + 1] : undefined;
if (launched !== undefined) void turn(launched.slice(0, GIVEN_AT_LAUNCH));
