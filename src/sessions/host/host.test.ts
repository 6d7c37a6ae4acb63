import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  fakeAgent,
  fakeHosting,
  fakePlace,
  fakePrepared,
  fakeProject,
  fakeRecord,
  fakeTerminal,
} from '../../testing/fake-session.ts';
import { hostSession } from './host.ts';
import type { HostMessage, PreparedMessage } from './messages.ts';
import type { HostRequest } from './request.ts';
import { type TakeOverHostParts, takesPastes } from './take-over.ts';

function field() {
  const starter = { isGone: false, leavesAtStart: false, sent: [] as HostMessage[] };
  const project = fakeProject({
    emit: async () => {
      if (starter.leavesAtStart) starter.isGone = true;
    },
  });
  const place = fakePlace();
  const terminal = fakeTerminal();
  const attached: { readonly socket: string; readonly hasBracketedPaste: boolean }[] = [];
  const ends: string[] = [];
  const parts: TakeOverHostParts = {
    ...fakeHosting(project),
    agents: () => [fakeAgent()],
    tmux: {
      attach: async ({ socket }, { hasBracketedPaste }) => {
        attached.push({ socket, hasBracketedPaste });
        return terminal;
      },
      personAt: async () => undefined,
      show: async () => undefined,
      shows: async () => false,
      end: async () => undefined,
      announce: async () => undefined,
      say: async () => undefined,
    },
    places: { at: () => place, of: () => place },
    starter: {
      isConnected: () => !starter.isGone,
      send: (message) => void starter.sent.push(message),
      receive: async () => undefined,
    },
    prepare: () => Promise.reject(new Error('nothing is switched here')),
    newHost: () => expect.fail('nothing is switched here'),
    presence: { isHosted: async () => false, hostState: () => 'gone', isThere: async () => true },
    env: {},
  };
  const {
    agent: _,
    place: __,
    ...prepared
  } = fakePrepared(place, {
    startup: { id: 'fw_1', text: '', code: 'x', ladder: ['typed'], launched: undefined, required: 'submitted' },
  });
  const reservation = (message: PreparedMessage | undefined) => ({
    terminal: Promise.resolve({ run: async () => terminal, end: async () => void ends.push('end') }),
    prepared: Promise.resolve(message),
    cancel: async () => undefined,
  });
  const request: HostRequest = { kind: 'new', session: 's1', agent: 'mine' };
  return {
    project,
    place,
    folder: place.folder,
    terminal,
    starter,
    attached,
    ends,
    parts,
    prepared,
    reservation,
    request,
  };
}

describe('hosting a new session', () => {
  test('starts the agent, reports that it runs, and stays until it ends', async () => {
    const { folder, terminal, starter, parts, prepared, reservation, request } = field();
    const hosting = hostSession(parts, request, reservation(prepared));
    await expect.poll(() => starter.sent).toMatchObject([{ kind: 'running', session: { id: 's1' }, startup: 'fw_1' }]);
    terminal.exit(0);
    expect(await hosting).toBe(0);
    expect(existsSync(folder)).toBe(false);
  });

  test('whose starter gave up starts no agent and leaves nothing', async () => {
    const { folder, ends, parts, reservation, request, starter, prepared } = field();
    expect(await hostSession(parts, request, reservation(undefined))).toBe(1);
    expect([ends, existsSync(folder)]).toEqual([['end'], false]);
    starter.isGone = true;
    expect(await hostSession(parts, request, reservation(prepared))).toBe(1);
    expect(starter.sent).toEqual([]);
  });

  test('whose starter goes away while the agent starts ends the agent', async () => {
    const { terminal, starter, parts, prepared, reservation, request } = field();
    starter.leavesAtStart = true;
    expect(await hostSession(parts, request, reservation(prepared))).toBe(0);
    expect([terminal.calls, starter.sent]).toEqual([['end'], []]);
  });

  test('that cannot be stored ends the agent', async () => {
    const { project, terminal, parts, prepared, reservation, request } = field();
    await project.stores.sessions.put('s1', fakeRecord({ pid: 1 }), 0);
    await expect(hostSession(parts, request, reservation(prepared))).rejects.toMatchObject({ code: 'stale-owner' });
    expect(terminal.calls).toEqual(['end']);
  });
});

describe('taking a session over', () => {
  const start = async (more = {}) => {
    const all = field();
    const { folder, tmux, socket } = all.place;
    const record = fakeRecord({ folder, tmux, socket, pid: 1, hasBracketedPaste: true, ...more });
    await all.project.stores.sessions.put('s1', record, 0);
    return { ...all, request: { ...all.request, kind: 'take-over' as const } };
  };

  test('goes on with its agent and names itself in the record', async () => {
    const { project, place, terminal, starter, attached, parts, request } = await start();
    const hosting = hostSession(parts, request, undefined);
    await expect.poll(() => starter.sent).toMatchObject([{ kind: 'running', session: { pid: process.pid } }]);
    expect(attached).toEqual([{ socket: place.tmux.socket, hasBracketedPaste: true }]);
    expect((await project.stores.sessions.get('s1'))?.value).toMatchObject(parts.me);
    terminal.exit(0);
    expect(await hosting).toBe(0);
  });

  test('ends at once when another process hosts it by now', async () => {
    const { starter, attached, parts, request } = await start();
    const presence = { ...parts.presence, isHosted: async () => true };
    expect(await hostSession({ ...parts, presence }, request, undefined)).toBe(0);
    expect([starter.sent, attached]).toEqual([[{ kind: 'hosted' }], []]);
  });

  test('a session that is not in tmux is refused', async () => {
    const { parts, request } = await start({ tmux: undefined });
    await expect(hostSession(parts, request, undefined)).rejects.toMatchObject({
      code: 'unknown-session',
      message: 'Session s1 cannot be taken over.',
    });
  });

  test('a session that was not started here is refused, whatever its record holds', async () => {
    const { parts, request, attached } = await start();
    const places = { ...parts.places, of: () => undefined };
    await expect(hostSession({ ...parts, places }, request, undefined)).rejects.toMatchObject({
      code: 'unknown-session',
    });
    expect(attached).toEqual([]);
  });

  test('framed pastes are assumed of a young session whose host did not store them', () => {
    const startedAt = '2027-01-15T08:00:00.000Z';
    const later = (ms: number) => Date.parse(startedAt) + ms;
    expect(takesPastes({ startedAt }, later(5_000))).toBe(true);
    expect(takesPastes({ startedAt }, later(60_000))).toBe(false);
    expect(takesPastes({ startedAt, hasBracketedPaste: true }, later(60_000))).toBe(true);
  });
});
