// The public face: named exports only, each with a line and an example in docs/api.md (a test keeps it complete). Nothing is
// defined here, and nobody inside imports it.

export { AGENTS } from './agents/index.ts';
export { AgentReadinessDetector, ContextInjector } from './app/injector.ts';
export type { Project } from './app/project.ts';
export { type AgentInput, defineAgent, defineTask, type TaskInput } from './config/define.ts';
export { type AttemptInput, defineAttempt } from './config/define-attempt.ts';
export { refuseFaults } from './context/compose-context.ts';
export { detectTaskLoop } from './context/handover/fingerprint.ts';
export {
  buildCircuitBreakerContext,
  buildHelperAgentContext,
  buildRetryContext,
  type CircuitBreakerContextInput,
  composeHandover,
  type HelperAgentContextInput,
  type RetryContextInput,
} from './context/handover/handover.ts';
export { buildMinimalState, buildPrompt, type MinimalState } from './context/prompt.ts';
export { renderHeader } from './context/render.ts';
export type { Agent } from './kernel/agent.ts';
export type { AttemptRecord, ExecutionContext } from './kernel/attempt.ts';
export type { Clock } from './kernel/clock.ts';
export { ForewordError, isForewordError } from './kernel/errors.ts';
export type { ForewordEvent } from './kernel/events.ts';
export type { Receipt } from './kernel/receipt.ts';
export type { Stores } from './kernel/stores.ts';
export type { Task } from './kernel/task.ts';
export type { Terminal } from './kernel/terminal.ts';
export {
  composeContext,
  composeStartupContext,
  composeTaskPrompt,
  openProject,
  openPty,
  prepareRun,
} from './library.ts';
export { eventLine } from './reports/every-event-line.ts';
export type { InjectionMetrics } from './reports/injection-metrics.ts';
export { ExecutionContextManager } from './runs/execution-context.ts';
export { generateValidationCommands } from './runs/judging/helper-commands.ts';
export type { RunOptions } from './runs/run-options.ts';
export type { ContextInjectionConfig, StartupContext } from './sessions/injector.ts';
export type { EscalationStrategy, QueuedMessage } from './sessions/queued-message.ts';
export type { ReadinessSignal } from './sessions/readiness-detector.ts';
