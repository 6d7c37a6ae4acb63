#!/usr/bin/env node
// One real program that behaves in the ways agents do. Called with the behaviour; reads its prompt from standard input and
// writes each start to the ledger, which is the truth about who ran.

import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const [, , behaviour, ledger, ...more] = process.argv;
const prompt = readFileSync(0, 'utf8');
const task = /^## Task ID\n(.*)$/m.exec(prompt)?.[1] ?? 'helper';
const handover = prompt.startsWith('--- ') ? prompt.slice(4, prompt.indexOf(' CONTEXT')) : 'none';
if (ledger !== undefined) {
  appendFileSync(ledger, `${JSON.stringify({ behaviour, task, handover, pid: process.pid })}\n`);
  appendFileSync(`${ledger}.prompts`, `${JSON.stringify({ behaviour, task, cwd: process.cwd(), prompt })}\n`);
}

const say = (text) => process.stdout.write(`${text}\n`);
const fail = (text, status = 1) => {
  process.stderr.write(`${text}\n`);
  process.exit(status);
};

/** What an instruction can ask for, as `do: [["write", "a.txt", "text"], …]` on a line of its own. */
const DEEDS = {
  write: (path, text) => writeFileSync(path, text),
  replace: (path, from, to) =>
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(from, () => to),
    ),
  copy: (from, to) => writeFileSync(to, readFileSync(from)),
  delete: (path) => rmSync(path),
  executable: (path) => chmodSync(path, 0o755),
  link: (target, path) => symlinkSync(target, path),
  sleep: (ms) => sleep(ms),
  /** Whatever comes of it. */
  shell: (command) => spawnSync('sh', ['-c', command], { stdio: 'ignore' }),
};

const BEHAVIOURS = {
  follows: async () => {
    const startedAt = Date.now();
    for (const [deed, ...words] of JSON.parse(/^do: (.*)$/m.exec(prompt)[1])) await DEEDS[deed](...words);
    const end = { task, startedAt, endedAt: Date.now(), cwd: process.cwd() };
    appendFileSync(`${ledger}.ends`, `${JSON.stringify(end)}\n`);
    say('I did it.');
  },
  works: async () => {
    if (more[0] !== undefined) await sleep(Number(more[0]));
    writeFileSync(`done-${task}.txt`, 'done\n');
    say('I did it.');
  },
  'works-when-told': () => {
    writeFileSync(`done-${task}.txt`, handover === 'none' ? 'wrong\n' : 'done\n');
    say('I did it.');
  },
  'always-wrong': () => {
    writeFileSync(`done-${task}.txt`, 'wrong\n');
    say('I did it.');
  },
  'rate-limited': () => fail('Error: 429 Too Many Requests, rate limit exceeded'),
  'retries-for-ever': async () => {
    for (let attempt = 1; ; attempt += 1) {
      process.stderr.write(`Attempt ${attempt} failed with status 429. Retrying with backoff...\n`);
      await sleep(300);
    }
  },
  unauthorised: () => fail('Not logged in · Please run /login'),
  quota: () => fail(`You've hit your usage limit. Try again at ${more[0]}.`),
  overloaded: () => fail('Error: 529 Overloaded'),
  crashes: () => process.kill(process.pid, 'SIGSEGV'),
  hangs: () => sleep(600_000),
  garbage: () => process.stdout.write(Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 256))),
  floods: async () => {
    const block = Buffer.alloc(1 << 20, 'x');
    for (let count = 0; count < Number(more[0]); count += 1) {
      if (!process.stdout.write(block)) await new Promise((resolve) => process.stdout.once('drain', resolve));
    }
    writeFileSync(`done-${task}.txt`, 'done\n');
  },
  'talks-of-limits': () => {
    writeFileSync(`done-${task}.txt`, 'done\n');
    say('I added handling for: 429 rate limit exceeded, insufficient_quota, Not logged in, Overloaded.');
  },
  'edits-then-dies': () => {
    writeFileSync(`half-${task}.txt`, 'half\n');
    process.kill(process.pid, 'SIGKILL');
  },
  /** Prints, names and answers what is in a file; keeps the prompt and the arguments of itself and its parent. */
  leaks: () => {
    const [planted, kept, end] = more;
    const { texts, names, wrapped } = JSON.parse(readFileSync(planted, 'utf8'));
    writeFileSync(`${kept}/prompt-${process.pid}.txt`, prompt);
    const commandLine = (pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    if (process.platform === 'linux')
      writeFileSync(`${kept}/processes-${process.pid}.txt`, [process.pid, process.ppid].map(commandLine).join('\n'));
    for (const name of names) writeFileSync(`${name}.txt`, `${name}\n`);
    writeFileSync('leaked.txt', texts.join('\n'));
    for (const text of [...texts, ...wrapped]) process.stderr.write(`warning: ${text} was read\n`);
    if (end === 'fails') fail(`Error: 500 ${texts.join(' and ')}`);
    writeFileSync(`done-${task}.txt`, end === 'works' ? 'done\n' : `${texts.join('\n')}\n`);
    for (const text of [...texts, ...wrapped]) say(`I used ${text} for it.`);
    say(
      JSON.stringify({ status: 'completed', files_created: names, summary: `used ${texts.slice(0, 20).join(', ')}` }),
    );
  },
  /** A helper that proposes one command; before that it runs one of its own, where it is or in a folder that the prompt names. */
  helps: () => {
    const [command, own = ':'] = more;
    const named = /^Directory: (.*)$/m.exec(prompt)?.[1] ?? '.';
    spawnSync('sh', ['-c', own], { stdio: 'ignore', env: { ...process.env, NAMED: named } });
    say(JSON.stringify({ commands: [{ criterion: 1, command, why: 'it shows it' }] }));
  },
  claims: () =>
    say('{"status":"completed","files_created":["never-written.txt"],"files_updated":[],"summary":"all done"}'),
};

await BEHAVIOURS[behaviour]();
