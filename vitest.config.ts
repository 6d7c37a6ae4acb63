import { defineConfig } from 'vitest/config';
import { IS_LONG } from './test/scale.ts';

// Unit tests stand beside the code; whole-program tests in test/ run the built command and real servers.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts'],
          setupFiles: ['test/setup.ts'],
          testTimeout: IS_LONG ? 600_000 : 20_000,
          pool: 'threads',
          isolate: false,
        },
      },
      {
        test: {
          name: 'program',
          include: ['test/**/*.test.ts'],
          setupFiles: ['test/setup.ts'],
          pool: 'forks',
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          testTimeout: IS_LONG ? 900_000 : 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
