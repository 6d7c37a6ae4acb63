// What the answers of an agent mean for our hooks; the answers are those of the real Codex, of which test/real/doctor.test.ts has more.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hooksOfServer } from '../agents/codex/hooks-of-server.ts';
import type { RunProcess } from '../kernel/process.ts';
import { askTrust } from './ask-trust.ts';
import type { Scope } from './target.ts';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'foreword-ask-')));
  for (const place of ['home/.codex', 'shop/.codex']) {
    mkdirSync(join(folder, place), { recursive: true });
    writeFileSync(join(folder, place, 'hooks.json'), '{}');
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Said {
  /** Where the hooks of ours are that it lists, below its copy or below the project. */
  readonly own?: 'trusted' | 'untrusted';
  readonly project?: 'trusted' | 'untrusted';
  /** `undefined`: it does not know the question. */
  readonly isOn?: boolean;
}

function asked(scope: Scope, { own, project, isOn }: Said) {
  const run = (async ({ onLine, env }: Parameters<RunProcess>[0]) => {
    const hook = (sourcePath: string, trustStatus: string) => ({
      command: '/opt/foreword-hook stop codex',
      sourcePath,
      enabled: true,
      trustStatus,
    });
    const hooks = [
      ...(own === undefined ? [] : [hook(join(env?.CODEX_HOME ?? '', 'hooks.json'), own)]),
      ...(project === undefined ? [] : [hook(join(folder, 'shop/.codex/hooks.json'), project)]),
    ];
    const features = isOn === undefined ? { error: {} } : { result: { data: [{ name: 'hooks', enabled: isOn }] } };
    onLine?.(JSON.stringify({ id: 3, ...features }), 'stdout');
    onLine?.(JSON.stringify({ id: 2, result: { data: [{ hooks, errors: [] }] } }), 'stdout');
  }) as unknown as RunProcess;
  const [home, root] = [join(folder, 'home/.codex'), join(folder, 'shop')];
  const file = join(scope === 'user' ? home : join(root, '.codex'), 'hooks.json');
  return askTrust({ ask: hooksOfServer, program: 'codex', folder: home, root, file, scope, path: '' }, run);
}

test.each<readonly [string, Scope, Said, readonly string[]]>([
  [
    'hooks of a project that it does not list are in a folder that is not trusted',
    'project',
    { isOn: true },
    ['folder not trusted'],
  ],
  ['those of the team too', 'team', { isOn: true }, ['folder not trusted']],
  [
    'those of the person do not stand for those of the project',
    'team',
    { own: 'trusted', isOn: true },
    ['folder not trusted'],
  ],
  ['with the feature off none is listed', 'project', { isOn: false }, ['off']],
  ['an older Codex does not say that', 'project', {}, ['folder not trusted']],
  ['the person’s own are listed wherever it is', 'user', { isOn: true }, ['off']],
  ['each file has its own trust', 'project', { own: 'trusted', project: 'untrusted', isOn: true }, ['untrusted']],
  [
    'each file has its own trust: the person',
    'user',
    { own: 'trusted', project: 'untrusted', isOn: true },
    ['trusted'],
  ],
])('%s', async (_title, scope, said, trust) => {
  expect(await asked(scope, said)).toEqual(trust);
});
