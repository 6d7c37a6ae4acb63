// Pictures for the docs, each of a real terminal with the built command in it: docs/pictures/live-view.svg, status-watch.svg and
// report.svg. The screen is read cell by cell with its colours. Usage: node scripts/pictures.mjs   (after npm run build)

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as nodePty from '@lydell/node-pty';
import xterm from '@xterm/headless';

const MAX_BYTES = 60_000;
const FONT_PX = 14;
const LINE_PX = 19;
const CHARACTER_PX = 8.43;
const MARGIN_PX = 18;
const BAR_PX = 34;
/** The colours of the palette by number; bright ones behind. */
const PALETTE = ['#6e7681', '#e8918a', '#8ccf94', '#e3b566', '#8fc1ee', '#c9a5e8', '#7fd1d1', '#d0d7de'];
const PLAIN = '#c2cad3';

const TASKS =
  'health_endpoint basket_total invoice_pdf price_field slow_query_log refund_rounding refund_mail login_limit search_index stock_alert address_form coupon_code tax_table order_export'.split(
    ' ',
  );

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'foreword-pictures-'));
const project = join(folder, 'shop');
const opened = [];
try {
  prepare();
  const config = ['--config', '../config.json'];
  const run = open(['run', '../tasks.json', ...config], { columns: 92, rows: 22 });
  await run.sees(/^done [5-9] of/);
  const watch = open(['status', '--watch', ...config], { columns: 92, rows: 16 });
  await run.sees(/checking 0:0[1-9]/);
  await watch.sees(/^done [5-9] of/);
  save(
    'live-view',
    run.lines(),
    'foreword run on a terminal: running tasks, a check, an agent that is not available, the counts',
  );
  save('status-watch', watch.lines(), 'foreword status --watch: the same run from another terminal');
  watch.type('q');
  await run.sees(/^On branch /);
  const page = open(['report', ...config], { columns: 124, rows: 38 });
  await page.sees(/^foreword merge/, true);
  const lines = page.all();
  save('report', lines.slice(0, 30), 'foreword report: what needs you comes first');
} finally {
  for (const each of opened) each.end();
  rmSync(folder, { recursive: true, force: true });
}

function prepare() {
  mkdirSync(project);
  const git = (...args) => execFileSync('git', args, { cwd: project, stdio: 'ignore' });
  git('init', '-q', '-b', 'main');
  writeFileSync(join(project, 'readme.txt'), 'a shop\n');
  git('add', '.');
  git('-c', 'user.name=shop', '-c', 'user.email=shop@example.com', 'commit', '-qm', 'first');
  const tasks = TASKS.map((id, index) => ({
    task_id: id,
    intent: `Work on ${id.replaceAll('_', ' ')}`,
    instructions: `Write ${id}.txt`,
    depends_on: id === 'refund_mail' ? ['refund_rounding'] : [],
    retry_policy: { max_retries: 1 },
    acceptance_criteria: [
      { text: 'the file says done', check: { file_contains: { path: `${id}.txt`, pattern: '^done$' } } },
      {
        text: 'unit tests pass',
        check: { command: ['sh', '-c', `test ! -e ${id}.txt || sleep ${index % 3 === 2 ? 4 : 0}`] },
      },
    ],
  }));
  const agent = (name) => ({
    oneshot: { command: [process.execPath, join(root, 'scripts/picture-agent.mjs'), name], prompt: 'stdin' },
  });
  const agents = { swift: agent('swift'), steady: agent('steady') };
  const config = { lineup: Object.keys(agents), agents, run: { concurrency: 4, allow: [root] } };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'tasks.json'), JSON.stringify({ tasks }));
}

function open(args, { columns, rows }) {
  const screen = new xterm.Terminal({ cols: columns, rows, scrollback: 1000, allowProposedApi: true, logLevel: 'off' });
  const env = { PATH: process.env.PATH, HOME: folder, FOREWORD_CHECKOUTS: folder, TERM: 'xterm-256color' };
  const pty = nodePty.spawn(process.execPath, [join(root, 'dist/command/start.cjs'), ...args], {
    cwd: project,
    cols: columns,
    rows,
    env,
  });
  pty.onData((text) => screen.write(text));
  const read = (from, to) => Array.from({ length: to - from }, (_, index) => spansOf(screen, from + index));
  const seat = {
    lines: () => read(screen.buffer.active.baseY, screen.buffer.active.baseY + screen.rows),
    all: () => read(0, screen.buffer.active.length),
    type: (text) => pty.write(text),
    end: () => {
      try {
        process.kill(pty.pid, 'SIGTERM');
      } catch {
        // It ended by itself.
      }
    },
    sees: async (what, isAnywhere = false) => {
      for (let waited = 0; waited < 60_000; waited += 50) {
        const lines = isAnywhere ? seat.all() : seat.lines();
        if (lines.some((line) => what.test(line.map(({ text }) => text).join('')))) return;
        await sleep(50);
      }
      throw new Error(`The terminal did not show ${what}.`);
    },
  };
  opened.push(seat);
  return seat;
}

/** Cells of the same look, joined. */
function spansOf(screen, row) {
  const line = screen.buffer.active.getLine(row);
  const spans = [];
  for (let column = 0; line !== undefined && column < screen.cols; column += 1) {
    const cell = line.getCell(column);
    const look = `${cell.isBold() ? 'bold' : ''} ${cell.isDim() ? 'dim' : ''} ${cell.isFgPalette() ? cell.getFgColor() % 8 : ''}`;
    const last = spans.at(-1);
    const text = cell.getChars() || ' ';
    if (last?.look === look) last.text += text;
    else spans.push({ look, text, column });
  }
  while (spans.length > 0 && spans.at(-1).text.trim() === '') spans.pop();
  const end = spans.at(-1);
  if (end !== undefined) end.text = end.text.trimEnd();
  return spans;
}

function save(name, lines, title) {
  const shown = [...lines];
  while (shown.at(-1)?.length === 0) shown.pop();
  const columns = Math.max(
    ...shown.map((line) => line.reduce((sum, { text, column }) => Math.max(sum, column + text.length), 0)),
  );
  const [width, height] = [
    Math.ceil(columns * CHARACTER_PX) + 2 * MARGIN_PX,
    BAR_PX + shown.length * LINE_PX + MARGIN_PX,
  ];
  const texts = shown.flatMap((line, row) =>
    line
      .filter(({ text }) => text.trim() !== '')
      .map(({ text, look, column }) => {
        const [bold, dim, color] = look.split(' ');
        const x = (MARGIN_PX + column * CHARACTER_PX).toFixed(1);
        const fill = color === '' ? '' : ` fill="${PALETTE[Number(color)]}"`;
        const more = `${bold === '' ? '' : ' font-weight="bold"'}${dim === '' ? '' : ' opacity="0.65"'}`;
        return `<text x="${x}" y="${BAR_PX + (row + 1) * LINE_PX - 5}" textLength="${(text.length * CHARACTER_PX).toFixed(1)}"${fill}${more}>${escaped(text)}</text>`;
      }),
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">${escaped(title)}</title>
<style>text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;font-size:${FONT_PX}px;white-space:pre}</style>
<rect width="${width}" height="${height}" rx="8" fill="#161b22"/>
<circle cx="22" cy="17" r="5" fill="#3a424d"/><circle cx="40" cy="17" r="5" fill="#3a424d"/><circle cx="58" cy="17" r="5" fill="#3a424d"/>
<g fill="${PLAIN}">
${texts.join('\n')}
</g></svg>
`;
  if (Buffer.byteLength(svg) > MAX_BYTES) throw new Error(`${name} has more than ${MAX_BYTES} bytes.`);
  if (svg.includes(folder)) throw new Error(`${name} shows a path of this machine.`);
  writeFileSync(join(root, `docs/pictures/${name}.svg`), svg);
  console.log(`docs/pictures/${name}.svg: ${shown.length} lines, ${Buffer.byteLength(svg)} bytes`);
}

function escaped(text) {
  const names = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replace(/[&<>"]/g, (character) => names[character]);
}
