// A home with transcripts as the agents write them, record by record, for tests that plant losses in them.

import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Audited, auditTranscripts } from '../../src/verify/audit/audit.ts';

export class AuditHome {
  readonly path = mkdtempSync(join(tmpdir(), 'foreword-audit-'));
  #age = 1000;

  /** Each file is a little younger than the one before. */
  write(name: string, content: string): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    const at = Date.now() / 1000 - this.#age--;
    utimesSync(path, at, at);
    return path;
  }

  audit(agents: readonly string[] = []): Promise<Audited> {
    const parse = (text: string, format: string) => (format === 'json' ? JSON.parse(text) : this.toml(text));
    const request = { agents, sinceMs: 0, env: { HOME: this.path } };
    return auditTranscripts(request, { openDatabase: () => Promise.reject(new Error('none')), parse });
  }

  /** Set by tests that write TOML. */
  toml: (text: string) => unknown = () => undefined;

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export interface ClaudeOptions {
  readonly session?: string;
  readonly entry?: string;
  readonly version?: string;
  readonly cwd?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** A session of Claude Code, in the records of 2.1.325. */
export class ClaudeSession {
  readonly lines: string[] = [];
  readonly #about: Fields;
  #number = 0;
  at = Date.UTC(2026, 10, 1, 12);

  constructor({ session = 's-1', entry = 'cli', version = '2.1.325', cwd = '/home/ada/shop' }: ClaudeOptions = {}) {
    this.#about = { sessionId: session, entrypoint: entry, version, cwd, isSidechain: false };
  }

  add(record: Fields): this {
    this.at += 1000;
    this.#number += 1;
    const uuid = `${this.#about.sessionId}-${this.#number}`;
    this.lines.push(JSON.stringify({ uuid, timestamp: new Date(this.at).toISOString(), ...this.#about, ...record }));
    return this;
  }

  prompt(text: string): this {
    return this.add({ type: 'user', message: { role: 'user', content: text }, origin: { kind: 'human' } });
  }

  reply(...content: readonly Fields[]): this {
    const usage = { input_tokens: 1000 + 100 * this.#number, output_tokens: 10 };
    const message = {
      role: 'assistant',
      id: `m-${this.#number}-${this.#about.sessionId}`,
      model: 'opus',
      content,
      usage,
    };
    return this.add({ type: 'assistant', message });
  }

  say(text: string): this {
    return this.reply({ type: 'text', text });
  }

  tool(name: string, input: Fields = {}): this {
    const id = `t-${this.#number}-${this.#about.sessionId}`;
    this.reply({ type: 'tool_use', id, name, input });
    const message = { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] };
    return this.add({ type: 'user', message });
  }

  edit(path = 'a.ts'): this {
    return this.tool('Edit', { file_path: path });
  }

  /** A hook that printed a text, and what was made of it: the same, another, or nothing. */
  hook(
    event: string,
    text: string,
    { name = event, served = text as string | null, ms = 20, exitCode = 0 } = {},
  ): this {
    const stdout = JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } });
    const type = exitCode === 0 ? 'hook_success' : 'hook_non_blocking_error';
    const own = { hookName: name, hookEvent: event };
    this.add({
      type: 'attachment',
      attachment: { type, ...own, content: '', stdout, stderr: '', exitCode, command: 'remember.sh', durationMs: ms },
    });
    if (served === null) return this;
    return this.add({ type: 'attachment', attachment: { type: 'hook_additional_context', ...own, content: [served] } });
  }

  compact(): this {
    return this.add({ type: 'system', subtype: 'compact_boundary' });
  }

  text(): string {
    return `${this.lines.join('\n')}\n`;
  }
}

export const RULES = `Never push to main. Run the tests first, and say which ones failed. ${'Keep changes small. '.repeat(5)}`;
