// `foreword audit` of many gigabytes, once: recorded transcripts of six agents, repeated under new ids until there is enough, against reading and
// parsing the same bytes. Processor time of both, and the most memory. The folder is removed afterwards. Linux only, for the memory.
// Usage: node bench/audit-large.mjs [--gigabytes 10] [--in FOLDER] [--keep]   (after npm run build)

import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { parsing, ran } from './audit-run.mjs';
import { ms, table, times } from './measure.mjs';

const { values } = parseArgs({
  options: {
    gigabytes: { type: 'string', default: '10' },
    in: { type: 'string', default: tmpdir() },
    keep: { type: 'boolean' },
  },
});
const ROOT = join(import.meta.dirname, '..');
const ID = '11111111-2222-4333-8444-555555555555';
/** Of one session; a person's longest ones are of this size. */
const SESSION_BYTES = 8e6;
/** What a tool returned, in every sixth record, so that records are as long as people's are on average. */
const FILLER = 'export function total(items) { return items.reduce((sum, item) => sum + item.price, 0); }\\n'.repeat(
  20,
);

const PLACES = {
  claude: (id) => `.claude/projects/-home-ada-shop/${id}.jsonl`,
  codex: (id) => `.codex/sessions/2026/11/15/rollout-2026-11-15T12-00-00-${id}.jsonl`,
  gemini: (id) => `.gemini/tmp/shop/chats/session-2026-11-15T12-00-${id}.jsonl`,
  qwen: (id) => `.qwen/projects/-home-ada-shop/chats/${id}.jsonl`,
  copilot: (id) => `.copilot/session-state/${id}/events.jsonl`,
  pi: (id) => `.pi/agent/sessions/--home-ada-shop--/2026-11-15T12-00-00-000Z_${id}.jsonl`,
};

const wanted = Number(values.gigabytes) * 1e9;
const { bavail, bsize } = statfsSync(values.in);
if (bavail * bsize < wanted * 1.5) throw new Error(`There is not enough room in ${values.in}.`);
const home = mkdtempSync(join(values.in, 'foreword-bench-audit-'));
try {
  const made = fill(home);
  console.log(`${made.files} files, ${(made.bytes / 1e9).toFixed(2)} GB, in ${home}`);
  const parse = await ran(['-e', parsing, home], home);
  const audit = await ran([join(ROOT, 'dist/command/start.cjs'), 'audit', '--json'], home);
  table('foreword audit of recorded transcripts, processor time, one round', [
    [`${(made.bytes / 1e9).toFixed(1)} GB in ${made.files} sessions: read and parsed`, ms(parse.ms)],
    ['audit', ms(audit.ms)],
    ['audit to parsing', times(audit.ms / parse.ms), 'at most 2 x', audit.ms / parse.ms <= 2],
    ['most memory', `${Math.round(audit.peakMib)} MiB`, 'at most 512 MiB', audit.peakMib <= 512],
    ['audit, by the clock', ms(audit.wallMs)],
  ]);
} finally {
  if (values.keep) console.log(`kept: ${home}`);
  else rmSync(home, { recursive: true, force: true });
}

/** The same number of bytes of each agent. */
function fill(folder) {
  const made = { bytes: 0, files: 0 };
  const agents = Object.keys(PLACES);
  for (const agent of agents) {
    const sample = join(ROOT, 'src/agents', agent, 'transcript.jsonl');
    if (!existsSync(sample)) continue;
    const text = readFileSync(sample, 'utf8');
    for (let bytes = 0, session = 0; bytes < wanted / agents.length; session += 1) {
      const size = writeSession(join(folder, PLACES[agent](idOf(agent, session))), text, idOf(agent, session));
      bytes += size;
      made.bytes += size;
      made.files += 1;
    }
  }
  return made;
}

function idOf(agent, session) {
  const digits = (agents) => agents.toString(16);
  return `${digits(agent.charCodeAt(0) * 0x100000 + session).padStart(8, '0')}-2222-4333-8444-${digits(session).padStart(12, '0')}`;
}

/** The sample again and again, each time with ids of its own. */
function writeSession(path, text, id) {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'w');
  const [first, ...rest] = text.trimEnd().replaceAll(ID, id).split('\n');
  let bytes = writeSync(file, `${first}\n`);
  for (let round = 0; bytes < SESSION_BYTES; ) {
    let piece = '';
    for (; piece.length < 500_000; round += 1) piece += `${renamed(rest, round)}\n`;
    bytes += writeSync(file, piece);
  }
  closeSync(file);
  return bytes;
}

function renamed(lines, round) {
  return lines
    .map((line, at) => {
      const own = line.replaceAll(
        /"(uuid|id|parentUuid|messageId|call_id|tool_use_id|toolCallId|response_id)":"([^"]+)"/g,
        `"$1":"$2-${round}"`,
      );
      return at % 6 === 0 ? own.replace(/"(text|content|output)":"/, `"$1":"${FILLER} `) : own;
    })
    .join('\n');
}
