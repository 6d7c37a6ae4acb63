#!/usr/bin/env node
// An agent that keeps its sessions in a folder, bound to the folder it works in, as real ones do. What it does at each start is a
// step of `plan.json` there; what it was given is a line of `starts.jsonl`.
// Usage: resumable.mjs FOLDER [--resume ID]

import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [, , folder, ...args] = process.argv;
const prompt = readFileSync(0, 'utf8');
const ledger = join(folder, 'starts.jsonl');
const wanted = args[0] === '--resume' ? args[1] : undefined;
const fileOf = (id) => join(folder, `session-${id}.json`);
const earlier =
  wanted !== undefined && existsSync(fileOf(wanted)) ? JSON.parse(readFileSync(fileOf(wanted), 'utf8')) : undefined;
const isGone = wanted !== undefined && earlier?.cwd !== process.cwd();

appendFileSync(ledger, `${JSON.stringify({ args, isGone, cwd: process.cwd(), prompt })}\n`);
if (isGone) {
  process.stderr.write(`No session ${wanted} here\n`);
  process.exit(3);
}
const starts = readFileSync(ledger, 'utf8')
  .trimEnd()
  .split('\n')
  .filter((line) => !JSON.parse(line).isGone).length;
const steps = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'));
const step = steps[Math.min(starts, steps.length) - 1];
const id = wanted ?? randomUUID();
const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

if (step.hangs) await sleep(600_000);
print({ type: 'init', session: step.names ?? id });
writeFileSync(fileOf(id), JSON.stringify({ cwd: process.cwd(), prompts: [...(earlier?.prompts ?? []), prompt] }));
if (step.works) await sleep(step.works);
for (const name of step.writes ?? []) writeFileSync(name, 'done\n');
for (const [path, text] of Object.entries(step.elsewhere ?? {})) writeFileSync(path, text);
if (step.updates) appendFileSync(join(folder, 'agent'), '# a new version\n');
if (step.loses) rmSync(fileOf(id));
print({ type: 'answer', text: 'I did it.' });
