// What the three agents of the quickstart share: they read their prompt like any agent does, from standard input, and know
// nothing else.

import { readFileSync, writeFileSync } from 'node:fs';

export function readPrompt() {
  const prompt = readFileSync(0, 'utf8');
  const section = (title) => new RegExp(`^## ${title}\\n([\\s\\S]*?)(?=\\n## |$)`, 'm').exec(prompt)?.[1]?.trim() ?? '';
  return { prompt, task: section('Task ID') };
}

export function edit(path, change) {
  const before = readFileSync(path, 'utf8');
  const after = change(before);
  if (after !== before) writeFileSync(path, after);
}

export { writeFileSync as write };
