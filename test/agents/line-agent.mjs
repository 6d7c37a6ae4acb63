#!/usr/bin/env node
// The smallest agent with a terminal: it writes what it is given at its prompt, and the terminal scrolls. A text that is taller
// than the screen thus leaves its end there alone, without the prompt. Each prompt that it takes is a line of JSON in the file.
// Usage: node line-agent.mjs FILE

import { appendFileSync } from 'node:fs';

const [file] = process.argv.slice(2);
let draft = '';
let isPaste = false;

process.stdin.setRawMode?.(true);
process.stdout.write('\x1b[?2004hline agent\r\n> ');
process.stdin.setEncoding('utf8').on('data', (text) => {
  for (const part of text.split('\x1b')) {
    if (part.startsWith('[200~') || part.startsWith('[201~')) isPaste = part.startsWith('[200~');
    for (const key of part.replace(/^\[20[01]~/, '')) take(key);
  }
});

function take(key) {
  if (key === '\x03' || key === '\x04') process.exit(0);
  if (key === '\r' && !isPaste) return submit();
  draft += key;
  process.stdout.write(key === '\n' ? '\r\n  ' : key);
}

function submit() {
  appendFileSync(file, `${JSON.stringify(draft)}\n`);
  draft = '';
  process.stdout.write('\r\n\r\nworking (esc to interrupt)');
  setTimeout(() => process.stdout.write('\r\x1b[KUnderstood.\r\n\r\n> '), 300);
}
