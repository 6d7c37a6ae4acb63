import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { stateOf } from './open-state.ts';
import { makePrivateFolder, personState, rootPlaces, sessionPlace, stateFolder } from './project-state.ts';

const script = (name: string) => readFileSync(join(import.meta.dirname, '../../hooks', name), 'utf8');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreword-places-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the scripts that agents run', () => {
  const HOOK = script('foreword-hook.sh');

  test.each([
    {},
    { HOME: '/h' },
    { HOME: 'h' },
    { HOME: '/h', XDG_STATE_HOME: '/x' },
    { HOME: '/h', XDG_STATE_HOME: 'x' },
    { HOME: '/h', XDG_STATE_HOME: '' },
    { XDG_STATE_HOME: '/x' },
  ])('find the state folder of %o where we do', (env) => {
    const [part = ''] = /^case \$\{XDG_STATE_HOME-\} in$.*?^esac$/ms.exec(HOOK) ?? [];
    expect(part).not.toBe('');
    const said = execFileSync('/bin/sh', ['-c', `${part}\nprintf %s "$state"`], { env });
    expect(said.toString()).toBe(stateFolder(env));
  });

  test('name places in it that we have too', () => {
    const both = HOOK + script('foreword-speak.sh');
    const names = (pattern: RegExp) => new Set([...both.matchAll(pattern)].map(([, name]) => name));
    const { hookLog, node } = personState('');
    expect(names(/\$state\/([\w.-]+)/g)).toEqual(new Set(['roots', hookLog, node]));
    const { folder: own, gate, hooks, on } = rootPlaces('$state', '/$root');
    expect(names(/^ *own=(.*)$/gm)).toEqual(new Set([own.replace('/$root', '$root')]));
    expect(names(/\$own\/([\w.-]+)/g)).toEqual(new Set([gate, hooks].map((path) => relative(own, path))));
    expect(names(/\$state\/roots\$root\/([\w./-]+)/g)).toEqual(
      new Set([own, on].map((path) => relative('$state/roots/$root', path))),
    );
  });
});

describe('the folder for runs', () => {
  test('is the same for every path that leads to the project, and another for another project', () => {
    for (const name of ['one', 'two']) mkdirSync(join(folder, name));
    symlinkSync(join(folder, 'one'), join(folder, 'link'));
    const [one, link, two] = ['one', 'link', 'two'].map((name) => stateOf(join(folder, name), join(folder, 'state')));
    expect(link?.runs().turns).toBe(one?.runs().turns);
    expect(two?.runs().turns).not.toBe(one?.runs().turns);
  });

  test('has a place of its own for every task, whatever its id', () => {
    const runs = stateOf(folder, join(folder, 'state')).runs();
    const ids = ['a', 'A', '../../x', 'a/b', 'a_b', '..', 'é'.repeat(300)];
    const folders = ids.map((id) => runs.task(id).folder);
    expect(new Set(folders).size).toBe(ids.length);
    for (const each of folders) expect(join(each, '..')).toBe(join(runs.checkouts, '../runs'));
  });

  test.each([
    ['a link', (path: string) => symlinkSync(folder, path)],
    [
      'a folder that others can write to',
      (path: string) => chmodSync(mkdirSync(path, { recursive: true }) ?? path, 0o777),
    ],
  ])('is refused when %s stands on the way', (_, put) => {
    mkdirSync(join(folder, 'state'));
    put(join(folder, 'state/projects'));
    expect(() => stateOf(folder, join(folder, 'state')).runs()).toThrow('is not a private folder of yours');
  });

  test('is for its owner alone', () => {
    expect(lstatSync(makePrivateFolder(join(folder, 'state'), 'a/b')).mode & 0o777).toBe(0o700);
  });
});

describe('the place of a session', () => {
  const names = { HOME: '/home/me', home: '/home/me', temporary: '/tmp' };

  test('comes from its id alone', () => {
    const { folder: at, socket, tmux } = sessionPlace('s01234567', { ...names, XDG_RUNTIME_DIR: '/run/user/7' });
    expect(at).toBe('/run/user/7/foreword/s/s01234567');
    expect([socket, tmux]).toEqual([`${at}/socket`, { socket: `${at}/tmux`, session: 's01234567' }]);
  });

  test('is short enough for a socket', () => {
    const { folder: at } = sessionPlace('s01234567', { ...names, XDG_RUNTIME_DIR: `/${'long/'.repeat(20)}` });
    expect(at).toBe(`/tmp/foreword-${process.getuid?.()}/s/s01234567`);
  });

  test.each(['', '..', '../../victim', 's1', 'S01234567', 's01234567/x', 's01234567\n'])('is none for %j', (id) => {
    expect(() => sessionPlace(id, names)).toThrow('is not a session id');
  });
});
