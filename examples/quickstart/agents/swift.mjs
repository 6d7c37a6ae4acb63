#!/usr/bin/env node
// An agent that begins well and then hits its rate limit, as agents do.

import { readPrompt, write } from './task.mjs';

const { task } = readPrompt();
if (task === 'api_health')
  write('src/health.js', "export const health = () => ({ status: 200, body: { status: 'ok' } });\n");
console.error('error: 429 Too Many Requests. Please retry in 90s.');
process.exit(1);
