// Starting the program that hosts a session, with a small program in its place that does as the name of the agent says.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { spawnHost, spawnNewHost } from '../../src/sessions/client/spawn-host.ts';
import { placesIn } from '../../src/sessions/places.ts';
import { fakePlace, fakePrepared } from '../../src/testing/fake-session.ts';
import { until } from '../processes/processes.ts';

const PROGRAM = `
const { writeFileSync } = require('node:fs');
const request = JSON.parse(process.env.FOREWORD_HOST);
const send = (message) => process.send(message, () => undefined);
const acts = {
  runs: () => {
    console.error('foreword: the store is slow');
    process.once('message', (prepared) => {
      writeFileSync(process.env.XDG_RUNTIME_DIR + '/foreword/s/' + request.session + '/seen', JSON.stringify({ request, prepared, args: process.argv.slice(2), cwd: process.cwd() }));
      send({ kind: 'running', session: { id: request.session, pid: process.pid } });
    });
    setTimeout(() => undefined, 60_000);
  },
  fails: () => send({ kind: 'failed', error: { code: 'bad-config', message: 'It is wrong.', hint: 'Fix it.', faults: [] } }),
  dies: () => { console.error('foreword: no room'); process.exitCode = 3; process.disconnect(); },
  waits: () => process.once('disconnect', () => process.exit(1)),
};
acts[request.agent]();
`;

let folder: string;
let ended: string[];
const { agent: _, place: __, ...PREPARED } = fakePrepared(fakePlace('/run/s1'));
const places = () => placesIn({ XDG_RUNTIME_DIR: folder, home: '', temporary: '' });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-spawn-'));
  ended = [];
  writeFileSync(join(folder, 'host.cjs'), PROGRAM);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function newHost(agent: string) {
  const env = { PATH: process.env.PATH, XDG_RUNTIME_DIR: folder };
  return spawnNewHost(
    { agent, store: 'kept/my.db', config: undefined },
    {
      program: join(folder, 'host.cjs'),
      env,
      cwd: folder,
      places: places(),
      endTmux: async ({ session }) => void ended.push(session),
    },
  );
}

test('a host gets the session, and its starter gets what it logged until it runs', async () => {
  const host = newHost('runs');
  const { id, folder: place } = host.place;
  host.send(PREPARED);
  const { message, notes } = await host.started;
  expect(notes).toEqual(['foreword: the store is slow']);
  expect(message).toMatchObject({ kind: 'running', session: { id } });
  expect(JSON.parse(readFileSync(join(place, 'seen'), 'utf8'))).toEqual({
    request: { kind: 'new', session: id, agent: 'runs', store: 'kept/my.db' },
    prepared: PREPARED,
    args: [id, 'runs'],
    cwd: folder,
  });
  expect(await host.cancel()).toBe('runs');
  expect([existsSync(place), ended]).toEqual([true, []]);
  if (message.kind === 'running') process.kill(message.session.pid, 'SIGKILL');
});

test('the error of a host that fails is thrown here as it was there', async () => {
  const host = newHost('fails');
  await expect(host.started).rejects.toMatchObject({ code: 'bad-config', message: 'It is wrong.', hint: 'Fix it.' });
  expect(await host.cancel()).toBe('ended');
});

test('a host that ends without a message is reported with the last line of its log', async () => {
  const host = newHost('dies');
  await expect(host.started).rejects.toMatchObject({
    code: 'session-gone',
    message: 'The session could not be started. foreword: no room',
  });
  await host.cancel();
});

test('a host that is not needed any more ends, with its tmux and its folder', async () => {
  const host = newHost('waits');
  expect(await host.cancel()).toBe('ended');
  expect([existsSync(host.place.folder), ended]).toEqual([false, [host.place.id]]);
});

test('a program that is not there is reported, and nothing is left', async () => {
  const { id: session, log } = places().make();
  const request = { kind: 'take-over', session, agent: 'runs' } as const;
  const parts = { program: join(folder, 'no.cjs'), env: { PATH: '' }, cwd: folder, places: places() };
  const host = spawnHost(request, parts);
  await expect(host.started).rejects.toMatchObject({ code: 'session-gone' });
  expect(await host.cancel()).toBe('ended');
  await until('its log was written', () => existsSync(log));
});
