// What the agent does beside its screen: runs hooks as coding agents do, and writes a transcript of what a model was given.

import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

/** The texts that stand between the halves of a code in a request for acknowledgement; see `codeIn`. */
const REQUEST = /the code made by joining (\S+?) and ([^\s\].]+)/;

/** The reply code that a text asks for, or undefined. White space in it does not matter: screens break lines. */
export function codeIn(text) {
  const found = REQUEST.exec(text.replace(/\s+/g, ' '));
  return found === null ? undefined : found[1] + found[2];
}

/** Ids of deliveries that a text opens, in order and with repeats: `[fw_x]`, `[foreword fw_x]` and
 *  `[CONTEXT INJECTION fw_x - …]`. */
export function idsIn(text) {
  return Array.from(
    text.matchAll(/\[(?:CONTEXT INJECTION |foreword )?(fw_[A-Za-z0-9]+)(?: - [^\]]*)?\]/g),
    (found) => found[1],
  );
}

/** Runs one hook with its payload on standard input; resolves with the context it gave ('' for none), never fails. */
export function runHook(command, payload, { timeoutMs, keepsStdinOpen, log }) {
  const [program, ...words] = typeof command === 'string' ? ['/bin/sh', '-c', command] : command;
  const from = performance.now();
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    const printed = [];
    const complained = [];
    // With whatever it started: that may hold the pipe.
    const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), timeoutMs);
    let hasEnded = false;
    const end = (status) => {
      if (hasEnded) return; // a program that cannot be started both fails and closes
      hasEnded = true;
      clearTimeout(timer);
      const stdout = Buffer.concat(printed).toString('utf8');
      const stderr = Buffer.concat(complained).toString('utf8').slice(0, 2000);
      log('hook', { event: payload.hook_event_name, status, stdout, stderr, ms: Math.round(performance.now() - from) });
      resolve(contextIn(stdout));
    };
    child.stdout.on('data', (bytes) => printed.push(bytes));
    child.stderr.on('data', (bytes) => complained.push(bytes));
    child.stdin.on('error', () => undefined); // a hook need not read
    child.on('error', (error) => end(String(error.code)));
    child.on('close', (status, signal) => end(status ?? signal));
    const text = JSON.stringify(payload);
    if (keepsStdinOpen) child.stdin.write(text);
    else child.stdin.end(text);
  });
}

/** JSON with additionalContext at either place, or plain text. */
function contextIn(stdout) {
  const text = stdout.trim();
  if (!text.startsWith('{')) return text;
  try {
    const value = JSON.parse(text);
    return value.hookSpecificOutput?.additionalContext ?? value.additionalContext ?? '';
  } catch {
    return '';
  }
}

export function writeTranscript(file, record) {
  if (file !== null) appendFileSync(file, `${JSON.stringify({ ...record, timestamp: new Date().toISOString() })}\n`);
}
