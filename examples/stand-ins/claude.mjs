#!/usr/bin/env node
// Stands in for Claude Code where a page is tried without it: it begins, and then its service refuses more for a while.

import { readFileSync, writeFileSync } from 'node:fs';

if (process.argv.includes('--version')) {
  console.log('2.1.325 (Claude Code)');
} else {
  readFileSync(0, 'utf8');
  writeFileSync('TESTING.md', '# Tests\n');
  const session_id = '11111111-2222-4333-8444-555555555555';
  console.log(JSON.stringify({ type: 'system', subtype: 'init', session_id }));
  const result = 'API Error: Request rejected (429) · too many requests, retry in 90s';
  console.log(
    JSON.stringify({
      type: 'result',
      subtype: 'success',
      is_error: true,
      api_error_status: 429,
      result,
      session_id,
      num_turns: 1,
    }),
  );
  process.exitCode = 1;
}
