// A run from code, with your own agent and store.
import { defineAgent, eventLine, openProject, prepareRun } from 'foreword';
import { memoryStores } from 'foreword/testing';

const script = "cat > /dev/null; echo '// a discount comes here' >> src/cart.js; echo done";
const mine = defineAgent({ name: 'mine', oneshot: { command: ['sh', '-c', script], prompt: 'stdin' } });

const project = openProject({ stores: memoryStores() });
const { tasks } = await project.taskFile('.foreword/tasks.yaml');
const run = await prepareRun(project, {
  tasks: tasks.filter((task) => task.task_id === 'cart_discount'),
  agents: [mine],
  lineup: ['mine'],
  onEvent: (event) => event.kind === 'task-finished' && console.log(eventLine(event)),
});
console.log((await run.run()).statuses);
await project.close();
