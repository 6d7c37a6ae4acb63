import { defineConfig } from 'vitest/config';
import { writeCatalogs } from './scripts/agents-catalog.mjs';
import { IS_LONG, RETRIES } from './test/scale.ts';

/** Tests with real agents need them installed and a network namespace: only scripts/test-agents.mjs asks for them. */
// biome-ignore lint/style/noProcessEnv: the script that runs these tests says so there
const HAS_AGENTS = process.env.FOREWORD_TEST_AGENTS !== undefined;

writeCatalogs();

// Unit tests stand beside the code; whole-program tests in test/ run the built command and real servers.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts'],
          setupFiles: ['test/setup.ts'],
          testTimeout: IS_LONG ? 600_000 : 60_000,
          retry: RETRIES,
          pool: 'threads',
          isolate: false,
        },
      },
      {
        test: {
          name: 'program',
          include: ['test/**/*.test.ts'],
          exclude: ['test/real/**'],
          setupFiles: ['test/setup.ts'],
          pool: 'forks',
          // A process for each file would load the same code anew 190 times; test/setup.ts puts back what a file may leave.
          isolate: false,
          // With two workers, two processors were idle for four tenths of the time: tests wait for processes and clocks.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          testTimeout: IS_LONG ? 900_000 : 120_000,
          retry: RETRIES,
          hookTimeout: 120_000,
        },
      },
      ...(HAS_AGENTS
        ? [
            {
              test: {
                name: 'agents',
                include: ['test/real/**/*.test.ts'],
                pool: 'forks' as const,
                // Most of the time they wait for an agent.
                maxWorkers: 3,
                // Programs of others in real time; what needed a second try is named in the output.
                retry: 1,
                sequence: { groupOrder: 2 },
                testTimeout: 300_000,
                hookTimeout: 60_000,
              },
            },
          ]
        : []),
    ],
  },
});
