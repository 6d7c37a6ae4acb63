import { addBefore, newFile, type Recipe } from './recipe.ts';

export const source: Recipe = {
  heading: 'Add a source',
  changes: [
    newFile(
      'src/context/sources/weather.ts',
      `// Weather: the file that says how it is outside.

import type { Observed } from '../../kernel/source.ts';
import { observeFile } from '../../system/files/observe-file.ts';

export function observeWeather(root: string): Observed<string> {
  return observeFile(root, { places: ['.foreword/weather.txt'] }, (text) => ({ ok: true, value: text.trim() }));
}
`,
    ),
    addBefore('src/context/sources/port.ts', '  policy(): Observed<Policy>;', '  weather(): Observed<string>;'),
    {
      path: 'src/context/sources/project-sources.ts',
      edit: (text) => {
        const imported = addBefore('', 'export function', "import { observeWeather } from './weather.ts';\n").edit(
          text,
        );
        return addBefore('', '    policy: () =>', '    weather: () => observeWeather(root),').edit(imported);
      },
    },
  ],
  test: {
    path: 'src/context/sources/weather.test.ts',
    text: `import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/bundle.ts';
import { projectSources } from './project-sources.ts';

const root = temporaryFolder('weather');
afterAll(() => rmSync(root, { recursive: true }));

test('the sources of a project observe it', () => {
  const context = { tasks: undefined, notes: undefined, policy: undefined, recentSec: 180 };
  const sources = projectSources({ root, work: root, path: undefined, context, clock: { now: () => 0 } });
  expect(sources.weather()).toEqual({ kind: 'absent' });
  mkdirSync(join(root, '.foreword'));
  writeFileSync(join(root, '.foreword/weather.txt'), 'rain\\n');
  expect(sources.weather()).toEqual({ kind: 'found', value: 'rain', from: '.foreword/weather.txt' });
});
`,
  },
  watchers: ['src/context/sources', 'src/runs/prepare-run.test.ts'],
  forgotten: {
    path: 'src/context/sources/project-sources.ts',
    found: { types: 'src/context/sources/project-sources.ts' },
  },
};
