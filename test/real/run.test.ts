// A supervised run whose agent is a real one: the model calls a tool that writes the file, and the criterion finds it.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { AGENTS, calling, figure, RealField, timesGiven } from './field.ts';

/** A run lets through the variables that an agent is known to read; the key of our model is one more for Codex. */
const CONFIG = 'agents:\n  codex: { env: [STUB_KEY] }\n';

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

test.each(AGENTS)('%s completes a task whose file its model had it write', async (name) => {
  field = await RealField.make(name);
  const { home, project } = field.scratch;
  writeFileSync(
    join(project, '.foreword/tasks.yaml'),
    `tasks:
  - task_id: api_health
    intent: Add a health endpoint
    instructions: Write health.txt
    acceptance_criteria:
      - text: the file is there
        check: { file_exists: health.txt }
`,
  );
  const config = join(home, 'config.yaml');
  writeFileSync(config, CONFIG);
  field.next(calling(field.recipe.fileCall(join(project, 'health.txt'), 'healthy')));
  const startedAt = Date.now();
  const ran = await field.foreword('run', '.foreword/tasks.yaml', '--agents', name, '--config', config);
  expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  figure(name, 'run to completed', Date.now() - startedAt);
  expect(readFileSync(join(project, 'health.txt'), 'utf8')).toBe('healthy');
  const { tasks } = JSON.parse((await field.must('status', '--json')).stdout);
  expect(tasks).toMatchObject([{ task_id: 'api_health', status: 'completed' }]);
  const { attempts } = JSON.parse((await field.must('history', 'api_health', '--json')).stdout);
  expect(attempts).toMatchObject([{ provider: name, status: 'completed' }]);
  expect(timesGiven(field.turns()[0], 'Write health.txt')).toBe(1);
});
