import { ForewordError } from '../../kernel/errors.ts';
import { wordsOf } from '../../kernel/search-words.ts';
import type { Command } from '../command.ts';
import { inProject } from '../in-project.ts';
import { wholeNumber } from '../whole-number.ts';
import { working } from '../working.ts';

export const search: Command = {
  name: 'search',
  summary: 'Find tracked files by words, best first',
  args: ['WORDS...'],
  flags: {
    limit: { description: 'how many files at most (search.maxHits)', value: 'N' },
    stats: { description: 'also print how many files were indexed and left out' },
  },
  examples: [{ line: 'foreword search cart total', does: 'lists files about carts and totals, with one line of each' }],
  worksInCheckouts: true,
  run: (call) =>
    inProject(call, async (project) => {
      const limit = wholeNumber(call, 'limit', { from: 1, to: 100 }) ?? project.config.search.maxHits;
      const words = wordsOf(call.args.join(' '));
      if (words.length === 0) {
        throw new ForewordError('bad-usage', 'These words are too short or too common to search for.', {
          hint: 'Give words of at least three letters, other than "the" or "and".',
        });
      }
      const code = await project.codeSearch();
      if (code === undefined) {
        throw new ForewordError('bad-input', `${project.root} is not in a git repository.`, {
          hint: 'foreword search reads tracked files only. Run git init and git add.',
        });
      }
      const index = await working(call, 'reading the tracked files', () => code.refresh());
      const hits = await code.find(words, limit);
      if (call.has('json')) call.out.json({ words, hits, index });
      else {
        for (const hit of hits) call.out.item(`${hit.path}:${hit.line}`, hit.snippet);
        if (hits.length === 0) call.out.note(`Nothing found for ${words.join(', ')}.`);
      }
      if (call.has('stats')) call.out.note(statsLine(index));
      return hits.length === 0 ? 1 : 0;
    }),
};

function statsLine(index: {
  files: number;
  updated: number;
  removed: number;
  leftOut: Readonly<Record<string, number>>;
}): string {
  const leftOut = Object.entries(index.leftOut).map(([reason, count]) => `${count} ${reason}`);
  const parts = [`${index.files} files indexed`, `${index.updated} updated`, `${index.removed} removed`];
  return `${[...parts, ...(leftOut.length > 0 ? [`left out: ${leftOut.join(', ')}`] : [])].join('; ')}.`;
}
