#!/usr/bin/env node
// An agent that verifies: it proposes commands whose exit status shows whether a criterion holds.

import { readPrompt } from './task.mjs';

const { prompt } = readPrompt();
const criteria = [...prompt.matchAll(/^(\d+)\. (.+)$/gm)];
const commands = criteria.map(([, number, text]) => ({
  criterion: Number(number),
  command: text.includes('README') ? 'grep -q "curl .*/api/health" README.md' : 'test -d src',
  why: 'the README must have the line',
}));
console.log(JSON.stringify({ commands }));
