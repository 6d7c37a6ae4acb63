// The prompt of an attempt: what context/ composes for the task, with the hand-over apart from the rest, since a run
// stores both and may leave the hand-over out.

import type { Handover, HandoverSettings } from '../../context/handover/handover.ts';
import type { HeaderEnv } from '../../context/header.ts';
import type { Sources } from '../../context/sources/port.ts';
import type { Fault } from '../../kernel/errors.ts';
import type { NewEvent } from '../../kernel/events.ts';
import type { Observed } from '../../kernel/source.ts';
import type { Stores } from '../../kernel/stores.ts';
import type { Task } from '../../kernel/task.ts';
import { sha256 } from '../../system/sha256.ts';
import type { FoundRepository } from '../workplaces/workplace.ts';

export interface PromptRequest {
  readonly task: Task;
  readonly agent: string;
  readonly cwd: string;
  /** The agent's checkout; without it the prompt shows the person's repository. */
  readonly repository?: FoundRepository;
  /** `engineer` when absent. */
  readonly role?: RunRole;
  /** For a reviewer: what the work changed. */
  readonly change?: string;
  /** Where the agent works. */
  readonly env?: HeaderEnv;
}

/** The roles that a run composes prompts for. */
export type RunRole = 'engineer' | 'reviewer';

export interface RunPrompt {
  /** Without the hand-over; with the project's rules at its end. */
  readonly original: string;
  readonly handover: Handover;
  /** What it shows of the project, with the hash of its rules. */
  readonly shown: unknown;
  /** In place of `original`, for a session that was shown the value given. */
  changedSince(shown: unknown): string;
  readonly buildMs: number;
}

/** `composeTaskPrompt` of context/compose-prompt.ts, as far as a run uses it. */
export type ComposeTaskPrompt = (
  ask: PromptFacts & {
    readonly now: number;
    readonly task: Task;
    readonly taskId: string;
    readonly role: RunRole;
    readonly template: { readonly text: string; readonly where: string } | undefined;
    readonly agent: string;
    readonly workingDirectory: string;
    readonly change?: string | undefined;
    readonly env?: HeaderEnv | undefined;
    readonly isAnyway: true;
  },
) => Promise<Omit<RunPrompt, 'buildMs'> & { readonly faults: readonly Fault[] }>;

/** What stays the same from attempt to attempt. */
interface PromptFacts {
  readonly sources: Sources;
  readonly stores: Stores;
  readonly redact: (text: string) => string;
  readonly recentSec: number;
  readonly project: string;
  readonly historySize: number;
  readonly maxBlockers: number;
  readonly handover: HandoverSettings;
}

export interface PromptComposer {
  readonly facts: PromptFacts;
  readonly compose: ComposeTaskPrompt;
  /** Read for each attempt, so that a person can change it while a run goes on. */
  template(role: RunRole): { readonly text: string; readonly where: string } | undefined;
  /** Stands behind the prompt. */
  rules(): Promise<string>;
  now(): number;
  emit(event: NewEvent): Promise<void>;
}

/** Broken sources are left out, with one event for each file. Throws `bad-input` for a wrong template. */
export async function composeRunPrompt(by: PromptComposer, request: PromptRequest): Promise<RunPrompt> {
  const startedAt = performance.now();
  const { role = 'engineer' } = request;
  const { original, handover, shown, changedSince, faults } = await by.compose({
    ...by.facts,
    sources: sourcesIn(by.facts.sources, request.repository),
    now: by.now(),
    task: request.task,
    taskId: request.task.task_id,
    role,
    template: by.template(role),
    change: request.change,
    env: request.env,
    agent: request.agent,
    workingDirectory: request.cwd,
    isAnyway: true,
  });
  for (const [source, messages] of messagesByFile(faults)) {
    await by.emit({ kind: 'source-unavailable', source, reason: messages.join('; ') });
  }
  const rules = await by.rules();
  const named = rules === '' ? {} : { rules: sha256(rules) };
  const behind = (text: string) => (rules === '' ? text : `${text.trimEnd()}\n\n${rules}\n`);
  return {
    original: behind(original),
    handover,
    shown: { ...asFields(shown), ...named },
    changedSince: (before) =>
      asFields(before).rules === named.rules ? changedSince(before) : behind(changedSince(before)),
    buildMs: performance.now() - startedAt,
  };
}

function asFields(value: unknown): { readonly rules?: unknown } {
  return typeof value === 'object' && value !== null ? value : {};
}

/** Notes, tasks and policy are the project's; what git shows is the checkout's. */
function sourcesIn(sources: Sources, repository: FoundRepository | undefined): Sources {
  if (repository === undefined) return sources;
  return { ...sources, git: () => observed(repository.head()), changed: () => observed(repository.changed()) };
}

const CHECKOUT = 'the checkout';

async function observed<T>(look: Promise<T>): Promise<Observed<T>> {
  try {
    return { kind: 'found', from: CHECKOUT, value: await look };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { kind: 'unavailable', from: CHECKOUT, faults: [{ where: CHECKOUT, path: '', message }] };
  }
}

function messagesByFile(faults: readonly Fault[]): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const { where, message } of faults) files.set(where, [...(files.get(where) ?? []), message]);
  return files;
}
