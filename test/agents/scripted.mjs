#!/usr/bin/env node
// One real program that behaves in the ways agents do. Called with the behaviour; reads its prompt from standard input and
// writes each start to the ledger, which is the truth about who ran.

import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
    // A prompt that only asks about the work has no deeds in it.
    const deeds = JSON.parse(/^do: (.*)$/m.exec(prompt)?.[1] ?? '[]');
    for (const [deed, ...words] of deeds) await DEEDS[deed](...words);
    const end = { task, startedAt, endedAt: Date.now(), cwd: process.cwd() };
    appendFileSync(`${ledger}.ends`, `${JSON.stringify(end)}\n`);
    say('I did it.');
  },
  works: async () => {
    if (more[0] !== undefined) await sleep(Number(more[0]));
    writeFileSync(`done-${task}.txt`, 'done\n');
    say('I did it.');
  },
  // Names what it uses in lines of JSON: lines, milliseconds between them, tokens of each, US dollars of each.
  metered: async () => {
    const [lines = 3, pauseMs = 0, tokens = 100, usd] = more.map(Number);
    for (let line = 0; line < lines; line += 1) {
      const cost = usd === undefined ? {} : { cost: usd };
      say(JSON.stringify({ type: 'message', usage: { in: tokens, cached: 10, out: 5, ...cost } }));
      writeFileSync(`half-${task}.txt`, `line ${line}\n`);
      await sleep(pauseMs);
    }
    writeFileSync(`done-${task}.txt`, 'done\n');
    say(JSON.stringify({ type: 'result', text: 'I did it.' }));
  },
  // A helper or reviewer that names what it uses: lines, pause, tokens and dollars of each, and what it answers. It leaves its name for
  // each line.
  'judges-metered': async () => {
    const [lines, pauseMs, tokens, usd] = more.slice(0, 4).map(Number);
    for (let line = 0; line < lines; line += 1) {
      say(JSON.stringify({ type: 'message', usage: { in: tokens, cached: 10, out: 5, cost: usd } }));
      appendFileSync(`${ledger}.judged`, `${line}\n`);
      await sleep(pauseMs);
    }
    say(JSON.stringify({ type: 'result', text: more[4] }));
  },
  // Has an allowance that is nearly used up: its name, where it starts, percent of each call, milliseconds until it resets. It
  // announces its use from 80 % on, and refuses when all is used up.
  limited: () => {
    const [file, startsAt, each, resetMs] = [`${ledger}.${more[0]}`, ...more.slice(1).map(Number)];
    let known = { used: startsAt, resetsAt: 0 };
    try {
      known = JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      // Its first call.
    }
    if (Date.now() >= known.resetsAt) known = { used: startsAt, resetsAt: Date.now() + resetMs };
    const used = known.used + each;
    const limit = { type: 'limit', window: { used: Math.min(100, used), resetsAt: known.resetsAt / 1000 } };
    if (used > 100) {
      say(JSON.stringify({ type: 'error', code: 'insufficient_quota', resetsAt: known.resetsAt / 1000 }));
      process.exit(1);
    }
    writeFileSync(file, JSON.stringify({ ...known, used }));
    if (used >= 80) say(JSON.stringify(limit));
    writeFileSync(`done-${task}.txt`, 'done\n');
    say(JSON.stringify({ type: 'result', text: 'I did it.' }));
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
  /** Somebody signs it in between two runs: then this file is there. */
  'signed-in-by': () => {
    if (!existsSync(more[0])) fail('Not logged in · Please run /login');
    writeFileSync(`done-${task}.txt`, 'done\n');
    say('I did it.');
  },
  quota: () => fail(`You've hit your usage limit. Try again at ${more[0]}.`),
  /** Out for so many milliseconds from its first start, and works after that. */
  'quota-for': () => {
    const file = `${ledger}.reset`;
    if (!existsSync(file)) writeFileSync(file, `${Date.now() + Number(more[0])}`);
    const reset = Number(readFileSync(file, 'utf8'));
    if (Date.now() < reset) fail(`You've hit your usage limit. Try again at ${new Date(reset).toISOString()}.`);
    writeFileSync(`done-${task}.txt`, 'done\n');
    say('I did it.');
  },
  overloaded: () => fail('Error: 529 Overloaded'),
  crashes: () => process.kill(process.pid, 'SIGSEGV'),
  hangs: () => sleep(600_000),
  /** After a word, with a child. */
  'says-and-hangs': () => {
    say('{"type":"started"}');
    spawnSync('sh', ['-c', 'sleep 600; true']);
  },
  'ignores-term': async () => {
    process.on('SIGTERM', () => undefined);
    say('deaf');
    await sleep(600_000);
  },
  /** Each text as a line, and goes on. */
  prints: async () => {
    for (const text of more) say(text);
    await sleep(600_000);
  },
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
    // Not the number of the process, which is the same in every box.
    const mark = process.hrtime.bigint();
    writeFileSync(`${kept}/prompt-${mark}.txt`, prompt);
    const commandLine = (pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    if (process.platform === 'linux')
      writeFileSync(`${kept}/processes-${mark}.txt`, [process.pid, process.ppid].map(commandLine).join('\n'));
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
  /** A reviewer: its answers, review by review, the last one again and again; before that it runs a command of its own. Asked to
   *  work it works. */
  reviews: async () => {
    if (!prompt.includes('\nYou review the work on the task below.')) return BEHAVIOURS.works();
    const [answers, own = ':'] = more;
    const named = /^## Working Directory\n(.*)$/m.exec(prompt)?.[1] ?? '.';
    spawnSync('sh', ['-c', own], { stdio: 'ignore', env: { ...process.env, NAMED: named } });
    const asked = readFileSync(`${ledger}.prompts`, 'utf8').split('You review the work on the task below.').length - 2;
    const texts = JSON.parse(answers);
    const text = texts[Math.min(asked, texts.length - 1)];
    if (text === 'hang') await sleep(600_000);
    say(text.replace(/<x(\d+)>/g, (_, count) => 'x'.repeat(Number(count))));
  },
  claims: () =>
    say('{"status":"completed","files_created":["never-written.txt"],"files_updated":[],"summary":"all done"}'),
};

await BEHAVIOURS[behaviour]();
