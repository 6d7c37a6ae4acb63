// Writes docs/configuration.md and schema/*.json from the schemas in src/.
//   node scripts/docs-config.mjs           write them
//   node scripts/docs-config.mjs --check   exit 1 if a file on disk differs, naming it

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
const source = await load(`
  export { SECTIONS, configSchema, settings, variableOf } from './src/config/load.ts';
  export { terminalEntries } from './src/config/schemas/agent-terminal.ts';
  export { getDescription } from 'valibot';
  export { policySchema } from './src/config/schemas/policy.ts';
  export { taskFileSchema, taskSchema } from './src/config/schemas/task-file.ts';
  export { toJsonSchema } from '@valibot/to-json-schema';
`);

const INTRODUCTION = `<!-- Generated from src/config/settings.ts by scripts/docs-config.mjs; change it there. -->

# Configuration

With this page you can change any setting of foreword, for a project, a shell or a single command.

\`\`\`yaml
# .foreword/config.yaml
history:
  size: 4
handover:
  maxLines: 8
\`\`\`

The file is \`.foreword/config.yaml\` (or \`.yml\`, \`.json\`), or the one given with \`--config\`. The later source wins:
default, file, environment variable, flag. \`foreword doctor --settings\` prints each effective value and its origin.

- foreword refuses wrong values and unknown keys, and lists all of them at once, with file and line.
- Lists in environment variables are separated by commas. Switches take true, false, 1 or 0. An empty variable counts as not
  set. If a setting has two variables, the one that begins with FOREWORD_ wins.
- Paths are relative to the project. In \`.foreword/config.yaml\` they must stay inside it.
- \`store\`, \`fleet\`, \`allowVolatile\` and \`allowPlainRedis\` cannot be set in a file: a repository must not choose where data
  goes. Use the flags (\`--store\`, \`--fleet\`, \`--allow-volatile\`, \`--allow-plain-redis\`) or the environment variables.
- \`lineup\`, \`helper\`, \`agents\`, \`injection\`, \`sandbox\`, \`run.prepare\`, \`run.notify\`, \`run.review\`, \`run.confine\` (but for \`required\`) and \`run.allow\` decide which programs run, in which box, and how their screens are read.
  foreword ignores them in \`.foreword/config.yaml\` until you agree to them and to the files that their commands name
  (\`foreword trust\`); in a file named with \`--config\` they apply.
- Editors can check the file as you type with the schema in \`schema/config.schema.json\` of the package.
`;

const AGENTS = `### Your own agents

\`\`\`yaml
agents:
  mine:
    oneshot: { command: [mine, --print], prompt: stdin } # or file, or argument (after --); {prompt} in the command
    env: [MINE_API_KEY] # besides PATH, HOME and similar, it gets no other variables
    errors: # matched on standard error, never on text of a model; the first match counts
      - { class: rate_limit, stderr: '429|rate limit' } # quota, overload, auth, setup, network, context
  codex:
    env: [MY_PROVIDER_KEY] # one more for a built-in agent
    args: [--model, gpt-5] # added to its commands, with and without a terminal
lineup: [mine, codex]
\`\`\`

Patterns run on a linear-time engine; look-around and back references are refused. \`oneshot.output\` describes how to read JSON
output, as in \`src/agents/*/index.ts\`.

\`foreword start\` uses these; for a built-in agent they replace single values ([sessions.md](sessions.md) has an example):

${terminalTable()}`;

const files = {
  'docs/configuration.md': page(),
  'schema/config.schema.json': jsonSchema(source.configSchema()),
  'schema/policy.schema.json': jsonSchema(source.policySchema),
  'schema/tasks.schema.json': jsonSchema(source.taskFileSchema, { task: source.taskSchema }),
};

if (process.argv.includes('--check')) check();
else write();

/** The sources are TypeScript, so they are bundled and imported from a file that is removed again. */
async function load(contents) {
  const outfile = join(ROOT, 'node_modules/.cache', `docs-config-${process.pid}.mjs`);
  try {
    buildSync({
      stdin: { contents, resolveDir: ROOT, loader: 'ts' },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      logLevel: 'warning',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
}

function write() {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(ROOT, name)), { recursive: true });
    writeFileSync(join(ROOT, name), content);
  }
}

function check() {
  const stale = Object.entries(files).filter(([name, content]) => read(name) !== content);
  if (stale.length === 0) return;
  const names = stale.map(([name]) => name).join(', ');
  console.error(`Not up to date: ${names}. Run: node scripts/docs-config.mjs`);
  process.exitCode = 1;
}

function read(name) {
  try {
    return readFileSync(join(ROOT, name), 'utf8');
  } catch {
    return undefined; // A missing file differs from what it should be.
  }
}

/** What only code can check (exactly one check, finite numbers) is left out or said by metadata in the schema. */
function jsonSchema(schema, definitions) {
  const made = source.toJsonSchema(schema, { typeMode: 'input', ignoreActions: ['check', 'finite'], definitions });
  return `${JSON.stringify(made, null, 2)}\n`;
}

function page() {
  const all = source.settings();
  const plain = all.filter(([name]) => !name.includes('.'));
  const sections = Object.keys(source.SECTIONS).map((section) => {
    const inSection = all.filter(([name]) => name.startsWith(`${section}.`));
    return `## ${section}\n\n${table(inSection)}`;
  });
  return `${INTRODUCTION}\n## Settings without a section\n\n${table(plain)}\n${AGENTS}\n${sections.join('\n')}`;
}

/** What an agent may say of its terminal, by the schema's own descriptions. */
function terminalTable() {
  const lines = Object.entries(source.terminalEntries).map(([name, entry]) => {
    const description = source.getDescription(entry.wrapped);
    if (description === undefined) throw new Error(`agents.NAME.${name} has no description in its schema.`);
    return `| \`${name}\` | ${description} |`;
  });
  return `| key | description |\n| --- | --- |\n${lines.join('\n')}\n`;
}

function table(rows) {
  const lines = rows.map(([name, setting]) => {
    const own = setting.isFileOnly ? [] : [source.variableOf(name)];
    const variables = [...own, ...(setting.variable ? [setting.variable] : [])];
    const cells = [
      `\`${name}\``,
      setting.defaultValue === undefined ? 'none' : `\`${shown(setting.defaultValue)}\``,
      setting.allowed,
      variables.map((variable) => `\`${variable}\``).join(', ') || 'none',
      setting.description,
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return `| setting | default | allowed | variable | description |\n| --- | --- | --- | --- | --- |\n${lines.join('\n')}\n`;
}

function shown(value) {
  if (Array.isArray(value)) return `[${value.join(', ')}]`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
