#!/usr/bin/env node
// Stands in for Codex where a page is tried without it: it does what the task says, after the hand-over.

import { readFileSync, writeFileSync } from 'node:fs';

if (process.argv.includes('--version')) {
  console.log('codex-cli 0.166.0');
} else {
  const prompt = readFileSync(0, 'utf8');
  // What it forgets at first, it adds when the hand-over names it.
  const more = prompt.includes('RETRY CONTEXT') ? '`node --test test/cart.test.js` runs one.\n' : '';
  writeFileSync('TESTING.md', `# Tests\n\n\`npm test\` runs them all.\n${more}`);
  const print = (event) => console.log(JSON.stringify(event));
  print({ type: 'thread.started', thread_id: '11111111-2222-7333-8444-555555555555' });
  print({
    type: 'item.completed',
    item: { id: 'item_0', type: 'agent_message', text: 'TESTING.md says how to run the tests.' },
  });
  print({ type: 'turn.completed', usage: { input_tokens: 5120, cached_input_tokens: 4096, output_tokens: 240 } });
}
