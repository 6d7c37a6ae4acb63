import { addBefore, newFile, type Recipe } from './recipe.ts';

export const command: Recipe = {
  heading: 'Add a command',
  changes: [
    newFile(
      'src/cli/commands/greet.ts',
      `import type { Command } from '../command.ts';

export const greet: Command = {
  name: 'greet',
  summary: 'Greet somebody by name',
  args: ['NAME'],
  flags: {},
  examples: [{ line: 'foreword greet Ada', does: 'prints a greeting' }],
  run: async (call) => {
    call.out.print(\`Hello, \${call.args[0]}.\`);
    return 0;
  },
};
`,
    ),
    addBefore(
      'src/cli/commands/index.ts',
      '    context: async',
      "    greet: async () => (await import('./greet.ts')).greet,",
    ),
  ],
  watchers: ['src/cli/commands/index.test.ts'],
  forgotten: { path: 'src/cli/commands/index.ts', found: { test: 'src/cli/commands/index.test.ts' } },
};
