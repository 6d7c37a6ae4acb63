import type { Recipe } from './recipe.ts';

/** A neighbour's entry under another name: what an entry looks like is the file's own business. */
function asItsNeighbour(text: string): string {
  const entry = /^ {4}size: (number\([\s\S]*?\)),$/m;
  if (!entry.test(text)) throw new Error('src/config/settings.ts has no history.size');
  return text.replace(entry, (line, value) => `${line}\n    newest: ${value},`);
}

export const setting: Recipe = {
  heading: 'Add a setting',
  changes: [{ path: 'src/config/settings.ts', edit: asItsNeighbour }],
  watchers: ['src/config/load.test.ts', 'src/config/project-config.test.ts'],
};
