// V8's compiled code of the hook program, stored beside it. It is made by running each event once in a scratch project. A
// hook only reads it (hooks/start.ts).

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { ASSUMED_AGENT } from '../hooks/dialects.ts';
import { replaceFile } from '../system/files/atomic.ts';

/** The most frequent event comes last: its run decides which code of the shared part is stored. */
const EVENTS = ['stop', 'prompt', 'session-start', 'pre-tool'];

/** `folder` is the folder of hook.cjs. Without write permission nothing is stored, and that is no error. */
export function keepHookCode(folder: string, node: string): void {
  const scratch = mkdtempSync(join(tmpdir(), 'foreword-code-'));
  try {
    for (const name of ['.context', '.foreword']) mkdirSync(join(scratch, name));
    replaceFile(join(scratch, '.context/CONSTITUTION.md'), '# Warm up\n');
    replaceFile(join(scratch, '.foreword/tasks.yaml'), '- { id: a, instructions: warm up }\n');
    // A clean environment: a variable of ours may name a store, or preload a module.
    const env = { PATH: [dirname(node), '/usr/bin', '/bin'].join(delimiter), HOME: scratch };
    const payload = { session_id: 'warm-up', cwd: scratch, source: 'startup', prompt: 'x', tool_input: {} };
    for (const event of EVENTS) {
      spawnSync(node, [join(folder, 'hook.cjs'), event, ASSUMED_AGENT, '--keep-code'], {
        cwd: scratch,
        env,
        input: JSON.stringify(payload),
        stdio: ['pipe', 'ignore', 'ignore'],
        timeout: 10_000,
      });
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
