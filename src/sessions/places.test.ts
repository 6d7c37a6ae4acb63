import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fakeProject, fakeRecord, temporaryFolder } from '../testing/fake-session.ts';
import { keepNote, noteOf, type PlacedProject, placesIn, removePlace, storeOf } from './places.ts';

const ID = 's01234567';

function field() {
  const runtime = temporaryFolder();
  return { runtime, places: placesIn({ XDG_RUNTIME_DIR: runtime, home: '', temporary: '' }), project: fakeProject() };
}

function onStore(project: PlacedProject, store: string): PlacedProject {
  return { ...project, config: { store } };
}

describe('where sessions are kept', () => {
  test('is the runtime folder, else the state folder, else below the home', () => {
    const folderOf = (names: object) => placesIn({ home: '/home/you', temporary: '/tmp', ...names }).at(ID).folder;
    expect(folderOf({ XDG_RUNTIME_DIR: '/run/user/1', XDG_STATE_HOME: '/state' })).toBe(`/run/user/1/foreword/s/${ID}`);
    expect(folderOf({ XDG_RUNTIME_DIR: 'relative', XDG_STATE_HOME: '/state' })).toBe(`/state/foreword/s/${ID}`);
    expect(folderOf({ XDG_STATE_HOME: 'relative', HOME: '/home/me' })).toBe(`/home/me/.local/state/foreword/s/${ID}`);
    expect(folderOf({})).toBe(`/home/you/.local/state/foreword/s/${ID}`);
  });

  test('a new session has a private folder, in which its tmux server is', () => {
    const { runtime, places } = field();
    const place = places.make();
    expect(place.folder).toBe(join(runtime, 'foreword/s', place.id));
    expect(statSync(place.folder).mode & 0o777).toBe(0o700);
    expect(place.tmux).toEqual({ socket: join(place.folder, 'tmux'), session: place.id });
    expect(place).toEqual(places.at(place.id));
    removePlace(place);
    expect(existsSync(place.folder)).toBe(false);
  });

  test('is refused when others can write to it', () => {
    const { runtime, places } = field();
    expect(existsSync(places.make().folder)).toBe(true);
    chmodSync(join(runtime, 'foreword'), 0o777);
    expect(() => places.make()).toThrow('is not a private folder of yours');
  });
});

describe('the note of a session', () => {
  test('has where it was started, its store and its configuration', () => {
    const { places, project } = field();
    const place = places.make();
    expect(noteOf(place)).toBeUndefined();
    keepNote({ ...project, cwd: '/shop/src' }, place, { config: 'my.yaml' });
    expect(noteOf(place)).toEqual({ root: project.root, cwd: '/shop/src', config: '/shop/src/my.yaml' });
    keepNote(onStore(project, '/kept/my.db'), place, { config: '' });
    expect(noteOf(place)).toEqual({ root: project.root, cwd: project.cwd, store: '/kept/my.db' });
  });

  test('counts only in a private folder, and when it can be read', () => {
    const { places, project } = field();
    const place = places.make();
    keepNote(project, place, {});
    chmodSync(place.folder, 0o777);
    expect(noteOf(place)).toBeUndefined();
    chmodSync(place.folder, 0o700);
    writeFileSync(place.note, '{');
    expect(noteOf(place)).toBeUndefined();
  });

  test('names the same store wherever a host is started', () => {
    const named = (store: string) => storeOf({ cwd: '/shop', config: { store } }).store;
    expect(named('kept/my.db')).toBe('/shop/kept/my.db');
    expect(named('redis://:secret@host/1')).toBe('redis://:secret@host/1');
    expect(storeOf({ cwd: '/shop', config: { store: undefined } })).toEqual({});
  });
});

describe('the place of a record', () => {
  test('is that of its id when the session was started for this project, or on this store', () => {
    const { places, project } = field();
    const place = places.make();
    const record = fakeRecord({ id: place.id, folder: place.folder });
    expect(places.of(project, record)).toBeUndefined();
    keepNote(onStore(project, '/kept/my.db'), place, {});
    expect(places.of(project, record)).toEqual(place);
    const other = fakeProject();
    expect(places.of(other, record)).toBeUndefined();
    expect(places.of(onStore(other, '/kept/other.db'), record)).toBeUndefined();
    expect(places.of(onStore(other, '/kept/my.db'), record)).toEqual(place);
  });

  test('is none when the record names another folder than its id does, or has no id of a session', () => {
    const { runtime, places, project } = field();
    const place = places.make();
    keepNote(project, place, {});
    const planted = [
      fakeRecord({ id: place.id, folder: '/home/me/thesis' }),
      fakeRecord({ id: '../../victim', folder: join(runtime, 'victim') }),
    ];
    mkdirSync(join(runtime, 'victim'));
    expect(planted.map((record) => [places.isElsewhere(record), places.of(project, record)])).toEqual([
      [true, undefined],
      [true, undefined],
    ]);
    expect(places.isElsewhere(fakeRecord({ id: place.id, folder: place.folder }))).toBe(false);
    expect(places.isElsewhere(fakeRecord({ id: place.id }))).toBe(false);
  });
});
