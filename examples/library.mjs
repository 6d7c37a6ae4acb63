// The header of a project, and the hand-over its next attempt would get, from code.
import { composeContext, composeHandover, defineAttempt, openProject, refuseFaults } from 'foreword';

const project = openProject();
const context = await composeContext(project);
refuseFaults(context);
console.log(context.header.next_work[0]);

const attempt = defineAttempt({ provider: 'gemini', files_created: ['src/health.js'], exitClass: 'rate_limit' });
console.log(composeHandover({ attempts: [attempt], nextAgent: 'codex' }).text);
await project.close();
