// Writes docs/agents.md from what was measured with the real agents (docs/agents.json) and from the agents' own data.
// `--check` writes nothing and exits 1 when the page is not current; neither needs an agent.
// `--measure` first runs `foreword verify` (npm run build) with the agents of the PATH and of $FOREWORD_LAB, or with those
// named, and takes what it finds over into docs/agents.json.
// Usage: node scripts/docs-agents.mjs [--check | --measure [AGENT…]]

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importSource } from './import-source.mjs';
import { writeOrCheck } from './write-or-check.mjs';

const [
  { AGENTS },
  { recipeFor },
  { DIALECTS },
  { INSTRUCTION_FILES },
  { costWords, TRIED, TRIED_TITLES },
  { arrivalWords },
  { ladderOf },
] = await Promise.all(
  [
    'src/agents/index.ts',
    'src/verify/lab/recipe.ts',
    'src/hooks/dialects.ts',
    'src/sessions/channels/file/instruction-file.ts',
    'src/verify/measurement.ts',
    'src/verify/arrival.ts',
    'src/sessions/choose-channels.ts',
  ].map(importSource),
);
const root = join(import.meta.dirname, '..');
const FILE = 'docs/agents.json';
const known = JSON.parse(readFileSync(join(root, FILE), 'utf8')).agents;
const asked = process.argv.slice(2);
const agents = asked.includes('--measure') ? measured(asked.filter((word) => !word.startsWith('--'))) : known;
const byName = agents.toSorted((one, other) => one.agent.localeCompare(other.agent));

/** The newest of each agent; what was not measured now stays. */
function measured(names) {
  const command = [join(root, 'dist/command/start.cjs'), 'verify', ...names, '--json'];
  const ran = spawnSync(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' });
  if (ran.status !== 0 && ran.status !== 1) {
    console.error(`foreword verify ended with ${ran.status}: ${ran.stdout}`);
    process.exit(ran.status ?? 1);
  }
  const fresh = JSON.parse(ran.stdout).agents;
  return [...known.filter(({ agent }) => !fresh.some((one) => one.agent === agent)), ...fresh];
}

function cell(arrival) {
  if (arrival === undefined) return '–';
  return arrival.kind === 'served' ? `served, ${(arrival.ms / 1000).toFixed(1)} s` : arrivalWords(arrival);
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

const matrix = table(
  ['agent', 'version', 'measured', ...TRIED.map((tried) => TRIED_TITLES[tried])],
  byName.map(({ agent, version, at, arrivals }) => [
    agent,
    version,
    at.slice(0, 10),
    ...TRIED.map((tried) => cell(arrivals[tried])),
  ]),
);

const costs = byName.filter((one) => TRIED.some((tried) => costWords(one, tried) !== undefined));
const costTable = table(
  ['agent', ...TRIED.map((tried) => TRIED_TITLES[tried])],
  costs.map((one) => [one.agent, ...TRIED.map((tried) => costWords(one, tried) ?? '–')]),
);

function gateOf({ name }) {
  const dialect = DIALECTS[name];
  if (dialect === undefined) return 'no hooks';
  return dialect.gate === 'pre-tool' ? 'before it' : 'after it';
}

function capOf({ name }) {
  const dialect = DIALECTS[name];
  if (dialect === undefined) return '–';
  const [chars, bytes] = [dialect.maxChars, dialect.maxBytes].map((count) => count.toLocaleString('en-US'));
  return `${chars} characters, ${bytes} bytes`;
}

function seenOf({ name }) {
  const dialect = DIALECTS[name];
  if (dialect === undefined) return '–';
  const titles = { 'session-start': 'start', prompt: 'prompt', [dialect.gate]: 'tool' };
  const events = Object.keys(titles).filter((event) => dialect.events[event] !== undefined);
  const seen = events.filter((event) => dialect.shown?.includes(event));
  if (seen.length === 0) return 'never';
  return seen.length === events.length ? 'all' : seen.map((event) => titles[event]).join(', ');
}

function fileOf({ name, interactive }) {
  const places = INSTRUCTION_FILES[name]?.places ?? [];
  const usual = places.find(({ create }) => create !== undefined) ?? places[0];
  return `\`${interactive?.file ?? usual?.path ?? 'none'}\``;
}

const ways = table(
  [
    'agent',
    'channels, best first',
    'hooks at launch',
    'gate at the first tool',
    'limit of one hook text',
    'lost hook texts said again',
    'instruction file',
  ],
  AGENTS.filter(({ interactive }) => interactive !== undefined).map((agent) => {
    const { launch } = agent.interactive;
    const hook =
      launch?.hook === undefined ? 'no' : launch.hook.firesAt === 'launch' ? 'at once' : 'with the first prompt';
    return [
      agent.name,
      ladderOf(agent.interactive).join(', '),
      hook,
      gateOf(agent),
      capOf(agent),
      seenOf(agent),
      fileOf(agent),
    ];
  }),
);

const described = AGENTS.filter(({ name }) => recipeFor(name) === undefined).map(({ name }) => name);
const resumable = AGENTS.filter(({ oneshot }) => oneshot?.resume !== undefined).map(({ name }) => name);
const notes = AGENTS.flatMap(({ name, notes: known = [] }) => [
  '',
  `**${name}**`,
  '',
  ...known.map((note) => `- ${note}`),
]);

const page = [
  '<!-- Made by scripts/docs-agents.mjs from docs/agents.json and src/agents/. Do not edit; run npm run docs. -->',
  '',
  '# Agents',
  '',
  'After this page you know which channels work with each agent, in which version, and what to look out for.',
  '',
  '## Measured',
  '',
  '`foreword verify` started each real agent in a scratch home, without network, against a local fake model that records its',
  'input. A text with a mark in every line went through each channel: *served* is complete, once and in time; *truncated at N*',
  'means that the model has the first N characters; *late* that it came in a later turn. Times are from one run on a busy machine',
  'with two cores; every start was the first one in an empty home. For `foreword start` by flag and by typing they begin at the',
  'launch, else at the submit key of a prompt that was written two seconds after the agent was ready.',
  '',
  ...matrix,
  '',
  `Not measured: ${described.join(', ')}. They cannot run against our fake model. Their flags, hooks and screens come from their`,
  'source or documentation, and the tests check the rules on screens made from that; the screens of amp were recorded, with a',
  'local stand-in for its service.',
  '',
  'Your versions may differ: `foreword verify` measures yours, and `foreword start` then tries channels that lose texts last.',
  '',
  ...(costs.length === 0
    ? []
    : [
        '### Cost and cache',
        '',
        'How much each of these texts put before the model (a probe of a realistic size; tokens are characters / 4), and how much of the cached',
        'beginning of the conversation survived it: *kept in 2 of 2 requests (100 % of 29,068 characters)* means that two requests followed another one, that both',
        'began with the whole request before it, and how long those were together, by the rules of its service (tools, system, messages). Where one did',
        'not, its number and the place of the first difference follow. *Without foreword* is the same turns played once more without it. Results of',
        'older versions have neither characters nor comparison. *One request*: nothing followed that could keep it.',
        '',
        ...costTable,
        '',
      ]),
  '## Channels',
  '',
  ...ways,
  '',
  'Limits: a block in an instruction file has at most 16 KiB, the startup context 6,000 characters (`startup.budgetChars`), the',
  'gate 7,500 (`gate.budgetChars`), the header at a prompt 1,024 (`prompt.maxChars`).',
  '',
  '## Sessions in a run',
  '',
  `A retry of \`foreword run\` goes on in the agent's own session with ${resumable.join(', ')}: [runs](runs.md). The others begin a`,
  'new session with each attempt.',
  '',
  '## Notes',
  ...notes,
  '',
].join('\n');

writeOrCheck({
  [FILE]: `${JSON.stringify({ agents: byName }, null, 2)}\n`,
  [join('docs', 'agents.md')]: page,
});
