import { expect, test } from 'vitest';
import { refusedSentences } from './refused.ts';

const seen = { home: '/home/me', written: [], output: [], restored: [], aside: [] };

test('files of one folder are named together, a few by themselves', () => {
  const written = [
    '/home/me/.npm/a/1',
    '/home/me/.npm/a/2',
    '/home/me/.npm/b',
    '/home/me/.config/x/1',
    '/home/me/.config/y/1',
  ];
  expect(refusedSentences({ ...seen, written })).toEqual([
    'It wrote ~/.config/x/1, which was not kept: its home was private.',
    'It wrote ~/.config/y/1, which was not kept: its home was private.',
    'It wrote ~/.npm (3 files), which was not kept: its home was private.',
  ]);
});

test('what programs report as refused is found in plain output and in JSON', () => {
  const output = [
    "touch: cannot touch '/usr/bin/evil': Read-only file system\nrm: cannot remove '/home/me/project': Device or resource busy",
    '{"text":"/bin/sh: 1: cannot create /etc/x: Read-only file system"}',
    "Error: EROFS: read-only file system, open '/opt/y'",
    "OSError: [Errno 30] Read-only file system: '/srv/z'",
    'The file system is read-only.',
  ];
  expect(refusedSentences({ ...seen, output })).toEqual([
    'Its output says that it could not change /etc/x.',
    'Its output says that it could not change /opt/y.',
    'Its output says that it could not change /srv/z.',
    'Its output says that it could not change /usr/bin/evil.',
    'Its output says that it could not change ~/project.',
  ]);
});

test('long lists are cut and counted, and names cannot break the line', () => {
  const written = Array.from({ length: 30 }, (_, at) => `/home/me/f${String(at).padStart(2, '0')}\n\u001b[31m`);
  const sentences = refusedSentences({ ...seen, written });
  expect(sentences).toHaveLength(13);
  expect(sentences.at(-1)).toBe('And 18 more of this kind.');
  expect(sentences.every((text) => !text.includes('\n') && !text.includes('\u001b'))).toBe(true);
});

test('output that is made to be slow to search is searched quickly', () => {
  const startedAt = performance.now();
  refusedSentences({
    ...seen,
    output: ['cannot a '.repeat(120_000), "cannot x '".repeat(100_000), '/a'.repeat(500_000)],
  });
  expect(performance.now() - startedAt).toBeLessThan(3000);
});
