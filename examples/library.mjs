// The header of a project, and the hand-over its next attempt would get, from code.
import { composeContext, composeHandover, openProject, refuseFaults } from 'foreword';

const project = openProject();
const context = await composeContext(project);
refuseFaults(context);
console.log(context.header.next_work[0]);

const attempt = {
  attemptNumber: 1,
  provider: 'gemini',
  timestamp: new Date().toISOString(),
  files_created: ['src/health.js'],
  files_updated: [],
  files_deleted: [],
  status: 'failed',
  validationErrors: [],
  exitReason: 'circuit_breaker',
  exitClass: 'rate_limit',
  durationMs: 41_000,
};
console.log(composeHandover({ attempts: [attempt], nextAgent: 'codex' }).text);
await project.close();
