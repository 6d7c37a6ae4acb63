#!/usr/bin/env node
// An agent that does the work, and makes one mistake: it puts the route under another path than asked for. It
// corrects that only when its prompt names what was wrong.

import { existsSync } from 'node:fs';
import { edit, readPrompt, write } from './task.mjs';

const { prompt, task } = readPrompt();
const wasTold = /RETRY CONTEXT[\s\S]*\/api\/health/.test(prompt.split('--- END CONTEXT ---')[0] ?? '');

const WORK = {
  api_health: () => {
    if (!existsSync('src/health.js'))
      write('src/health.js', "export const health = () => ({ status: 200, body: { status: 'ok' } });\n");
    const path = wasTold ? '/api/health' : '/health';
    edit('src/server.js', (text) => {
      const bare = text
        .replace("import { health } from './health.js';\n", '')
        .replace(/ {2}'\/(api\/)?health': health,\n/, '');
      return bare
        .replace("import { totalOf } from './cart.js';\n", (line) => `${line}import { health } from './health.js';\n`)
        .replace('export const routes = {\n', (line) => `${line}  '${path}': health,\n`);
    });
    write(
      'test/health.test.js',
      `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '../src/server.js';

test('GET /api/health answers 200', async () => {
  const server = await startServer();
  const { status } = await fetch(\`http://127.0.0.1:\${server.address().port}/api/health\`);
  server.close();
  assert.equal(status, 200);
});
`,
    );
    edit('README.md', (text) =>
      text.includes('/api/health') ? text : `${text}\n\`GET /api/health\` says whether it is up.\n`,
    );
  },
  cart_discount: () => {
    edit(
      'src/cart.js',
      () => `/** Items are { price, count }; prices in cents. The discount is in percent. */
export function totalOf(items, discount = 0) {
  const total = items.reduce((sum, item) => sum + item.price * item.count, 0);
  return Math.floor((total * (100 - discount)) / 100);
}
`,
    );
    edit('test/cart.test.js', (text) =>
      text.includes('discount')
        ? text
        : `${text}
test('a discount is taken off and rounded down', () => {
  assert.equal(totalOf([{ price: 999, count: 1 }], 10), 899);
});
`,
    );
  },
  api_discount: () => {
    edit('src/server.js', (text) =>
      text.replace(
        "JSON.parse(query.get('items') ?? '[]'))",
        "JSON.parse(query.get('items') ?? '[]'), Number(query.get('discount') ?? 0))",
      ),
    );
  },
};

if (prompt.includes('with curl'))
  edit('README.md', (text) => `${text}\n`.replace(/\n+$/, '\n\n`curl localhost:8080/api/health` asks for it.\n'));
WORK[task]?.();
console.log(`Done with ${task}.`);
console.log(JSON.stringify({ status: 'completed', files_created: [], files_updated: [], summary: `did ${task}` }));
