// Programs with well-known names, in folders that a PATH may name: node_modules/.bin, ".", and an empty entry.

import type { Trap } from '../ground.ts';

export const NAMES = [
  ...['claude', 'codex', 'gemini', 'copilot', 'cursor-agent', 'opencode', 'pi', 'amp', 'aider', 'goose', 'qwen'],
  ...['tmux', 'git', 'bwrap', 'unshare', 'prlimit', 'node', 'npm', 'npx', 'sh', 'bash', 'env', 'tar', 'cp', 'rm', 'ps'],
  ...[
    'cat',
    'stty',
    'script',
    'sed',
    'date',
    'uname',
    'id',
    'which',
    'timeout',
    'setsid',
    'ip',
    'mktemp',
    'sandbox-exec',
  ],
  ...['dd', 'readlink', 'mkdir', 'mv', 'ln', 'touch', 'tail', 'head', 'sleep', 'kill', 'stat', 'find', 'awk', 'xargs'],
];

/** The beginning of a PATH that leads into them all. */
export function trappedPath(root: string): string {
  return [`${root}/node_modules/.bin`, '.', '', 'bin', `${root}/missing/../bin`, './node_modules/.bin'].join(':');
}

export const PROGRAM_TRAPS: readonly Trap[] = [
  {
    name: 'agents and tools in node_modules/.bin, bin and the root',
    would: 'run in place of the installed ones',
    set: (ground) => {
      for (const name of NAMES)
        for (const folder of ['node_modules/.bin', 'bin', '.'])
          ground.program(`${folder}/${name}`, `program-${name}`, 'exit 0');
    },
  },
  {
    name: 'packages with the names of those that foreword loads',
    would: 'be loaded in their place',
    set: (ground) => {
      for (const name of ['libsql', 'ioredis', '@lydell/node-pty', 'bullmq', 'better-sqlite3', 'foreword']) {
        const touch = `require('fs').writeFileSync(${JSON.stringify(`${ground.outside.canary}/package-${name.replace('/', '-')}`)}, '')`;
        ground.write(
          `node_modules/${name}/package.json`,
          JSON.stringify({ name, main: 'index.js', version: '99.0.0' }),
        );
        ground.write(`node_modules/${name}/index.js`, `${touch}\n`);
      }
    },
  },
];
