#!/usr/bin/env node
// A coding agent's terminal interface, scripted: a real program that starts slowly, asks, works, swallows keys, redraws
// late, dies, and writes down every byte it reads with the state it was in. What it can be told to do is in
// tui/script.mjs, what it writes down in tui-log.ts.
// Usage: node tui.mjs --profile boxed|plain|shell|alternate --log FILE [--script JSON|FILE] [--settings FILE] [-- PROMPT]
// --settings: a file with hooks in Claude's layout, SessionStart and UserPromptSubmit. PROMPT: what it works on first.

import { parseArgs } from 'node:util';
import { makeAgent } from './tui/agent.mjs';
import { PROFILES } from './tui/frames.mjs';
import { openLog } from './tui/log.mjs';
import { readHooks, readScript } from './tui/script.mjs';

const text = { type: 'string' };
const { values, positionals } = parseArgs({
  options: { profile: text, log: text, script: text, settings: text },
  allowPositionals: true,
});
try {
  if (!Object.hasOwn(PROFILES, values.profile ?? '')) throw new Error(`--profile ${Object.keys(PROFILES).join('|')}`);
  if (values.log === undefined) throw new Error('--log FILE');
  if (!process.stdin.isTTY || !process.stdout.isTTY) throw new Error('needs a terminal');
  const script = readScript(values.script);
  if (values.settings !== undefined) script.hooks = { ...readHooks(values.settings), ...script.hooks };
  const log = openLog(values.log);
  const { columns: cols, rows } = process.stdout;
  log('start', { pid: process.pid, profile: values.profile, cols, rows, script });
  await makeAgent({ name: values.profile, script, log }).start(positionals[0]);
} catch (error) {
  process.stderr.write(`tui agent: ${error.message}\n`);
  process.exit(2);
}
