import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ForewordError } from '../../kernel/errors.ts';
import type { TerminalStart } from '../../kernel/terminal.ts';
import { fakePlace } from '../../testing/fake-session.ts';
import type { TmuxSession } from '../terminals.ts';
import type { HostMessage } from './messages.ts';
import { type ProgramParts, runProgram } from './program.ts';
import type { HostRequest } from './request.ts';

function field(kind: HostRequest['kind'] = 'new') {
  const place = fakePlace();
  const starter = { isGone: false };
  const sent: HostMessage[] = [];
  const notes: string[] = [];
  const reserved: { start: Pick<TerminalStart, 'cwd' | 'env'>; tmux: TmuxSession }[] = [];
  const ends: string[] = [];
  const request: HostRequest = { kind, session: 's1', agent: 'mine' };
  const parts: ProgramParts = {
    request,
    starter: {
      isConnected: () => !starter.isGone,
      send: (message) => void sent.push(message),
      receive: async () => undefined,
    },
    places: { at: () => place },
    env: { PATH: '/bin', FOREWORD_HOST: '{}' },
    cwd: '/shop',
    reserve: async (start, tmux) => {
      reserved.push({ start, tmux });
      return { run: () => Promise.reject(new Error('not run here')), end: async () => void ends.push('end') };
    },
    host: async () => 0,
    note: (text) => void notes.push(text),
  };
  return { parts, request, folder: place.folder, starter, sent, notes, reserved, ends };
}

describe('the host program', () => {
  test('starts tmux for a new session before the rest is loaded, without the request in its environment', async () => {
    const { parts, folder, reserved, ends } = field();
    const seen: number[] = [];
    const host: ProgramParts['host'] = async (_, reservation) => {
      seen.push(reserved.length);
      await reservation?.terminal;
      return 7;
    };
    expect(await runProgram({ ...parts, host })).toBe(7);
    expect(seen).toEqual([1]);
    expect(reserved).toEqual([
      {
        start: { cwd: '/shop', env: { PATH: '/bin' }, size: { cols: 120, rows: 40 } },
        tmux: { socket: join(folder, 'tmux'), session: 's1' },
      },
    ]);
    expect(ends).toEqual([]);
  });

  test('starts no tmux for a session that has one', async () => {
    const { parts, reserved } = field('take-over');
    expect(await runProgram(parts)).toBe(0);
    expect(reserved).toEqual([]);
  });

  test('that fails reports it to its starter, logs it, and ends what it reserved', async () => {
    const { parts, folder, sent, notes, ends } = field();
    const fault = { where: 'config.yaml', path: 'agents', message: 'Unknown key.' };
    const error = new ForewordError('bad-config', 'It is wrong.', { hint: 'Fix it.', faults: [fault] });
    expect(await runProgram({ ...parts, host: () => Promise.reject(error) })).toBe(1);
    expect(sent).toEqual([
      { kind: 'failed', error: { code: 'bad-config', message: 'It is wrong.', hint: 'Fix it.', faults: [fault] } },
    ]);
    expect(notes).toEqual(['foreword: It is wrong.', '  config.yaml: agents: Unknown key.', '  Fix it.']);
    expect(ends).toEqual(['end']);
    // Its starter removes the folder.
    expect(existsSync(folder)).toBe(true);
  });

  test('whose starter is gone removes the folder itself when it fails', async () => {
    const { parts, folder, starter, sent } = field();
    starter.isGone = true;
    expect(await runProgram({ ...parts, host: () => Promise.reject(new Error('no')) })).toBe(1);
    expect(sent).toMatchObject([{ error: { code: 'internal', message: 'Something unexpected happened: no' } }]);
    expect(existsSync(folder)).toBe(false);
  });

  test('that is started for what is no id of a session fails like any other', async () => {
    const { parts, notes, reserved } = field();
    const at = (id: string): never => {
      throw new ForewordError('bad-usage', `"${id}" is no id of a session.`);
    };
    expect(await runProgram({ ...parts, places: { at } })).toBe(1);
    expect([notes, reserved]).toEqual([['foreword: "s1" is no id of a session.'], []]);
  });

  test('that a person starts prints what it is for', async () => {
    const { parts, notes } = field();
    expect(await runProgram({ ...parts, request: undefined })).toBe(1);
    expect(notes).toEqual([
      'foreword: This program hosts a session; foreword start runs it. Run: foreword start AGENT.',
    ]);
  });
});
