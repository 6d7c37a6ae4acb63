// The program that xray puts around each hook and each MCP server of the copied set-up: it runs the original, passes everything on, and
// leaves a record. Arguments: `hook` or `server`, the folder for records, an id, then the words of the original; one word is a
// line for the shell, as agents run hooks.

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { replaceFile } from '../../system/files/atomic.ts';
import type { HookRun } from './recording.ts';

const [kind = '', folder = '', id = '', ...words] = process.argv.slice(2);
const [first = '', ...rest] = words;
const startedAt = Date.now();
const began = performance.now();
const MOST_CHARACTERS = 4 * 1024 * 1024;
/** A program that it left behind may hold the streams; what the hook itself printed is here by then. */
const LINGER_MS = 300;

const child =
  words.length === 1
    ? spawn('/bin/sh', ['-c', first], { stdio: [kind === 'hook' ? 'inherit' : 'pipe', 'pipe', 'pipe'] })
    : spawn(first, rest, { stdio: [kind === 'hook' ? 'inherit' : 'pipe', 'pipe', 'pipe'] });

const printed = { stdout: '', stderr: '' };
let lines = '';
/** Lines of JSON about a server, written whole each time: it may be ended at any moment. */
let notes = '';
for (const name of ['stdout', 'stderr'] as const) {
  const stream = child[name];
  stream?.setEncoding('utf8');
  stream?.on('data', (text: string) => {
    if (printed[name].length < MOST_CHARACTERS) printed[name] += text;
    if (kind === 'server' && name === 'stdout') readAnswers(text);
    process[name].write(text);
  });
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);
if (child.stdin !== null) {
  child.stdin.on('error', () => undefined);
  process.stdin.pipe(child.stdin);
}
child.on('error', (error) => end(null, error.message, 127));
child.on('exit', (code, signal) => {
  const ms = performance.now() - began;
  const status = code ?? (signal === null ? 1 : 128);
  const timer = setTimeout(() => end(code, '', status, ms), LINGER_MS);
  child.on('close', () => {
    clearTimeout(timer);
    end(code, '', status, ms);
  });
});

let isEnded = false;

function end(exitCode: number | null, fault: string, status: number, ms = performance.now() - began): void {
  if (isEnded) return;
  isEnded = true;
  const { stdout, stderr } = printed;
  if (kind === 'server') note({ exitCode, stderr: `${stderr}${fault}`.slice(-4000) });
  else {
    keep({ ms: Math.round(ms), exitCode, stdout, stderr: `${stderr}${fault}` });
  }
  // What was passed on must be written before this process ends.
  process.stdout.write('', () => process.stderr.write('', () => process.exit(status)));
}

/** What a server says about itself, line by line. */
function readAnswers(text: string): void {
  const parts = (lines + text).split('\n');
  lines = parts.pop() ?? '';
  if (lines.length > MOST_CHARACTERS) lines = '';
  for (const line of parts) {
    try {
      const { result } = JSON.parse(line) as { result?: { tools?: unknown; instructions?: unknown } };
      if (typeof result?.instructions === 'string') note({ instructions: result.instructions });
      if (Array.isArray(result?.tools)) note({ tools: result.tools, readyMs: Date.now() - startedAt });
    } catch {
      // Not an answer.
    }
  }
}

function note(facts: object): void {
  notes += `${JSON.stringify({ server: id, ...facts })}\n`;
  replaceFile(join(folder, `server-${startedAt}-${process.pid}.jsonl`), notes);
}

function keep(facts: Omit<HookRun, 'hook' | 'at'>): void {
  const record: HookRun = { hook: id, at: startedAt, ...facts };
  const file = join(folder, `hook-${startedAt}-${process.pid}.json`);
  replaceFile(file, JSON.stringify(record), { isSynced: false });
}

// It may be killed at any moment, and then this is all that is known of it.
if (kind === 'server') note({ startedAt });
else keep({ ms: 0, exitCode: null, stdout: '', stderr: '', isUnended: true });
