// Records the quickstart's first task as docs/recording.svg: the run's lines in their order, their times compressed, and
// the hand-over that its last attempt was given. The picture moves by CSS alone; where motion is not wanted it shows
// everything. Usage: node scripts/record-run.mjs [--check]   (after npm run build)
// --check: writes nothing; ends with 1 when the picture says something else than a run prints now, times and ids aside.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { prepare } from '../examples/quickstart/prepare.mjs';
import { linesIn, wordsOf } from './picture-lines.mjs';

const COLUMNS = 90;
const ROWS = 38;
const MAX_BYTES = 40_000;
const LOOP_S = 12;
/** How long the whole stands still before it begins again. */
const HOLD_S = 4;
const FONT_PX = 14;
const LINE_PX = 20;
const CHARACTER_PX = 8.43;
const MARGIN_PX = 20;
const BAR_PX = 34;

/** The first that matches gives a line its colour. */
const COLOURS = [
  ['command', /^\$ /],
  ['plain', /^[\d:]+ run/],
  ['bad', /\bfailed\b|not available until/],
  ['turn', /: switch from |with hand-over/],
  ['good', /\bpassed\b|\bcompleted\b/],
];

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'foreword-recording-'));
try {
  const lines = await record();
  const svg = draw(lines);
  const file = join(root, 'docs/recording.svg');
  if (process.argv.includes('--check')) check(readFileSync(file, 'utf8'), lines);
  else {
    writeFileSync(file, svg);
    console.log(`docs/recording.svg: ${lines.length} lines, ${Buffer.byteLength(svg)} bytes`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

function check(picture, lines) {
  const [shown, now] = [wordsOf(linesIn(picture)), wordsOf(lines.map(({ text }) => text))];
  if (shown === now) return;
  console.error(
    `docs/recording.svg says something else than a run prints now; node scripts/record-run.mjs draws it again.`,
  );
  console.error(`picture: ${shown}\nnow:     ${now}`);
  process.exitCode = 1;
}

/** Lines as { text, at, isTold }, `at` in milliseconds since the start. */
async function record() {
  const project = join(folder, 'shop');
  prepare(project);
  const agent = (name) => ({
    oneshot: { command: [process.execPath, join(root, 'examples/quickstart/agents', `${name}.mjs`)], prompt: 'stdin' },
  });
  const config = join(folder, 'quickstart.json');
  writeFileSync(
    config,
    JSON.stringify({ lineup: ['swift', 'steady'], agents: { swift: agent('swift'), steady: agent('steady') } }),
  );
  const place = { project, config };
  const ran = await capture(place, ['run', '.foreword/tasks.yaml', '--only', 'api_health']);
  const history = await capture(place, ['history', 'api_health', '--prompt', '--attempt', '3']);
  const end = history.findIndex((line) => line.text === '--- END CONTEXT ---');
  const start = history.findIndex((line) => line.text.endsWith(' CONTEXT ---'));
  if (end - start !== 7) throw new Error(`The hand-over has ${end - start + 1} lines instead of eight.`);
  const since = ran.at(-1).at;
  return [
    { text: '$ foreword run .foreword/tasks.yaml --only api_health', at: 0 },
    ...ran,
    { text: '', at: since },
    { text: `$ foreword history api_health --prompt --attempt 3 | head -${end + 1}`, at: since + 1000 },
    ...history
      .slice(0, end + 1)
      .map((line, index) => ({ text: line.text, at: since + 1000 + line.at, isTold: index >= start })),
  ];
}

async function capture({ project, config }, args) {
  const startedAt = performance.now();
  const main = join(root, 'dist/command/start.cjs');
  const child = spawn(process.execPath, [main, ...args, '--config', config], {
    cwd: project,
    env: { PATH: process.env.PATH, HOME: folder, FOREWORD_CHECKOUTS: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const lines = [];
  for await (const text of createInterface({ input: child.stdout }))
    lines.push({ text: text.replaceAll(folder, '~'), at: performance.now() - startedAt });
  const status = await ended;
  if (status !== 0) throw new Error(`foreword ${args[0]} ended with ${status}`);
  return lines;
}

function draw(lines) {
  const times = appearances(lines);
  const rows = lines.flatMap((line, index) => wrap(line.text).map((text) => ({ text, index, kind: kindOf(line) })));
  if (rows.length > ROWS) throw new Error(`${rows.length} rows do not fit into ${ROWS}.`);
  const width = Math.ceil(COLUMNS * CHARACTER_PX) + 2 * MARGIN_PX;
  const height = BAR_PX + rows.length * LINE_PX + MARGIN_PX;
  const texts = rows.map(({ text, index, kind }, row) => {
    const y = BAR_PX + (row + 1) * LINE_PX - 5;
    const moves = times[index] > 0 ? ` class="${kind} l${index}"` : ` class="${kind}"`;
    return text === '' ? '' : `<text${moves} x="${MARGIN_PX}" y="${y}">${escaped(text)}</text>\n`;
  });
  // step-end: a line is there or not, and all begin again together.
  const moments = times.flatMap((time, index) => {
    if (time === 0) return [];
    const percent = ((100 * time) / LOOP_S).toFixed(1);
    return `.l${index}{animation:k${index} ${LOOP_S}s step-end infinite}@keyframes k${index}{0%{opacity:0}${percent}%{opacity:1}}`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">foreword run: one agent hits its rate limit, another takes over, a check fails, and the next attempt gets a hand-over</title>
<style>
text{font:${FONT_PX}px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;white-space:pre;fill:#b6bec9}
.command{fill:#f0f3f6;font-weight:bold}.bad{fill:#e8918a}.turn{fill:#e3b566}.good{fill:#8ccf94}.told{fill:#8fc1ee}
@media (prefers-reduced-motion:no-preference){
${moments.join('\n')}
}
</style>
<rect width="${width}" height="${height}" rx="8" fill="#161b22"/>
<circle cx="22" cy="17" r="5" fill="#3a424d"/><circle cx="40" cy="17" r="5" fill="#3a424d"/><circle cx="58" cy="17" r="5" fill="#3a424d"/>
${texts.join('')}</svg>
`;
  if (Buffer.byteLength(svg) > MAX_BYTES) throw new Error(`The picture has more than ${MAX_BYTES} bytes.`);
  return svg;
}

/** Seconds at which each line appears: long waits are cut, short ones stretched, and the whole fits before the hold. */
function appearances(lines) {
  let sum = 0;
  const shares = lines.map((line, index) => {
    const gap = index === 0 ? 0 : line.at - lines[index - 1].at;
    sum += index === 0 ? 0 : Math.min(3, Math.max(1, gap / 200));
    return sum;
  });
  return shares.map((share) => (share / sum) * (LOOP_S - HOLD_S));
}

function kindOf(line) {
  if (line.isTold) return 'told';
  return COLOURS.find(([, pattern]) => pattern.test(line.text))?.[0] ?? 'plain';
}

/** At a space where there is one, and set in, so that it reads as one line. */
function wrap(text) {
  if (text.length <= COLUMNS) return [text];
  const space = text.lastIndexOf(' ', COLUMNS);
  const at = space > COLUMNS / 2 ? space : COLUMNS;
  return [text.slice(0, at), ...wrap(`  ${text.slice(at).trimStart()}`)];
}

function escaped(text) {
  const names = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (character) => names[character]);
}
