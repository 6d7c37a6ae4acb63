import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { AgentReadinessDetector, ContextInjector } from '../../src/app/injector.ts';
import type { Terminal } from '../../src/kernel/terminal.ts';
import type { ContextInjectionConfig } from '../../src/sessions/injector.ts';
import { openPty } from '../../src/terminals/pty/pty.ts';
import { readLog, tuiInteractive } from '../agents/tui-log.ts';
import { oracle } from '../agents/tui-oracle.ts';

const SIZE = { cols: 100, rows: 30 };
const CONTEXT = { formatted: 'The parser is half done.\nGo on with the tests.' };
const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** An injector on a scripted agent, and what the agent will have seen. */
async function begin(script: Readonly<Record<string, unknown>>, config: Partial<ContextInjectionConfig> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'foreword-injector-'));
  const log = join(folder, 'log.jsonl');
  const agent = tuiInteractive({ profile: 'boxed', log, script, submitDelayMs: 50 });
  const env = { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', HOME: folder };
  const terminal: Terminal = await openPty({ command: agent.command, cwd: folder, env, size: SIZE });
  const injector = new ContextInjector(terminal, {
    agent,
    retryBackoffs: [100, 200],
    workingDirectory: folder,
    ...config,
  });
  closers.push(
    () => injector.close(),
    () => terminal.end(500),
    async () => rmSync(folder, { recursive: true }),
  );
  const events: string[] = [];
  injector.on('injection:attempted', ({ attempt, type }) => events.push(`attempted ${attempt} ${type}`));
  injector.on('injection:succeeded', ({ attempts }) => events.push(`succeeded ${attempts}`));
  injector.on('injection:escalated', ({ escalationType }) => events.push(`escalated ${escalationType}`));
  injector.on('injection:failed', ({ reason }) => events.push(`failed ${reason}`));
  return { injector, folder, events, seen: () => oracle(readLog(log)) };
}

describe('ContextInjector', () => {
  it('injects after the readiness signal, once, and hears the reply code', async () => {
    const { injector, events, seen } = await begin({ startMs: 400, ack: 1 }, { requireAcknowledgment: true });
    const delivery = await injector.injectStartupContext(CONTEXT);
    expect(delivery).toMatchObject({ outcome: 'delivered', proof: 'acknowledged', attempts: 1 });
    expect(events).toEqual(['attempted 1 startup', 'succeeded 1']);
    expect(injector.metrics).toMatchObject({ attempted: 1, succeededOnFirstTry: 1, failed: 0 });
    const { submits, harms, bytesOutsideEmptyComposer } = seen();
    expect(submits).toHaveLength(1);
    expect(submits[0]?.text).toContain(CONTEXT.formatted);
    expect(harms).toEqual([]);
    expect(bytesOutsideEmptyComposer).toBe(0);
  });

  it('waits for a busy agent and is not counted as having tried meanwhile', async () => {
    const { injector, seen } = await begin({ busyAtStartMs: 1500 });
    const delivery = await injector.injectStartupContext(CONTEXT);
    expect(delivery).toMatchObject({ outcome: 'delivered', proof: 'submitted', attempts: 1 });
    expect(seen().submits[0]?.text).toContain(CONTEXT.formatted);
    expect(injector.metrics.averageTimeToSuccess).toBeGreaterThan(1500);
  });

  it('tries again after a window that failed', async () => {
    const lent = { on: 'ready', afterMs: 200, do: 'cooked', ms: 900 };
    const { injector, seen } = await begin({ events: [lent] });
    const delivery = await injector.injectStartupContext(CONTEXT);
    expect(delivery).toMatchObject({ outcome: 'delivered' });
    expect(seen().submits).toHaveLength(1);
    expect(seen().harms).toEqual([]);
  });

  it('falls back to the file when an agent takes no framed pastes', async () => {
    const { injector, folder, events, seen } = await begin(
      { pasteMode: false },
      { readinessTimeoutMs: 1500, file: 'AGENTS.md', deadlineMs: 4000 },
    );
    const delivery = await injector.injectStartupContext(CONTEXT);
    expect(delivery).toMatchObject({ outcome: 'uncertain', proof: 'placed', channel: 'file' });
    expect(events[0]).toBe('escalated file');
    expect(injector.metrics).toMatchObject({ escalatedToFile: 1, failed: 1 });
    const written = readFileSync(join(folder, 'AGENTS.md'), 'utf8');
    expect(written).toContain('## Session Context (Auto-Injected)');
    expect(written).toContain(CONTEXT.formatted);
    expect(seen().bytes.ours).toBe(0);
  });

  it('leaves the file behind when an agent is never free', async () => {
    const { injector, folder, seen } = await begin({ busyAtStartMs: 60_000 }, { file: 'AGENTS.md', deadlineMs: 1500 });
    expect(await injector.injectStartupContext(CONTEXT)).toMatchObject({ outcome: 'uncertain', channel: 'file' });
    expect(readFileSync(join(folder, 'AGENTS.md'), 'utf8')).toContain(CONTEXT.formatted);
    expect(seen().bytes.ours).toBe(0);
  });
});

it.each([[[]], [[-1]], [[1.5]]])('pauses that cannot be used are refused with those that can: %j', (retryBackoffs) => {
  const terminal = {} as Terminal;
  expect(() => new ContextInjector(terminal, { agent: 'claude', retryBackoffs })).toThrow(
    expect.objectContaining({ code: 'bad-usage', hint: expect.stringContaining('1 to 20 whole numbers') }),
  );
});

describe('AgentReadinessDetector', () => {
  const detector = (): AgentReadinessDetector => {
    const made = new AgentReadinessDetector('claude', { size: SIZE });
    closers.push(() => made.close());
    return made;
  };

  it('is not taken in by a dialog, a log line or a quotation', async () => {
    const made = detector();
    for (const output of [
      'Do you trust the files in this folder?\r\n> ',
      '\r\nwaiting for input from db\r\n',
      '\r\n> a quotation\r\n',
      'How can I help?\r\n\r\n',
    ])
      expect(await made.checkOutput(output)).toBeNull();
    expect(await made.waitForSignal(50)).toBeNull();
  });

  it('hears an agent that says that it is ready', async () => {
    const made = detector();
    const waiting = made.waitForSignal(5000);
    await made.checkOutput('booting\r\n->foreword:ready\r\n');
    expect(await waiting).toMatchObject({ type: 'explicit_ready' });
    expect(await made.waitForSignal(0)).toMatchObject({ type: 'explicit_ready' });
  });
});
