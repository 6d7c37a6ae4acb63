// `npm run quickstart`: what foreword does, on a small project, with no key and no agent installed. It works on a copy in
// a temporary folder and leaves nothing behind.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare } from './prepare.mjs';

const main = join(import.meta.dirname, '../../dist/command/start.cjs');
if (!existsSync(main)) {
  console.error('foreword is not built: run npm ci first.');
  process.exit(3);
}
const folder = mkdtempSync(join(tmpdir(), 'foreword-quickstart-'));
const project = join(folder, 'shop');
prepare(project);

const mark = process.stdout.isTTY ? (text) => `\u001b[1m${text}\u001b[0m` : (text) => text;
try {
  say('A small shop with three tasks, a policy, two notes, and the history of earlier attempts:');
  run('import', '.foreword/history.jsonl');
  say('1. What an agent is told on every prompt:');
  run('context', '--task', 'api_health');
  say('2. gemini hit its limit, codex failed validation. What claude gets as the third attempt at api_health:');
  run('prompt', 'api_health', '--agent', 'claude');
  say('3. Where each part of that came from, and what it costs:');
  run('prompt', 'api_health', '--agent', 'claude', '--explain');
} finally {
  rmSync(folder, { recursive: true });
}

function say(text) {
  console.log(`\n${mark(text)}`);
}

function run(...args) {
  console.log(`\n$ foreword ${args.join(' ')}`);
  const { status } = spawnSync(process.execPath, [main, ...args], { cwd: project, stdio: 'inherit' });
  if (status !== 0) throw new Error(`foreword ${args[0]} ended with ${status}`);
}
