// What passing an agent's terminal through costs, with its screen read on the side, against a bare relay on node-pty in the
// same run: how fast a flood of output comes through, and how much later a key's echo is back.
// Usage: node bench/relay.mjs [MEGABYTES]   (default 40)

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { importSource } from '../scripts/import-source.mjs';
import { median, ms, table, times } from './measure.mjs';

const ROUNDS = 5;
const KEYS = 1000;
const MARK = '<end of the flood>';
const [role, ...rest] = process.argv.slice(2);

if (role === 'ours') await relayOurs(rest);
else if (role === 'bare') relayBare(rest);
else await measure(Number(role ?? 40));

async function measure(megabytes) {
  const folder = mkdtempSync(join(tmpdir(), 'foreword-bench-'));
  try {
    for (const [name, unit] of [
      ['a log', logLine],
      ['a full-screen program', frame],
    ]) {
      const file = join(folder, 'flood');
      const bytes = writeFlood(file, megabytes * 1e6, unit);
      const speeds = { bare: [], ours: [] };
      const work = { bare: [], ours: [] };
      for (let round = -1; round < ROUNDS; round += 1) {
        for (const how of ['bare', 'ours']) {
          const seconds = await flood(how, file, bytes);
          if (round < 0) continue;
          speeds[how].push(bytes / 1e6 / seconds);
          work[how].push(JSON.parse(readFileSync(`${file}.work`)).ms / (bytes / 1e6));
        }
      }
      const [bare, ours] = [median(speeds.bare), median(speeds.ours)];
      const target = name === 'a log' ? ['at least 10 MB/s', ours >= 10] : [];
      table(`a flood of ${megabytes} MB of ${name}; medians of ${ROUNDS}`, [
        ['bare relay', mbs(bare)],
        ['ours, with the screen', mbs(ours), ...target],
        ['ours against bare', times(ours / bare)],
        ['processor time per MB, bare', ms(median(work.bare))],
        ['processor time per MB, ours', ms(median(work.ours))],
      ]);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const { bare, ours } = await echo();
  const later = median(ours) - median(bare);
  table(`the echo of a key, ${KEYS} keys each, in turn`, [
    ['bare relay, median', ms(median(bare))],
    ['ours, median', ms(median(ours))],
    ['ours later by', ms(Math.max(0, later)), 'at most 2 ms', later <= 2],
    ['bare relay, 99 of 100', ms(p99(bare))],
    ['ours, 99 of 100', ms(p99(ours))],
    ['ours later by', ms(Math.max(0, p99(ours) - p99(bare)))],
  ]);
}

/** The person's terminal: a PTY in which the relay runs. */
function openOuter(how, ...command) {
  const args = [process.argv[1], how, ...command];
  return spawn(process.execPath, args, { cols: 120, rows: 40, encoding: null, env: process.env });
}

/** Seconds from the first byte to the last. */
function flood(how, file, bytes) {
  return new Promise((resolve, reject) => {
    const script = `sleep 0.3; cat "$0"; printf '${MARK}'; sleep 0.2`;
    const outer = openOuter(how, `${file}.work`, '/bin/sh', '-c', script, file);
    let seen = 0;
    let startedAt;
    let tail = '';
    outer.onData((chunk) => {
      startedAt ??= performance.now();
      seen += chunk.length;
      tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - 64))).slice(-128);
      if (!tail.includes(MARK)) return;
      const seconds = (performance.now() - startedAt) / 1000;
      outer.onExit(() => (seen < bytes ? reject(new Error(`${seen} of ${bytes} bytes`)) : resolve(seconds)));
    });
  });
}

/** Both at once, a key to each in turn, so that whatever else the machine does hits both. */
async function echo() {
  const found = { bare: [], ours: [] };
  const outers = Object.keys(found).map((how) => {
    const outer = openOuter(how, '/dev/null', '/bin/sh', '-c', 'stty raw -echo; printf ready; exec cat');
    let wake = () => undefined;
    let text = '';
    outer.onData((chunk) => {
      text += chunk.toString();
      wake();
    });
    const next = () =>
      new Promise((resolve) => {
        wake = resolve;
      });
    const ready = (async () => {
      while (!text.includes('ready')) await next();
    })();
    return { how, outer, next, ready };
  });
  await Promise.all(outers.map(({ ready }) => ready));
  for (let key = -100; key < KEYS; key += 1) {
    for (const { how, outer, next } of outers) {
      const back = next();
      const startedAt = performance.now();
      outer.write('k');
      await back;
      if (key >= 0) found[how].push(performance.now() - startedAt);
    }
    // As a person types: not into the work that the last key made.
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  for (const { outer } of outers) outer.kill('SIGKILL');
  return found;
}

async function relayOurs([work, ...command]) {
  const [{ openPty }, { relay }, { openScreen }, { paceTerminal }] = await Promise.all(
    ['pty', 'relay', 'screen', 'pace'].map((name) => importSource(`src/terminals/${name}.ts`)),
  );
  const size = { cols: process.stdout.columns, rows: process.stdout.rows };
  const screen = await openScreen(size);
  const terminal = await openPty({ command, cwd: '/', env: process.env, size });
  const done = countWork(work);
  const outer = relay({ terminal, input: process.stdin, output: process.stdout });
  terminal.onOutput((bytes) => screen.feed(bytes));
  paceTerminal(terminal, screen);
  terminal.onExit(async () => {
    await outer.detach();
    screen.close();
    done();
  });
}

function relayBare([work, program, ...args]) {
  const { columns: cols, rows } = process.stdout;
  const inner = spawn(program, args, { cols, rows, cwd: '/', env: process.env, encoding: null });
  const done = countWork(work);
  process.stdin.setRawMode(true);
  inner.onData((bytes) => process.stdout.write(bytes));
  process.stdin.on('data', (bytes) => inner.write(bytes));
  inner.onExit(() => {
    process.stdin.setRawMode(false);
    process.stdin.pause();
    done();
  });
}

/** The processor time from now on goes into a file when it is called. */
function countWork(file) {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    writeFileSync(file, JSON.stringify({ ms: (user + system) / 1000 }));
  };
}

function writeFlood(file, bytes, unit) {
  const parts = [];
  let length = 0;
  for (let index = 0; length < bytes; index += 1) {
    const part = Buffer.from(unit(index % 5000));
    length += part.length;
    parts.push(part);
  }
  const all = Buffer.concat(parts);
  writeFileSync(file, all);
  // The agent's terminal turns each newline into two characters.
  return all.length + all.filter((byte) => byte === 0x0a).length;
}

function logLine(index) {
  return `\x1b[32m${index}\x1b[m compiled “module-${index * 7919}” in src/part/file-${index}.ts:${index}, no faults\n`;
}

/** Half a screen drawn anew, the way agents do it. */
function frame(index) {
  const rows = Array.from(
    { length: 20 },
    (_, row) => `\x1b[${row + 1};1H\x1b[2K\x1b[38;5;${row}m│\x1b[m row ${row} \x1b[2m${index}\x1b[22m`,
  );
  return `\x1b[?2026h${rows.join('')}\x1b[?2026l`;
}

function p99(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(0.99 * (values.length - 1))];
}

function mbs(value) {
  return `${value.toFixed(1)} MB/s`;
}
