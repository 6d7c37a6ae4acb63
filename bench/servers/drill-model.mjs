// The model of one machine of the drill, on its loopback: whatever task an agent is given, it writes that task's file. Prints its address
// and ends with its input.
//   node bench/servers/drill-model.mjs AGENT

import { once } from 'node:events';
import { join } from 'node:path';
import { importSource } from '../../scripts/import-source.mjs';

const { startModel } = await importSource('src/verify/model/server.ts');
const { recipeFor } = await importSource('src/verify/lab/recipe.ts');
const { newestTurn } = await importSource('src/verify/model/turn.ts');
const recipe = recipeFor(process.argv[2]);

const found = (texts, pattern) => texts.flatMap(({ text }) => pattern.exec(text)?.[1] ?? []).at(-1);

const model = await startModel({
  directives: false,
  standing: {
    kind: 'reply',
    reply: ({ texts }) => {
      const folder = found(texts, /## Working Directory\n(\S+)/);
      const task = found(texts, /## Task ID\n(\S+)/);
      // Requests for something else, such as a title, name no folder.
      if (folder === undefined || task === undefined || newestTurn(texts).hasToolResult)
        return { kind: 'text', text: 'I did it.' };
      const { tool, input } = recipe.fileCall(join(folder, `done-${task}.txt`), 'done\n');
      return { kind: 'slow', delayMs: 3000, step: { kind: 'call', calls: [{ name: tool, input }] } };
    },
  },
});
console.log(model.url);
process.stdin.resume();
await once(process.stdin, 'end');
await model.close();
