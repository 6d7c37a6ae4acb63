// A run with a task and an agent of one's own.
import {
  AGENTS,
  type Agent,
  type AgentInput,
  defineAgent,
  defineTask,
  eventLine,
  ForewordError,
  type ForewordEvent,
  isForewordError,
  openProject,
  prepareRun,
  type RunOptions,
  type Task,
  type TaskInput,
} from 'foreword';
import { memoryStores } from 'foreword/testing';

const input: TaskInput = {
  task_id: 'version',
  instructions: 'Export the version from src/version.js.',
  acceptance_criteria: [{ text: 'it is there', check: { file_exists: 'src/version.js' } }],
};
const task: Task = defineTask(input);
const own: AgentInput = {
  name: 'mine',
  oneshot: {
    command: ['sh', '-c', 'cat > /dev/null; echo "export const version = 1;" > src/version.js; echo done'],
    prompt: 'stdin',
  },
};
const agent: Agent = defineAgent(own);
console.log(
  'built in:',
  AGENTS.some(({ name }) => name === 'claude'),
);

const stores = memoryStores();
const project = openProject({ stores });
const options: RunOptions = {
  tasks: [task],
  agents: [agent],
  maxWaitS: 60,
  onEvent: (event) => event.kind === 'task-finished' && console.log(eventLine(event)),
};
console.log((await (await prepareRun(project, options)).run()).statuses);
const events: readonly ForewordEvent[] = (await stores.journal.read()).map(({ value }) => value);
console.log(events.some(({ kind }) => kind === 'attempt-started'));
const attempts = await stores.attempts.list('version');
console.log(attempts.map(({ provider, status, files_created }) => [provider, status, ...files_created].join(' ')));
await project.close();

try {
  defineTask({ ...input, timeout_s: 0 });
} catch (error) {
  if (isForewordError(error)) console.log(error.code, error.faults[0]?.path, error instanceof ForewordError);
}
