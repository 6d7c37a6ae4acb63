// The lists of all agents, made from the folders in src/agents/: src/agents/index.ts and its light siblings, each of which
// imports one file of every folder that has it, so that a program bundles no more than it reads. They are not committed. Runs
// by itself wherever sources are read: build, check, tests, scripts.
// Usage: node scripts/agents-catalog.mjs

import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Each part of a folder, what it exports, and the list that is made of it. */
const CATALOGS = [
  { part: 'index.ts', fact: 'agent', list: 'index.ts', name: 'AGENTS', type: 'Agent', from: '../kernel/agent.ts' },
  {
    part: 'transcript.ts',
    fact: 'transcript',
    list: 'transcripts.ts',
    name: 'TRANSCRIPTS',
    type: 'TranscriptSpec',
    from: '../kernel/transcript.ts',
  },
  { part: 'work.ts', fact: 'work', list: 'works.ts', name: 'WORKS', type: 'WorkSpec', from: '../kernel/agent-work.ts' },
  {
    part: 'audit.ts',
    fact: 'audit',
    list: 'audits.ts',
    name: 'AUDITS',
    type: 'AuditSpec',
    from: '../kernel/agent-audit.ts',
  },
  {
    part: 'instructions.ts',
    fact: 'instructions',
    list: 'instructions.ts',
    name: 'INSTRUCTION_FILES',
    type: 'InstructionRule',
    from: '../kernel/agent-instructions.ts',
  },
  {
    part: 'hooks.ts',
    fact: 'hooks',
    list: 'hooks.ts',
    name: 'HOOKS',
    type: 'HookFacts',
    from: '../kernel/agent-hooks.ts',
  },
  {
    part: 'install.ts',
    fact: 'install',
    list: 'installs.ts',
    name: 'INSTALLS',
    type: 'InstallFacts',
    from: '../kernel/agent-install.ts',
  },
  {
    part: 'extension.ts',
    fact: 'extension',
    list: 'extensions.ts',
    name: 'EXTENSIONS',
    type: 'ExtensionFacts',
    from: '../kernel/agent-extension.ts',
  },
  { part: 'mcp.ts', fact: 'mcp', list: 'mcps.ts', name: 'MCPS', type: 'McpFacts', from: '../kernel/agent-mcp.ts' },
  {
    part: 'recording.ts',
    fact: 'recording',
    list: 'recordings.ts',
    name: 'RECORDINGS',
    type: 'RecordingFacts',
    from: '../kernel/agent-recording.ts',
  },
  {
    part: 'setup.ts',
    fact: 'setup',
    list: 'setups.ts',
    name: 'SETUPS',
    type: 'SetupFacts',
    from: '../kernel/agent-setup.ts',
  },
  { part: 'lab.ts', fact: 'lab', list: 'labs.ts', name: 'LABS', type: 'LabFacts', from: '../kernel/agent-lab.ts' },
];

/** The folders, by name. One without an index.ts is none yet. */
export function agentNames(root) {
  return readdirSync(join(root, 'src/agents'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(root, 'src/agents', entry.name, 'index.ts')))
    .map((entry) => entry.name)
    .sort();
}

const HEAD = '// Made from the folders here by scripts/agents-catalog.mjs, and not committed. Do not edit.';

/** Writes what is not there or not current, and removes a list that is no longer made. Several processes may do so at once. */
export function writeCatalogs(root = join(import.meta.dirname, '..')) {
  const folder = join(root, 'src/agents');
  const names = agentNames(root);
  const wanted = new Map(CATALOGS.map((catalog) => [catalog.list, textOf(catalog, folder, names)]));
  for (const file of readdirSync(folder).filter((one) => one.endsWith('.ts') && !wanted.has(one)))
    if (readFileSync(join(folder, file), 'utf8').startsWith(HEAD)) rmSync(join(folder, file), { force: true });
  for (const [file, text] of wanted) {
    const path = join(folder, file);
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
    writeFileSync(`${path}.${process.pid}.tmp`, text);
    renameSync(`${path}.${process.pid}.tmp`, path);
  }
}

function textOf({ part, fact, list, name, type, from }, folder, names) {
  const having = names.filter((one) => existsSync(join(folder, one, part)));
  const isList = list === 'index.ts';
  return [
    HEAD,
    '',
    `import type { ${type} } from '${from}';`,
    ...having.map((one) => `import { ${fact} as ${identifier(one)} } from './${one}/${part}';`),
    '',
    isList
      ? `export const ${name}: readonly ${type}[] = [`
      : `export const ${name}: Readonly<Record<string, ${type}>> = {`,
    ...having.map((one) =>
      isList ? `  { name: '${one}', ...${identifier(one)} },` : `  '${one}': ${identifier(one)},`,
    ),
    isList ? '];' : '};',
    '',
  ].join('\n');
}

/** `my-agent` is `my_agent`, and no name is a word of the language. */
function identifier(name) {
  return `${name.replaceAll(/[^a-z0-9]/g, () => '_')}_`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeCatalogs();
