// Hand-overs and prompts for a loop of one's own, by the names of designs 001 and 002.
import {
  type AttemptInput,
  type AttemptRecord,
  buildCircuitBreakerContext,
  buildHelperAgentContext,
  buildMinimalState,
  buildPrompt,
  buildRetryContext,
  type CircuitBreakerContextInput,
  composeHandover,
  defineAttempt,
  detectTaskLoop,
  type ExecutionContext,
  ExecutionContextManager,
  generateValidationCommands,
  type HelperAgentContextInput,
  type MinimalState,
  type RetryContextInput,
} from 'foreword';
import { memoryStores } from 'foreword/testing';

const stores = memoryStores();
const input: AttemptInput = { provider: 'gemini', files_created: ['src/health.js'], exitClass: 'rate_limit' };
const first: AttemptRecord = defineAttempt(input);
const contexts = new ExecutionContextManager(stores.attempts);
await contexts.addAttempt('api_health', first);
const context: ExecutionContext | null = await contexts.getContext('api_health');
console.log(composeHandover({ attempts: context?.attempts ?? [], nextAgent: 'codex' }).text);

const failed: CircuitBreakerContextInput = {
  failedProvider: 'gemini',
  failureReason: 'rate_limit',
  previousAttempt: first,
};
const retry: RetryContextInput = { attemptNumber: 2, previousValidationErrors: ['GET /health answers 404'] };
const review: HelperAgentContextInput = { attemptNumber: 2, previousAttempts: [first] };
console.log(buildCircuitBreakerContext(failed).split('\n')[1]);
console.log(buildRetryContext(retry).split('\n')[2]);
console.log(buildHelperAgentContext(review).split('\n')[1]);
console.log('loop:', detectTaskLoop([first]));

const state: MinimalState = buildMinimalState({ project: 'shop', finished: [], blocked: [] });
const task = { task_id: 'api_health', intent: 'Health', instructions: 'Add GET /health.', acceptance_criteria: [] };
console.log(buildPrompt(task, state).split('\n')[0]);

const answer = '{"commands":[{"criterion":1,"command":"grep -q health src/server.js","why":"the route is there"}]}';
const commands = await generateValidationCommands({
  ask: async () => answer,
  handover: buildHelperAgentContext(review),
  criteria: ['GET /health answers 200'],
  answer: 'Done.',
  changes: { created: ['src/health.js'], updated: [], deleted: [] },
  workingDirectory: '.',
});
console.log('commands' in commands && commands.commands.map(({ command }) => command));
