// One process that refreshes and asks: `refresher ROOT INDEX WORD`. Prints what it found as one line of JSON.

import { openCodeSearch } from '../../src/context/sources/code.ts';
import { openSearchIndex } from '../../src/stores/sqlite/search-index.ts';
import { openRepository } from '../../src/system/git/repository.ts';

const [root = '', file = '', word = ''] = process.argv.slice(2);
const repository = openRepository(root, process.env.PATH);
if (repository === undefined) throw new Error(`no repository at ${root}`);
const search = openCodeSearch({ root, repository, index: await openSearchIndex(file), redact: (text) => text });
const report = await search.refresh();
const hits = await search.find([word], 3);
search.close();
process.stdout.write(`${JSON.stringify({ files: report.files, hits: hits.map(({ path }) => path) })}\n`);
