// The public face: named exports only, each with a line and an example in docs/api.md (a test keeps it complete). Nothing is
// defined here, and nobody inside imports it.

export { AGENTS } from './agents/index.ts';
export { AgentReadinessDetector, ContextInjector } from './app/injector.ts';
export { openProject, type Project } from './app/project.ts';
export { prepareRun } from './app/run.ts';
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
export { contextOf as composeContext } from './context/project-context.ts';
export { promptOf as composeTaskPrompt } from './context/project-prompt.ts';
export { startupOf as composeStartupContext } from './context/project-startup.ts';
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
export { eventLine } from './reports/event-lines.ts';
export type { InjectionMetrics } from './reports/injection-metrics.ts';
export { ExecutionContextManager } from './runs/execution-context.ts';
export { generateValidationCommands } from './runs/judging/helper-commands.ts';
export type { RunOptions } from './runs/prepare-run.ts';
export type { ContextInjectionConfig, StartupContext } from './sessions/injector.ts';
export type { EscalationStrategy, QueuedMessage } from './sessions/queued-message.ts';
export type { ReadinessSignal } from './sessions/readiness-detector.ts';
export { openPty } from './terminals/pty/pty.ts';
