// The whole prompt of a task, from the sources and the store: hand-over, header, task, history.

import type { AttemptRecord } from '../kernel/attempt.ts';
import { type Fault, ForewordError } from '../kernel/errors.ts';
import { mapStrings } from '../kernel/map-strings.ts';
import { FINISHED, type Task } from '../kernel/task.ts';
import type { Finding, ReviewTalk } from '../kernel/verdict.ts';
import { type Context, type ContextAsk, composeContext, refuseFaults } from './compose-context.ts';
import { composeHandover, type Handover, type HandoverSettings } from './handover/handover.ts';
import { withRejection } from './handover/rejection.ts';
import { templateValues } from './header-md.ts';
import { headerYaml } from './header-yaml.ts';
import { buildMinimalState, composePrompt, type Prompt } from './prompt.ts';
import { composeResumed, type ShownPrompt, shownPrompt } from './resumed-prompt.ts';
import { foundOr } from './sources/port.ts';
import { renderTemplate, TEMPLATE_TOKENS, type TemplateValues } from './template.ts';
import { ROLE_TEMPLATES, type Role } from './texts/role-templates.ts';

export interface PromptAsk extends Omit<ContextAsk, 'mode' | 'taskId'> {
  readonly taskId: string;
  readonly role: Role;
  /** A template of the user's own; the role's built-in one when absent. */
  readonly template?: { readonly text: string; readonly where: string } | undefined;
  /** The attempt the prompt is for; the next one when absent. */
  readonly attempt?: number | undefined;
  /** The agent that makes it; when absent, the last agent, or another one if the last could not work. */
  readonly agent?: string | undefined;
  readonly project: string;
  readonly workingDirectory: string;
  readonly historySize: number;
  readonly maxBlockers: number;
  readonly handover: HandoverSettings;
  /** For a reviewer: what the work changed, bounded and between fences. */
  readonly change?: string | undefined;
  /** Continues without broken sources, and names them in the header: for unattended runs. */
  readonly isAnyway?: boolean;
}

export interface TaskPrompt extends Prompt {
  /** Sources that were left out. */
  readonly faults: readonly Fault[];
  readonly attempt: number;
  readonly handover: Handover;
  /** What it shows of the project, for `changedSince`. */
  readonly shown: ShownPrompt;
  /** In place of `original`, for a session that was shown the value given: what changed. */
  changedSince(shown: unknown): string;
}

const HEADER = '{context_header}';

/** Throws `bad-input` with every fault of every source and the template, and `unknown-task`. */
export async function composeTaskPrompt(ask: PromptAsk): Promise<TaskPrompt> {
  const context = await composeContext({ ...ask, mode: ask.role === 'reviewer' ? 'review' : 'propose' });
  const template = ask.template ?? { text: ROLE_TEMPLATES[ask.role], where: `built-in template ${ask.role}` };
  const faults = unknownTokens(template);
  refuseFaults({ faults: ask.isAnyway === true ? faults : [...context.faults, ...faults] });
  const { task } = context;
  if (task === undefined)
    throw new ForewordError('internal', `The task "${ask.taskId}" disappeared while its prompt was composed.`);
  const { attempt, handover, findings } = await handoverFor(ask, task);
  const { tasks } = ask.stores;
  const clean = <T>(value: T): T => mapStrings(value, ask.redact);
  const state = buildMinimalState({
    project: context.project ?? ask.project,
    finished: clean(await tasks.recentFinished(ask.historySize)),
    blocked: clean(await tasks.blocked()),
    historySize: ask.historySize,
    maxBlockers: ask.maxBlockers,
  });
  const lead = await leadOf(ask, context, template);
  const reviewed = clean(findings);
  const prompt = composePrompt({
    task: clean(task),
    state,
    handover,
    workingDirectory: ask.workingDirectory,
    role: ask.role,
    change: ask.change,
    findings: reviewed,
    redact: ask.redact,
    ...lead,
  });
  const hasHeader = lead.header !== undefined;
  const now = { header: context.header, hasHeader, lead: lead.lead, findings: reviewed, state };
  // A run does not show the explanation of a prompt, and making it would list every task once more.
  const more = ask.isAnyway === true ? [] : await alsoLeftOut(ask, context);
  return {
    ...prompt,
    leftOut: [...prompt.leftOut, ...more],
    attempt,
    handover,
    faults: context.faults,
    shown: shownPrompt(now),
    changedSince: (before) => composeResumed(now, before, { redact: ask.redact, render: headerYaml }),
  };
}

/** What the parts themselves do not record: entries cut from the header, and finished tasks beyond the window. */
async function alsoLeftOut(ask: PromptAsk, context: Context): Promise<Prompt['leftOut']> {
  const records = await ask.stores.tasks.list();
  const older = records.filter((record) => FINISHED.includes(record.status)).length - ask.historySize;
  const hasHeader = (ask.template?.text ?? HEADER).includes(HEADER);
  return [
    ...(hasHeader ? [] : [{ what: 'Header', why: `${ask.template?.where} has no ${HEADER}` }]),
    ...(older > 0 ? [{ what: 'older finished tasks', count: older, why: `history.size is ${ask.historySize}` }] : []),
    ...Object.entries(context.header.more ?? {}).map(([name, count]) => ({
      what: `header: ${name}`,
      count,
      why: 'lists in the header have a maximum length',
    })),
  ];
}

/** With the findings of a review that rejected the last attempt, unless a person looked at it since. */
async function handoverFor(
  ask: PromptAsk,
  task: Task,
): Promise<{ attempt: number; handover: Handover; findings: readonly Finding[] }> {
  const stored = await ask.stores.attempts.open(task.task_id);
  const rejected = stored.length === 0 ? undefined : (await ask.stores.tasks.get(task.task_id))?.rejected;
  const open = mapStrings(withRejection(stored, rejected), ask.redact);
  const next = ((await ask.stores.attempts.list(task.task_id)).at(-1)?.attemptNumber ?? 0) + 1;
  const attempt = ask.attempt ?? next;
  if (attempt > next) {
    throw new ForewordError(
      'bad-usage',
      `Task "${task.task_id}" has ${next - 1} recorded attempt(s), so attempt ${attempt} cannot be next.`,
      {
        hint: `--attempt takes 1 to ${next}.`,
      },
    );
  }
  const before = open.filter((record) => record.attemptNumber < attempt);
  const last = before.at(-1);
  const couldNotWork = last?.exitReason === 'circuit_breaker' || last?.exitReason === 'execution_error';
  const handover = composeHandover({
    // Whoever plans is told of attempts by the history, not how to go on with one.
    attempts: ask.role === 'cto' ? [] : before,
    nextAgent: ask.agent ?? last?.provider ?? '',
    occasion: ask.role === 'engineer' ? (ask.agent === undefined && couldNotWork ? 'handover' : undefined) : 'review',
    settings: ask.handover,
    // A person's words always reach the next attempt.
    enable_pre_context: rejected === undefined ? task.options.enable_pre_context : true,
  });
  const review = rejected === undefined && ask.role === 'engineer' ? lastReview(before) : undefined;
  return { attempt, handover, findings: review?.verdict === 'reject' ? review.findings : [] };
}

/** An attempt that was cut off after it changed nothing about what is wrong. */
function lastReview(attempts: readonly AttemptRecord[]): ReviewTalk | undefined {
  return attempts.findLast(({ verdict }) => verdict !== undefined)?.verdict?.review;
}

interface Template {
  readonly text: string;
  readonly where: string;
}

const NO_VALUES = Object.fromEntries(TEMPLATE_TOKENS.map((token) => [token, ''])) as TemplateValues;

function unknownTokens(template: Template): readonly Fault[] {
  const rendered = renderTemplate(template.text, NO_VALUES, template);
  return 'faults' in rendered ? rendered.faults : [];
}

/** For a template that begins with the header, the header is a separate part, so that `--explain` can show both; the
 *  text is the same. */
async function leadOf(ask: PromptAsk, context: Context, template: Template) {
  const header = headerYaml(context.header);
  const faults: Fault[] = [];
  const changed = template.text.includes('{diffstat_md}') ? foundOr(await ask.sources.changed(), [], faults) : [];
  const values = templateValues(context.header, { text: header, changed });
  const isFirst = template.text.startsWith(HEADER);
  const rendered = renderTemplate(isFirst ? template.text.slice(HEADER.length) : template.text, values, template);
  refuseFaults({ faults: 'faults' in rendered ? [...faults, ...rendered.faults] : faults });
  return {
    lead: 'text' in rendered ? rendered.text : '',
    templateSource: template.where,
    header: isFirst ? header : undefined,
  };
}
