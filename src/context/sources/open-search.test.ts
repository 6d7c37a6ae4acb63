import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/bundle.ts';
import type { SearchIndex } from '../../kernel/search.ts';
import { environment } from '../../system/environment.ts';
import { manualClock } from '../../testing/manual-clock.ts';
import { projectSearch } from './open-search.ts';

let root: string;
beforeEach(() => {
  root = temporaryFolder('open-search');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function search(openIndex: () => Promise<SearchIndex>) {
  const path = environment().PATH;
  return projectSearch({ root, path, maxFileBytes: 1024, clock: manualClock(), redact: (text) => text, openIndex });
}

test('outside of a repository there is no search, and no index is made', async () => {
  const opened = search(() => expect.fail('made'));
  expect(await opened.codeSearch()).toBeUndefined();
  await opened.close();
});

test('the index is opened once, at the first search, and closed with the project', async () => {
  execFileSync('git', ['init', '-q', root]);
  const done: string[] = [];
  const opened = search(async () => {
    done.push('opened');
    return { close: () => void done.push('closed') } as SearchIndex;
  });
  await Promise.all([opened.codeSearch(), opened.codeSearch()]);
  await opened.close();
  expect(done).toEqual(['opened', 'closed']);
});

test('a project that was never searched has nothing to close', async () => {
  await search(() => expect.fail('made')).close();
});
