// A run from code, with an agent and a store of one's own.
import { eventLine, openProject, prepareRun } from 'foreword';
import { memoryStores } from 'foreword/testing';

const script = 'cat > /dev/null; echo hello > src/hello.txt; echo done';
const agent = {
  name: 'mine',
  oneshot: { command: ['sh', '-c', script], prompt: 'stdin', output: { format: 'text' }, firstOutputS: 30 },
  env: [],
  errors: [],
};
const check = { file_exists: 'src/hello.txt' };
const task = {
  task_id: 'hello',
  intent: 'Say hello',
  instructions: 'Write src/hello.txt',
  acceptance_criteria: [{ text: 'src/hello.txt is there', check }],
  depends_on: [],
  priority: 1,
  targets: ['src/**'],
  retry_policy: { max_retries: 1 },
  timeout_s: 60,
  options: {},
};
const project = openProject({ stores: memoryStores() });
const run = await prepareRun(project, {
  tasks: [task],
  agents: [agent],
  lineup: ['mine'],
  isAgain: false,
  signal: new AbortController().signal,
  onEvent: (event) => event.kind === 'task-finished' && console.log(eventLine(event)),
});
console.log((await run.run()).statuses);
await project.close();
