// A startup context into an agent that runs in a terminal of one's own, by the names of design 000.
import { once } from 'node:events';
import {
  AgentReadinessDetector,
  type ContextInjectionConfig,
  ContextInjector,
  defineAgent,
  type EscalationStrategy,
  type InjectionMetrics,
  openPty,
  type QueuedMessage,
  type ReadinessSignal,
  type Receipt,
  type StartupContext,
  type Terminal,
} from 'foreword';
import { memoryStores } from 'foreword/testing';

const agent = defineAgent({
  name: 'mini',
  interactive: { command: ['node', 'agent.mjs'] },
  screens: [
    { state: 'busy', bottom: 'esc to interrupt' },
    { state: 'ready', cursorLine: '^>( |$)' },
  ],
  composer: { line: '^> ?(.*)$' },
});

const detector = new AgentReadinessDetector(agent);
const signal: ReadinessSignal | null = await detector.checkOutput('\x1b[?2004hmini agent 1.0\r\n> ');
console.log(signal?.type);
await detector.close();

const terminal: Terminal = await openPty({
  command: [process.execPath, 'agent.mjs'],
  cwd: process.cwd(),
  env: { PATH: process.env.PATH ?? '' },
  size: { cols: 100, rows: 30 },
});
const stores = memoryStores();
const config: ContextInjectionConfig = { agent, stores, requireAcknowledgment: true };
const injector = new ContextInjector(terminal, config);
const startup: StartupContext = { formatted: 'The route is written; register it next.' };
const delivery = injector.injectStartupContext(startup);
await once(injector, 'injection:attempted');
const [message]: readonly QueuedMessage[] = await injector.queued();
const next: EscalationStrategy | undefined = message?.escalationStrategy;
console.log(message?.priority, next?.type);
console.log((await delivery).proof);

const metrics: InjectionMetrics = injector.metrics;
const receipts: readonly Receipt[] = (await stores.receipts.read()).map(({ value }) => value);
console.log(
  metrics.succeededOnFirstTry,
  receipts.map(({ channel, outcome }) => `${channel} ${outcome}`),
);
await injector.close();
await terminal.end();
