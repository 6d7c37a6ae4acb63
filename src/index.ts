// The public face: named exports only. Nothing is defined here, and nobody inside imports it.

export { AGENTS } from './agents/index.ts';
export { AgentReadinessDetector, ContextInjector } from './app/injector.ts';
export { openProject, type Project, type ProjectOptions } from './app/project.ts';
export { prepareRun } from './app/run.ts';
export { exportLines, importLines } from './app/transfer.ts';
export { type AgentInput, defineAgent, defineTask, type TaskInput } from './config/define.ts';
export { type Config, loadConfig, readConfig } from './config/load.ts';
export { type Context, type ContextAsk, composeContext, refuseFaults } from './context/compose-context.ts';
export { composeTaskPrompt, type PromptAsk, type TaskPrompt } from './context/compose-prompt.ts';
export { composeStartupContext, type Startup, type StartupAsk } from './context/compose-startup.ts';
export { detectTaskLoop, fingerprint } from './context/handover/fingerprint.ts';
export {
  buildCircuitBreakerContext,
  buildHelperAgentContext,
  buildRetryContext,
  composeHandover,
  DEFAULT_HANDOVER_SETTINGS,
  type Handover,
  type HandoverInput,
  type HandoverSettings,
} from './context/handover/handover.ts';
export { buildHeader, type Header, type HeaderFacts, type Mode } from './context/header.ts';
export {
  buildMinimalState,
  buildPrompt,
  composePrompt,
  type MinimalState,
  type Prompt,
  type PromptInput,
} from './context/prompt.ts';
export { renderHeader } from './context/render.ts';
export { composeSessionState, keepSessionState, type SessionState } from './context/session-state.ts';
export { foundOr, type Sources, type TaskFile } from './context/sources/port.ts';
export { renderTemplate, TEMPLATE_TOKENS, type TemplateValues } from './context/template.ts';
export type {
  Agent,
  AgentResult,
  ComposerRule,
  ErrorClass,
  ErrorRule,
  Interactive,
  Oneshot,
  OutputRule,
  OutputSpec,
  ScreenRule,
} from './kernel/agent.ts';
export {
  type AttemptRecord,
  type AttemptStore,
  type ExecutionContext,
  type ExitReason,
  executionContext,
} from './kernel/attempt.ts';
export type { BreakerRecord } from './kernel/breaker.ts';
export type { Clock } from './kernel/clock.ts';
export type { Continuity } from './kernel/continuity.ts';
export { type DeliveryRecord, type DeliveryStage, outcomeOf, PRIORITIES, type Priority } from './kernel/delivery.ts';
export { type ErrorCode, type Fault, ForewordError, isForewordError, renderFault } from './kernel/errors.ts';
export type { ForewordEvent, NewEvent } from './kernel/events.ts';
export type { Policy } from './kernel/policy.ts';
export type { ProcessEnd, ProcessRequest, RunProcess } from './kernel/process.ts';
export { type Channel, type Moment, type Outcome, PROOFS, type Proof, type Receipt } from './kernel/receipt.ts';
export { makeRedactor } from './kernel/redact.ts';
export { asciiJson, countUnsafe, oneLine, safeText } from './kernel/safe-text.ts';
export type { Screen } from './kernel/screen.ts';
export type { CodeSearch, IndexReport, SearchHit } from './kernel/search.ts';
export { wordsOf } from './kernel/search-words.ts';
export type { SessionRecord } from './kernel/session.ts';
export type { Observed } from './kernel/source.ts';
export type { Durability, Entry, Log, StoreKind, Stores, Version, Versioned } from './kernel/stores.ts';
export {
  type Check,
  type Claim,
  type Criterion,
  FINISHED,
  type Task,
  type TaskRecord,
  type TaskStatus,
  type TaskStore,
} from './kernel/task.ts';
export type { Terminal, TerminalExit, TerminalSize, TerminalStart } from './kernel/terminal.ts';
export { estimateTokens } from './kernel/tokens.ts';
export { type CriterionResult, type Verdict, validationErrors, verdictOf } from './kernel/verdict.ts';
export { measureEffect } from './reports/effect.ts';
export { eventLine } from './reports/event-lines.ts';
export { type InjectionMetrics, injectionTable, measureInjections } from './reports/injection-metrics.ts';
export { collectMetrics, foldEvents, newMetrics } from './reports/metrics.ts';
export { renderPrometheus } from './reports/prometheus.ts';
export { classify } from './runs/agent-output/classify.ts';
export {
  advance as advanceBreaker,
  availability,
  type BreakerEvent,
  type BreakerRules,
  DEFAULT_BREAKER_RULES,
} from './runs/breaker.ts';
export type { Changes, Observer, Snapshot } from './runs/changes.ts';
export { ExecutionContextManager } from './runs/execution-context.ts';
export { generateValidationCommands, type HelperAnswer, type HelperCommand } from './runs/judging/helper-commands.ts';
export { chooseAgent } from './runs/lineup.ts';
export { type RunReport, runTasks } from './runs/loop/run-tasks.ts';
export type { RunPorts, RunSettings } from './runs/ports.ts';
export type { PreparedRun, RunOptions } from './runs/prepare-run.ts';
export { type NextStep, nextStep, type TaskOutcome } from './runs/task-machine.ts';
export type { Workplace } from './runs/workplaces/workplace.ts';
export { advance as advanceDelivery } from './sessions/delivery/machine.ts';
export type { DeliveryEvent, DeliveryRules, DeliveryStep, DeliveryView } from './sessions/delivery/step.ts';
export type { ContextInjectionConfig, StartupContext } from './sessions/injector.ts';
export type { ReadinessSignal } from './sessions/readiness-detector.ts';
export { openPty } from './terminals/pty/pty.ts';
export { openTmux } from './terminals/tmux/tmux.ts';
