// Builds the plug-ins into dist/plugins/: folders that agents install by their own commands, with our hooks, MCP server and skill, and
// nothing beside them. What differs between agents is in extension.ts of their folders; agents may share a folder. The program in it
// is that of dist/hook with SQLite of Node itself in the place of libsql.

import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buildHook } from './build-hook.mjs';
import { buildLazy } from './build-lazy.mjs';
import { importSource } from './import-source.mjs';

const root = join(import.meta.dirname, '..');

/** `options` are those of esbuild that the command is built with. */
export async function buildPlugins(folder, { name, version, description }, options = {}) {
  const program = mkdtempSync(join(tmpdir(), 'foreword-plugin-'));
  try {
    const common = { ...options, alias: { libsql: join(root, 'src/stores/sqlite/node-sqlite.ts') } };
    await buildHook(program, common);
    await buildServer(program, common);
    const { EXTENSIONS } = await importSource('src/agents/extensions.ts');
    const { entriesOf } = await importSource('src/install/extension-entries.ts');
    for (const own of new Set(Object.values(EXTENSIONS).map((facts) => facts.folder))) {
      cpSync(program, join(folder, own, 'program'), { recursive: true });
      mkdirSync(join(folder, own, 'skills/foreword'), { recursive: true });
      cpSync(join(root, 'src/install/plugin-readme.md'), join(folder, own, 'README.md'));
      cpSync(join(root, 'src/install/skill.md'), join(folder, own, 'skills/foreword/SKILL.md'));
    }
    for (const [agent, { folder: own, files }] of Object.entries(EXTENSIONS)) {
      const parts = {
        name,
        version,
        description,
        entries: (at) => entriesOf(agent, `${at}/program/foreword-hook`),
        server: (at) => ['node', `${at}/program/foreword.cjs`, 'mcp'],
      };
      for (const [path, value] of Object.entries(files(parts))) {
        const file = join(folder, own, path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, typeof value === 'string' ? value : `${JSON.stringify(value, null, 2)}\n`);
      }
    }
  } finally {
    rmSync(program, { recursive: true, force: true });
  }
}

/** foreword.cjs, and what it loads when it is needed. */
async function buildServer(folder, options) {
  await buildLazy(folder, ['src/plug-in.ts'], {
    names: { 'src/plug-in.ts': 'foreword.cjs' },
    there: new Set(readdirSync(folder)),
    options: { external: ['ioredis'], ...options },
  });
}
