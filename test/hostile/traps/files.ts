// Files that are not what a reader expects: names, kinds, sizes, links out of the repository.

import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scaled } from '../../scale.ts';
import type { Ground, Trap } from '../ground.ts';

const NAMES = [
  'red\u001b[31m\u001b]0;title\u0007.md',
  'new\nline.md',
  'carriage\rreturn.md',
  '-rf',
  '--output=evil',
  '$(touch canary).md',
  '`touch canary`.md',
  ';touch canary;.md',
  'quote\'".md',
  'right\u202eto-left.md',
  'zero\u200bwidth\u{e0041}.md',
  '%2e%2e%2fup.md',
  '{context_header}.md',
  '__proto__.md',
  'constructor',
  `${'long'.repeat(60)}.md`,
];

/** Folders that commands look into by themselves. */
const LOOKED_AT = ['.', 'src', '.foreword/notes/scratch', '.foreword/notes/ready_for_review', '.context'];

export const LINKS: Trap = {
  name: 'links to files and folders of the person, to themselves, to devices and to processes',
  would: 'bring private words into a prompt, or be written through',
  set: (ground) => {
    const { home, victim } = ground.outside;
    const targets: Readonly<Record<string, string>> = {
      'to-key.md': join(home, '.ssh/id_ed25519'),
      'to-home': home,
      'to-victim': victim,
      'relative.md': '../home/thesis.txt',
      'loop.md': 'loop.md',
      'a-loop': '.',
      'zero-link.md': '/dev/zero',
      'environ.md': '/proc/self/environ',
      'terminal.md': '/dev/tty',
      'descriptor.md': '/proc/self/fd/0',
      up: '..',
    };
    for (const folder of LOOKED_AT)
      for (const [name, target] of Object.entries(targets)) {
        const path = folder === '.' || !target.startsWith('../') ? target : join('../../..', target);
        ground.link(join(folder, name), path);
      }
    ground.link('.foreword/notes/proposed_tasks', join(home, 'diary'));
    ground.link('.context/CONSTITUTION.md', join(home, 'thesis.txt'));
  },
};

export const FILE_TRAPS: readonly Trap[] = [
  {
    name: 'names with escapes, newlines, dashes, commands, reversed and invisible letters',
    would: 'write to the terminal, become options, run in a shell',
    set: (ground) => {
      for (const folder of LOOKED_AT) {
        mkdirSync(ground.at(folder), { recursive: true });
        for (const name of NAMES) writeFileSync(join(ground.at(folder), name), `# ${name}\ncart total ${name}\n`);
        const bytes = Buffer.concat([Buffer.from(`${ground.at(folder)}/bad`), Buffer.from([0xff, 0x9b, 0x33, 0x31])]);
        writeFileSync(bytes, 'x\n');
      }
    },
  },
  {
    name: 'pipes that nobody writes to',
    would: 'hang every reader',
    set: (ground) => {
      const pipes = ['pipe', 'src/pipe.ts', '.foreword/notes/scratch/pipe.md', '.context/PIPE.md'];
      for (const path of [...pipes, '.foreword/policy.yml', 'QWEN.md']) makePipe(ground, path);
    },
  },
  {
    name: 'sockets',
    would: 'fail every reader with an odd error',
    set: (ground) => {
      for (const path of ['socket', '.foreword/notes/scratch/socket.md', '.foreword/runs.sock']) {
        mkdirSync(join(ground.at(path), '..'), { recursive: true });
        const listen = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
        // The socket stays only when its process cannot take it away.
        try {
          execFileSync(process.execPath, ['-e', listen, ground.at(path)], { stdio: 'ignore' });
        } catch {
          // It ends by its own KILL.
        }
      }
    },
  },
  {
    name: 'devices, where the test may make them',
    would: 'be read without an end',
    set: (ground) => {
      if (process.getuid?.() !== 0) return;
      for (const path of ['zero.md', '.foreword/notes/scratch/zero.md', '.context/ZERO.md']) {
        mkdirSync(join(ground.at(path), '..'), { recursive: true });
        try {
          execFileSync('mknod', [ground.at(path), 'c', '1', '5'], { stdio: 'ignore' });
        } catch {
          // A container may forbid it even to root.
        }
      }
    },
  },
  LINKS,
  {
    name: 'huge files that take no place on the disk',
    would: 'fill the memory of whoever reads them whole',
    set: (ground) => {
      const huge = ['huge.ts', '.foreword/notes/scratch/huge.md', '.context/LEARNINGS.md', 'GEMINI.md'];
      for (const path of [...huge, '.foreword/session-state.json']) {
        ground.write(path, '# huge\n');
        const file = openSync(ground.at(path), 'r+');
        ftruncateSync(file, scaled(640) << 20);
        closeSync(file);
      }
    },
  },
  {
    name: 'a folder a hundred levels deep, and one with two thousand files',
    would: 'take the time of whoever walks through',
    set: (ground) => {
      ground.write(`${'d/'.repeat(100)}end.ts`, 'x\n');
      mkdirSync(ground.at('many'));
      for (let count = 0; count < 2000; count += 1) writeFileSync(ground.at(`many/${count}.ts`), '');
      if (readdirSync(ground.at('many')).length !== 2000) throw new Error('they are not there');
    },
  },
];

export function makePipe(ground: Ground, path: string): void {
  ground.write(path, '');
  execFileSync('rm', ['-f', ground.at(path)]);
  execFileSync('mkfifo', [ground.at(path)]);
}
