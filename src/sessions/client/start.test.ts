import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { DeliveryRecord } from '../../kernel/delivery.ts';
import {
  type FakeTerminal,
  fakeHosting,
  fakePlace,
  fakePrepared,
  fakeProject,
  fakeRecord,
  fakeTerminal,
} from '../../testing/fake-session.ts';
import type { PreparedMessage } from '../host/messages.ts';
import type { SocketMessage } from '../socket.ts';
import { outcomeText } from './outcome-text.ts';
import { type DetachedParts, startDetached } from './start-detached.ts';
import { type HereParts, startHere } from './start-here.ts';
import type { SessionOptions } from './start-options.ts';

function output() {
  const notes: string[] = [];
  const printed: unknown[] = [];
  const out = {
    note: (text: string) => void notes.push(text),
    print: (text: string) => void printed.push(text),
    json: (value: unknown) => void printed.push(value),
  };
  return { notes, printed, out };
}

const OPTIONS: Omit<SessionOptions, 'out'> = {
  agent: 'mine',
  args: [],
  channel: undefined,
  hasContext: true,
  terminal: 'tmux',
  isDetached: true,
  wait: undefined,
  isJson: false,
  config: undefined,
};

describe('starting a session in tmux', () => {
  function field(delivery: Partial<DeliveryRecord> = {}) {
    const seen = output();
    const sent: PreparedMessage[] = [];
    const asked: SocketMessage[] = [];
    const parts: DetachedParts = {
      prepare: async (_, place) => fakePrepared(place),
      clock: { wait: async () => undefined },
      client: {
        attach: async () => 7,
        deliver: async (_, message, onChange) => {
          asked.push(message);
          onChange({ stage: 'queued', waiting: 'agent-busy' } as DeliveryRecord);
          return { id: 'fw_1', proof: 'placed', ...delivery } as DeliveryRecord;
        },
      },
      host: {
        place: fakePlace('/run/s1'),
        send: (message) => void sent.push(message),
        started: Promise.resolve({
          message: { kind: 'running', session: fakeRecord(), startup: 'fw_1' },
          notes: ['foreword: what is written here may be lost'],
        }),
        cancel: async () => 'runs',
      },
    };
    return { ...seen, parts, sent, asked, options: { ...OPTIONS, out: seen.out } };
  }

  test('sends the prepared session to its host, and prints what the host logged', async () => {
    const { parts, options, sent, notes, printed } = field();
    expect(await startDetached(parts, options)).toBe(0);
    const { agent: _, place: __, ...prepared } = fakePrepared(fakePlace('/run/s1'));
    expect(sent).toEqual([prepared]);
    expect(notes).toEqual(['what is written here may be lost']);
    expect(printed).toEqual(['s1: mine runs. foreword attach s1']);
  });

  test('waits for the proof, prints what it waits for, and ends with 1 when it is less', async () => {
    const less = field({ reason: 'no proof in time' });
    expect(await startDetached(less.parts, { ...less.options, wait: 'submitted' })).toBe(1);
    expect(less.asked).toEqual([{ kind: 'follow', id: 'fw_1', wait: 'submitted' }]);
    expect(less.notes.at(-1)).toBe('the startup context waits: agent-busy');
    expect(less.printed).toEqual(['s1: mine runs; startup context placed (no proof in time). foreword attach s1']);
    const more = field({ proof: 'served' });
    expect(await startDetached(more.parts, { ...more.options, wait: 'submitted', isJson: true })).toBe(0);
    expect(more.printed).toEqual([{ session: fakeRecord(), startup: { id: 'fw_1', proof: 'served' } }]);
  });

  test('without --detach attaches, and ends as that does', async () => {
    const { parts, options, printed } = field();
    expect(await startDetached(parts, { ...options, isDetached: false })).toBe(7);
    expect(printed).toEqual([]);
  });

  test('how to leave can be read before the agent runs, which may end at once', async () => {
    const { parts, options, notes, sent } = field();
    const clock = { wait: async () => void notes.push(`(time to read, ${sent.length} sent)`) };
    await startDetached({ ...parts, clock }, { ...options, isDetached: false });
    expect(notes.slice(0, 2)).toEqual([expect.stringContaining('leave it with Ctrl-b d'), '(time to read, 0 sent)']);
  });
});

interface Tty {
  readonly input: boolean;
  readonly output: boolean;
}

describe('starting a session in the own terminal', () => {
  function field(given: { readonly tty?: Tty; readonly emit?: (terminal: FakeTerminal) => Promise<void> } = {}) {
    const { tty = { input: true, output: true }, emit = async () => undefined } = given;
    const seen = output();
    const place = fakePlace();
    const terminal = fakeTerminal('pty');
    const signals = new EventEmitter();
    const relays: string[] = [];
    const hosting = fakeHosting(fakeProject({ emit: () => emit(terminal) }));
    const parts: HereParts = {
      hosting,
      newPlace: () => place,
      prepare: async () => fakePrepared(place),
      openPty: async () => terminal,
      person: {
        input: { isTTY: tty.input },
        output: { isTTY: tty.output, columns: 90, rows: 30 },
        signals,
        view: () => ({
          show: () => {
            relays.push('relay');
            return { detach: async () => void relays.push('detach'), announce: () => undefined };
          },
        }),
      },
    };
    return { ...seen, parts, folder: place.folder, terminal, signals, relays, options: { ...OPTIONS, out: seen.out } };
  }

  test('is refused without a TTY, with what to do instead', async () => {
    const message = (missing: string) => `foreword start needs a terminal: ${missing} is not a TTY.`;
    const hint = 'Use --detach to run without one.';
    const noInput = field({ tty: { input: false, output: true } });
    await expect(startHere(noInput.parts, noInput.options)).rejects.toMatchObject({ message: message('stdin'), hint });
    const noOutput = field({ tty: { input: true, output: false } });
    await expect(startHere(noOutput.parts, noOutput.options)).rejects.toMatchObject({
      message: message('stdout'),
      hint,
    });
    expect(noOutput.relays).toEqual([]);
  });

  test('reads nothing until the person and the screen listen, and ends with the exit code of the agent', async () => {
    const early: string[][] = [];
    const emit = async ({ calls, exit }: FakeTerminal): Promise<void> => {
      early.push([...calls]);
      setImmediate(() => exit(7));
    };
    const { parts, options, folder, terminal, signals, relays } = field({ emit });
    expect(await startHere(parts, options)).toBe(7);
    expect(early[0]).toEqual(['pause']);
    expect(terminal.calls).toEqual(['pause', 'resume']);
    expect(relays).toEqual(['relay', 'detach']);
    expect([signals.listenerCount('SIGTERM'), signals.listenerCount('SIGHUP')]).toEqual([0, 0]);
    expect(existsSync(folder)).toBe(false);
  });

  test('ends the agent on SIGTERM', async () => {
    const { parts, options, terminal, signals } = field();
    const starting = startHere(parts, options);
    await expect.poll(() => signals.listenerCount('SIGTERM')).toBe(1);
    signals.emit('SIGTERM');
    expect(await starting).toBe(143);
    expect(terminal.calls).toEqual(['pause', 'resume', 'end']);
  });

  test('leaves nothing behind when the session cannot run', async () => {
    const { parts, options, folder, terminal, relays } = field({ emit: () => Promise.reject(new Error('disk full')) });
    await expect(startHere(parts, options)).rejects.toThrow('disk full');
    expect([terminal.calls, relays, existsSync(folder)]).toEqual([['pause', 'end'], ['relay', 'detach'], false]);
  });

  test('prints after the screen is gone what became of a context that was not delivered', () => {
    const startup = (more: object) => ({ id: 'fw_1', proof: 'queued', ...more }) as DeliveryRecord;
    expect(outcomeText(undefined)).toBeUndefined();
    expect(outcomeText(startup({ stage: 'ended', outcome: 'delivered' }))).toBeUndefined();
    expect(outcomeText(startup({ stage: 'ended', outcome: 'failed', reason: 'the agent ended' }))).toBe(
      'the startup context fw_1 ended as failed: the agent ended',
    );
    expect(outcomeText(startup({ stage: 'queued', waiting: 'agent-busy' }))).toBe(
      'the startup context fw_1 ended as queued: agent-busy',
    );
  });
});
