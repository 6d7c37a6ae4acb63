// A service that asks real agents to come back in half a minute: they would sleep and retry by themselves, while another agent
// could work. How long it takes until the supervisor knows.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { figure, RealField } from './field.ts';
import { eachAgent } from './offered.ts';

/** From the agent's first request. */
const MOST_MS = 20_000;
/** Its own retries end sooner than that, and are left to it. */
const RETRIES_S = 30;

/** No box: the time of the agent alone. Nobody waits for it to come back. */
const CONFIG = 'run: { maxWaitS: 0 }\nagents:\n  codex: { env: [STUB_KEY] }\n';

const TASKS = `tasks:
  - task_id: health
    intent: Add a health endpoint
    instructions: Write health.txt
    acceptance_criteria: [{ text: it is there, check: { file_exists: health.txt } }]
`;

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

eachAgent(
  '%s is asked to wait for half a minute: the attempt is over within seconds, and its breaker is open',
  async (name) => {
    const of = await RealField.make(name);
    field = of;
    const config = join(of.scratch.home, 'config.yaml');
    writeFileSync(config, CONFIG);
    writeFileSync(join(of.scratch.project, '.foreword/tasks.yaml'), TASKS);
    of.model.standing({ kind: 'error', status: 429, retryAfterSeconds: RETRIES_S });
    const firstRequest = of.model.waitFor((request) => request.isMain, 60_000).then(() => Date.now());
    const ran = await of.foreword('run', '.foreword/tasks.yaml', '--agents', name, '--config', config);
    const ms = Date.now() - (await firstRequest);
    expect(ran.status, ran.stdout + ran.stderr).toBe(1);
    const { attempts } = JSON.parse((await of.must('history', 'health', '--json')).stdout);
    expect(attempts).toMatchObject([{ provider: name, exitReason: 'circuit_breaker', exitClass: 'rate_limit' }]);
    expect(ran.stdout + ran.stderr).toContain('(rate_limit)');
    expect(ms).toBeLessThan(MOST_MS);
    figure(name, 'asked to wait 30 s, noticed', ms);
  },
  'wait',
);
