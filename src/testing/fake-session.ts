// Fakes for tests of sessions: a terminal without a program, a screen that shows what it is told to, a project in memory.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadConfig } from '../config/load.ts';
import type { Interactive } from '../kernel/agent.ts';
import type { Continuity } from '../kernel/continuity.ts';
import type { NewEvent } from '../kernel/events.ts';
import type { Screen } from '../kernel/screen.ts';
import type { SessionPlace, SessionRecord } from '../kernel/session.ts';
import type { Stores } from '../kernel/stores.ts';
import type { Terminal, TerminalExit } from '../kernel/terminal.ts';
import type { HostingParts } from '../sessions/host/run-session.ts';
import type { InteractiveAgent, PreparedSession } from '../sessions/prepared.ts';
import type { SessionProject } from '../sessions/project.ts';
import type { PacedScreen } from '../sessions/terminals.ts';
import { memoryStores } from '../stores/memory.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'foreword-unit-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface FakeTerminal extends Terminal {
  /** What was called, in order: `end`, `release`, `pause`, `resume`. */
  readonly calls: string[];
  print(text: string): void;
  exit(status: number): void;
}

/** `end` makes the agent exit with 143. */
export function fakeTerminal(kind: Terminal['kind'] = 'tmux'): FakeTerminal {
  const calls: string[] = [];
  const outputs: ((bytes: Uint8Array) => void)[] = [];
  const exits: ((exit: TerminalExit) => void)[] = [];
  let exited: TerminalExit | undefined;
  const exit = (status: number): void => {
    if (exited !== undefined) return;
    exited = { status };
    for (const listener of exits) listener(exited);
  };
  return {
    kind,
    pid: process.pid,
    calls,
    size: () => ({ cols: 80, rows: 24 }),
    onOutput: (listener) => void outputs.push(listener),
    onExit: (listener) => {
      exits.push(listener);
      if (exited !== undefined) listener(exited);
    },
    isRaw: async () => true,
    paste: async () => undefined,
    pressEnter: async () => undefined,
    write: async () => undefined,
    resize: () => undefined,
    onResize: () => undefined,
    pause: () => void calls.push('pause'),
    resume: () => void calls.push('resume'),
    end: async () => {
      calls.push('end');
      exit(143);
    },
    release: async () => void calls.push('release'),
    print: (text) => {
      for (const listener of outputs) listener(new TextEncoder().encode(text));
    },
    exit,
  };
}

/** Shows the last text it was fed, line by line, with the cursor at its end. */
export function fakeScreen(): PacedScreen & { readonly isClosed: () => boolean } {
  let lines: readonly string[] = [''];
  let isClosed = false;
  return {
    backlog: 0,
    feed: (bytes) => {
      lines = new TextDecoder().decode(bytes).split('\n');
    },
    settled: async () => undefined,
    read: (): Screen => ({
      cols: 80,
      rows: 24,
      lines,
      solid: lines,
      cursor: { row: lines.length - 1, col: (lines.at(-1) ?? '').length, isVisible: true },
      hasBracketedPaste: true,
      isAlternate: false,
      title: '',
    }),
    resize: () => undefined,
    close: () => {
      isClosed = true;
    },
    isClosed: () => isClosed,
  };
}

export interface FakeProject extends SessionProject {
  readonly clock: ManualClock;
  readonly stores: Stores;
  readonly events: NewEvent[];
}

export function fakeProject(more: Partial<SessionProject> = {}): FakeProject {
  const root = temporaryFolder();
  const stores = memoryStores();
  const events: NewEvent[] = [];
  let count = 0;
  return {
    root,
    cwd: root,
    config: loadConfig({ root, env: {} }).config,
    redact: (text) => text,
    newId: (prefix) => `${prefix}_${++count}`,
    readStores: async () => stores,
    writeStores: async () => stores,
    emit: async (event) => void events.push(event),
    ...more,
    clock: manualClock(),
    stores,
    events,
  };
}

export const INTERACTIVE: Interactive = {
  command: ['mine', '--tui'],
  screens: [{ state: 'ready', cursorLine: '^> ' }],
  composer: { line: '^> ?(.*)$' },
  submit: { key: 'enter', delayMs: 100 },
  proofs: ['submitted'],
  ladder: ['typed', 'file', 'notice'],
};

export function fakeAgent(more: Partial<Interactive> = {}): InteractiveAgent {
  return { name: 'mine', env: [], errors: [], interactive: { ...INTERACTIVE, ...more } };
}

/** In a folder of its own. The names of its files are like those of a real one; its id is shorter. */
export function fakePlace(folder: string = temporaryFolder()): SessionPlace {
  return {
    id: 's1',
    folder,
    socket: join(folder, 'socket'),
    tmux: { socket: join(folder, 'tmux'), session: 's1' },
    log: join(folder, 'log'),
    context: join(folder, 'context.json'),
    note: join(folder, 'session.json'),
  };
}

export function fakePrepared(place: SessionPlace, more: Partial<PreparedSession> = {}): PreparedSession {
  const agent = fakeAgent();
  return { id: place.id, place, agent, command: ['/bin/mine'], env: {}, required: 'submitted', ...more };
}

export function fakeRecord(more: Partial<SessionRecord> = {}): SessionRecord {
  return {
    id: 's1',
    agent: 'mine',
    cwd: '/shop',
    pid: process.pid,
    startedAt: '2027-01-15T08:00:00.000Z',
    readiness: 'ready',
    paused: false,
    ...more,
  };
}

export function fakeHosting(project: FakeProject): HostingParts {
  return {
    project,
    screens: { load: async () => undefined, open: async () => fakeScreen(), pace: () => undefined },
    context: {
      startupText: async () => 'where we were',
      readContinuity: (summary) => ({ continuity: { ...NOTHING_LEFT, summary }, kept: [] }),
      keepConversation: async () => undefined,
      leaveWork: async () => undefined,
      runningWork: async () => [],
    },
    openDatabase: async () => Promise.reject(new Error('no database here')),
    installed: () => new Set(['other']),
    me: { pid: process.pid, owner: 'here boot 1 1 me' },
    hasStack: false,
  };
}

export const NOTHING_LEFT: Omit<Continuity, 'id' | 'savedAt' | 'by'> = {
  done: [],
  inProgress: [],
  blocked: [],
  decisions: [],
  questions: [],
  files: [],
  nextSteps: [],
};
