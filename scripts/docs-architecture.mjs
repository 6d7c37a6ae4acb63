// Prints the rooms and their rules into ARCHITECTURE.md, between two marks. Usage: node scripts/docs-architecture.mjs [--check]

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOMS, RULES_IN_WORDS } from './rooms.mjs';
import { writeOrCheck } from './write-or-check.mjs';

const BEGIN = '<!-- rooms, printed from scripts/rooms.mjs by npm run docs -->';
const END = '<!-- end of rooms -->';

const text = readFileSync(join(import.meta.dirname, '../ARCHITECTURE.md'), 'utf8');
const before = text.slice(0, text.indexOf(BEGIN) + BEGIN.length);
const after = text.slice(text.indexOf(END));
writeOrCheck({ 'ARCHITECTURE.md': `${before}\n\n${table()}\n\n${after}` });

function table() {
  const rooms = ROOMS.map(
    ({ name, group, what, may }) => `| ${group} | \`${name}/\` | ${what} | ${mayText(name, may)} |`,
  );
  const rules = Object.entries(RULES_IN_WORDS).map(([name, words]) => `| \`${name}\` | ${words} |`);
  return [
    '| group | room | what is in it | may import |',
    '| --- | --- | --- | --- |',
    ...rooms,
    '',
    '| rule (checked) | in words |',
    '| --- | --- |',
    ...rules,
  ].join('\n');
}

function mayText(name, may) {
  if (may.includes('*')) return 'everything';
  if (name === 'kernel') return 'nothing else';
  const group = ROOMS.find((room) => room.name === name)?.group;
  const pure = group === 'adapters' || name === 'agents' ? [] : ['files that decide'];
  return [...may.map((one) => `\`${one}/\``), ...pure].join(', ');
}
