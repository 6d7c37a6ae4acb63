// A project with context files, a state folder of its own, and hooks run in this process. What is heavy (the composer) is
// stood in for; everything else is real.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Header } from '../../src/context/header.ts';
import { headerDelta, shownOf } from '../../src/context/header-delta.ts';
import type { HookPorts, WorkEvent } from '../../src/hooks/hook-call.ts';
import { type HookInput, runHook } from '../../src/hooks/run-hook.ts';
import { takeSpool } from '../../src/hooks/spool.ts';
import { type StateFiles, stateOf } from '../../src/system/files/open-state.ts';
import { rootPlaces } from '../../src/system/files/project-state.ts';
import { temporaryFolder } from '../bundle.ts';

export const CONTEXT_FILES: Readonly<Record<string, string>> = {
  'CONSTITUTION.md': '# Constitution\n\nNever push to main.\n',
  'TASKS.md': '# Tasks\n\n- [ ] health endpoint\n',
  'CONVENTIONS.md': '# Conventions\n\nTabs.\n',
  'AGENT_PLAYBOOK.md': '# Playbook\n\nRun the tests first.\n',
};

const HEADER: Header = {
  repo: { branch: 'main', head: '57507e3', recent_window: '180s' },
  pending: [],
  backlog: [{ id: 'fact-001', summary: 'Build src/factorial.py' }],
  hotspots: [],
  targets: [],
  policy: ['patch-only'],
  next_work: ['pick fact-001: Build src/factorial.py'],
  mode: 'propose',
};

export interface CallOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly claim?: string;
  readonly claimedIn?: string;
  readonly rest?: AsyncIterable<Uint8Array>;
  readonly ports?: Partial<HookPorts>;
}

export class Field {
  readonly folder = temporaryFolder('hooks');
  readonly root = join(this.folder, 'project');
  readonly stateHome = join(this.folder, 'state');
  readonly state = join(this.stateHome, 'foreword');
  /** What is kept for the project. */
  readonly places = rootPlaces(this.state, this.root);
  header: Header = HEADER;
  /** Added to the clock. */
  aheadMs = 0;
  #ids = 0;
  complaints: string[] = [];
  /** What was to be kept of sessions. */
  kept: WorkEvent[] = [];

  constructor() {
    mkdirSync(join(this.root, '.context'), { recursive: true });
    for (const [name, text] of Object.entries(CONTEXT_FILES)) writeFileSync(join(this.root, '.context', name), text);
  }

  /** Where the project's own state lies; the project is made if no command did. */
  files(): StateFiles {
    return stateOf(this.root, this.state).toWrite();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Everything that the hook printed. */
  async print(event: string, agent: string, payload: Uint8Array | object, options: CallOptions = {}): Promise<string> {
    let printed = '';
    const input: HookInput = {
      event,
      agent,
      head: payload instanceof Uint8Array ? payload : new TextEncoder().encode(JSON.stringify(payload)),
      rest: options.rest ?? nothing(),
      ...(options.claim === undefined ? {} : { claim: options.claim }),
      ...(options.claimedIn === undefined ? {} : { claimedIn: options.claimedIn }),
      env: { HOME: this.folder, XDG_STATE_HOME: this.stateHome, ...options.env },
      cwd: options.cwd ?? this.root,
    };
    await runHook(input, {
      now: () => Date.now() + this.aheadMs,
      elapsed: () => 100,
      print: (text) => {
        printed += text;
        return true;
      },
      complain: (line) => {
        this.complaints.push(line);
      },
      newId: () => `fw_test${String(++this.#ids).padStart(4, '0')}`,
      redactor: () => (text) => text.replaceAll('hunter2hunter2', '[redacted]'),
      startup: async () => ({ text: 'STARTUP', shown: shownOf(this.header) }),
      textsSince: async () => [],
      keepWork: async (moment) => {
        this.kept.push(moment);
      },
      header: async (_, before, maxChars) => headerDelta(this.header, before, { maxChars, render: JSON.stringify }),
      ...options.ports,
    });
    return printed;
  }

  /** The text that reaches the model, or '' for silence. */
  async text(event: string, agent: string, payload: object, options: CallOptions = {}): Promise<string> {
    return contextOf(await this.print(event, agent, { cwd: this.root, ...payload }, options));
  }

  log(): string {
    try {
      return readFileSync(join(this.state, 'hook.log'), 'utf8');
    } catch {
      return '';
    }
  }

  /** The entries for the journal; removes them. */
  journal() {
    const spooled = takeSpool(this.state, this.root);
    spooled.remove();
    return spooled.entries;
  }
}

/** The one text in the output, whatever its envelope; '' when nothing was printed. Throws for anything else. */
export function contextOf(printed: string): string {
  if (printed === '') return '';
  const value: Record<string, unknown> = JSON.parse(printed);
  const inner = (value.hookSpecificOutput as Record<string, unknown> | undefined) ?? value;
  const texts = ['additionalContext', 'additional_context', 'context'].flatMap((key) =>
    typeof inner[key] === 'string' ? [inner[key]] : [],
  );
  if (texts.length !== 1) throw new Error(`not an answer: ${printed}`);
  return texts[0] ?? '';
}

async function* nothing(): AsyncIterable<Uint8Array> {
  // The payload was complete.
}
