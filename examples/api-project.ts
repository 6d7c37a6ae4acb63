// A project: its header, the prompt of a task, what a new session reads.
import {
  type Clock,
  composeContext,
  composeStartupContext,
  composeTaskPrompt,
  openProject,
  type Project,
  refuseFaults,
  renderHeader,
  type Stores,
} from 'foreword';

const clock: Clock = { now: () => Date.parse('2026-01-01'), wait: async () => undefined };
const project: Project = openProject({ clock });
const context = await composeContext(project);
refuseFaults(context); // throws with every broken file; without it they are left out
console.log(renderHeader(context.header, 'md').split('\n').slice(0, 3).join('\n'));

const prompt = await composeTaskPrompt(project, 'api_health', { agent: 'codex' });
console.log(prompt.parts.map((part) => part.name).join(', '));

const start = await composeStartupContext(project);
console.log(start.parts.map((part) => part.name).join(', '));

const stores: Stores = await project.readStores();
console.log((await stores.tasks.list()).length, 'task(s) with a history');
await project.close();
