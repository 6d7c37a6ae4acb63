// The public face: named exports only. Nothing is defined here, and nobody inside imports it.

export { AGENTS } from './agents/index.ts';
export { type Context, type ContextAsk, composeContext, refuseFaults } from './composer/context.ts';
export { composeTaskPrompt, type PromptAsk, type TaskPrompt } from './composer/prompt.ts';
export { renderHeader } from './composer/render.ts';
export { composeSessionState, keepSessionState, type SessionState } from './composer/session-state.ts';
export { foundOr, type Sources, type TaskFile } from './composer/sources.ts';
export { composeStartupContext, type Startup, type StartupAsk } from './composer/startup.ts';
export { type Config, loadConfig, readConfig } from './config.ts';
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
} from './core/agent.ts';
export {
  type AttemptRecord,
  type AttemptStore,
  type ExecutionContext,
  type ExitReason,
  executionContext,
} from './core/attempt.ts';
export {
  advance as advanceBreaker,
  availability,
  type BreakerEvent,
  type BreakerRecord,
  type BreakerRules,
  DEFAULT_BREAKER_RULES,
} from './core/breaker.ts';
export type { Changes, Observer, Snapshot } from './core/changes.ts';
export { classify } from './core/classify.ts';
export type { Clock } from './core/clock.ts';
export type { Continuity } from './core/continuity.ts';
export { type DeliveryRecord, PRIORITIES, type Priority, type Stage } from './core/delivery.ts';
export { advance as advanceDelivery, type DeliveryRules, type Sight } from './core/delivery-machine.ts';
export { measureEffect } from './core/effect.ts';
export { type ErrorCode, type Fault, ForewordError, isForewordError, renderFault } from './core/errors.ts';
export { eventLine } from './core/event-lines.ts';
export type { ForewordEvent, Happening } from './core/events.ts';
export { type ExecutionContexts, executionContexts } from './core/execution-context.ts';
export { detectTaskLoop, fingerprint } from './core/fingerprint.ts';
export {
  buildCircuitBreakerContext,
  buildHelperAgentContext,
  buildRetryContext,
  composeHandover,
  DEFAULT_HANDOVER_SETTINGS,
  type Handover,
  type HandoverInput,
  type HandoverSettings,
} from './core/handover.ts';
export { buildHeader, type Header, type HeaderFacts, type Mode } from './core/header.ts';
export { generateValidationCommands, type HelperAnswer, type HelperCommand } from './core/helper-commands.ts';
export { type InjectionMetrics, injectionTable, measureInjections } from './core/injection-metrics.ts';
export { chooseAgent } from './core/lineup.ts';
export { collectMetrics, foldEvents, newMetrics } from './core/metrics.ts';
export type { Policy } from './core/policy.ts';
export type { ProcessEnd, ProcessRequest, RunProcess } from './core/process.ts';
export { renderPrometheus } from './core/prometheus.ts';
export {
  buildMinimalState,
  buildPrompt,
  composePrompt,
  type MinimalState,
  type Prompt,
  type PromptInput,
} from './core/prompt.ts';
export { type Channel, type Moment, type Outcome, PROOFS, type Proof, type Receipt } from './core/receipt.ts';
export { makeRedactor } from './core/redact.ts';
export { asciiJson, countUnsafe, oneLine, safeText } from './core/safe-text.ts';
export type { Screen } from './core/screen.ts';
export type { CodeSearch, IndexReport, SearchHit } from './core/search.ts';
export { wordsOf } from './core/search-words.ts';
export type { SessionRecord } from './core/session.ts';
export type { Observed } from './core/source.ts';
export type { Durability, Entry, Log, StoreKind, Stores, Version, Versioned } from './core/stores.ts';
export {
  type Check,
  type Claim,
  type Criterion,
  FINISHED,
  type Task,
  type TaskRecord,
  type TaskStatus,
  type TaskStore,
} from './core/task.ts';
export { nextStep, type Step } from './core/task-machine.ts';
export { renderTemplate, TEMPLATE_TOKENS, type TemplateValues } from './core/template.ts';
export type { Terminal, TerminalExit, TerminalSize, TerminalStart } from './core/terminal.ts';
export { estimateTokens } from './core/tokens.ts';
export { type CriterionResult, type Verdict, validationErrors, verdictOf } from './core/verdict.ts';
export type { Workplace } from './core/workplace.ts';
export type { Hands, RunSettings } from './supervisor/hands.ts';
export { type RunReport, runTasks } from './supervisor/run.ts';
export { openPty } from './terminals/pty.ts';
export { openTmux } from './terminals/tmux.ts';
export { exportLines, importLines, openProject, type Project, type ProjectOptions } from './wire.ts';
export {
  AgentReadinessDetector,
  type ContextInjectionConfig,
  ContextInjector,
  type ReadinessSignal,
  type StartupContext,
} from './wire-injector.ts';
export { type PreparedRun, prepareRun, type RunOptions } from './wire-run.ts';
