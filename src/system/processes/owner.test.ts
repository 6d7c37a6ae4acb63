import { spawn } from 'node:child_process';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { isOwnerAlive, ownerHost, ownerName, ownerPlace, ownerShown, ownerState } from './owner.ts';
import { processes, startOf } from './process-table.ts';

const [host = '', boot = '', pid = '', start = '', machine = ''] = ownerName().split(' ');
const [kernel = '', numbering = ''] = boot.split(':');
const named = (parts: { host?: string; boot?: string; pid?: number; start?: string; machine?: string }): string =>
  [parts.host ?? host, parts.boot ?? boot, parts.pid ?? pid, parts.start ?? start, parts.machine ?? machine].join(' ');

// Elsewhere than on Linux nothing is known of a process but its number.
describe.runIf(startOf(process.pid) !== undefined)('the name of a process', () => {
  it('is alive as long as that very process runs', () => {
    expect(ownerState(ownerName())).toBe('alive');
    expect(ownerHost(ownerName())).toBe(hostname());
    expect(ownerState(named({ start: `${Number(start) + 1}` }))).toBe('gone');
    expect(isOwnerAlive(named({ start: `${Number(start) + 1}` }))).toBe(false);
  });

  it('is gone when the process ended, also while nobody asked for its status', async () => {
    // The shell becomes a sleep, which never asks what became of the child it has from the shell.
    const parent = spawn('/bin/sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 30'], { stdio: 'pipe' });
    const child = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
    const from = performance.now();
    let state = '';
    while (state !== 'gone' && performance.now() - from < 5000) {
      state = ownerState(named({ pid: child, start: `${startOf(child)}` }));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(startOf(child)).toBeDefined();
    expect(state).toBe('gone');
    parent.kill('SIGKILL');
  });

  it('is shown with its number and machine, and as gone after a restart of the machine', () => {
    expect(ownerShown(ownerName())).toEqual({ state: 'alive', pid: process.pid, host });
    expect(ownerShown(named({ start: `${Number(start) + 1}` }))).toEqual({ state: 'gone', pid: process.pid, host });
    expect(ownerShown(named({ host: 'build7' })).state).toBe('unknown');
    if (machine !== 'unknown') expect(ownerShown(named({ boot: `b00t:${numbering}` })).state).toBe('gone');
    expect(ownerShown('?')).toEqual({ state: 'unknown', pid: 0, host: '?' });
  });

  it('of another machine, container or boot is not judged from here', () => {
    for (const other of [{ host: 'build7' }, { boot: `${kernel}:1` }, { boot: `b00t:${numbering}` }])
      expect(ownerState(named({ ...other, start: '1' }))).toBe('unknown');
  });

  it('is not judged by whoever cannot look at processes', () => {
    expect(ownerState(named({ start: '1' }), { ...processes, one: () => undefined })).toBe('unknown');
  });
});

describe('the place of a process', () => {
  it('is here on this machine in this boot', () => {
    expect(ownerPlace(ownerName())).toBe('here');
    expect(ownerPlace(named({ pid: 1, start: '1' }))).toBe('here');
  });

  it('is elsewhere on another machine and in another container', () => {
    expect(ownerPlace(named({ host: 'build7' }))).toBe('elsewhere');
    expect(ownerPlace(named({ boot: `${kernel}:1` }))).toBe('elsewhere');
  });

  it('of an earlier boot is known only of a machine that differs from others', () => {
    const before = named({ boot: `b00t:${numbering}` });
    expect(ownerPlace(before)).toBe(machine === 'unknown' ? 'elsewhere' : 'before');
    expect(ownerPlace(named({ boot: `b00t:${numbering}`, machine: 'another' }))).toBe('elsewhere');
    expect(ownerPlace(named({ boot: `b00t:${numbering}`, machine: 'unknown' }))).toBe('elsewhere');
  });
});
