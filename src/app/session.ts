// Joins live sessions to what is real: agents, terminals, transcripts, instruction files, the store. Loaded only by
// commands that deal with sessions.

import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { composeStartupContext } from '../context/compose-startup.ts';
import { fileLine, freeCode, hookText, noticeLine, typedText } from '../context/texts/delivery-text.ts';
import { plugInFor } from '../install/plug-in.ts';
import { quote } from '../install/shell-command.ts';
import type { Agent, Interactive } from '../kernel/agent.ts';
import type { DeliveryRecord } from '../kernel/delivery.ts';
import { type Fault, ForewordError } from '../kernel/errors.ts';
import { nearest } from '../kernel/nearest.ts';
import type { Channel, Proof } from '../kernel/receipt.ts';
import { refuseSelfMatching } from '../sessions/acknowledgement.ts';
import { type LaunchPlan, PLAIN_LAUNCH } from '../sessions/channels/channel.ts';
import {
  blockPaths,
  type ChosenInstructionFile,
  chooseInstructionFile,
  INSTRUCTION_FILES,
  instructionRuleFor,
} from '../sessions/channels/file/instruction-file.ts';
import { existingInstructionFiles, removeExpired, writeBlock } from '../sessions/channels/file/managed-block-file.ts';
import { launchWithPrompt } from '../sessions/channels/flag.ts';
import { inTheWay } from '../sessions/channels/hook/launch-hook.ts';
import { launchWithHooks } from '../sessions/channels/hook.ts';
import type { DeliveryRules } from '../sessions/delivery/step.ts';
import { chooseWaysIn, requiredProofBy, type WaysIn } from '../sessions/ways-in.ts';
import { definedOnly, environment } from '../system/environment.ts';
import { replaceFile } from '../system/files/atomic.ts';
import { ensureFolder } from '../system/files/project.ts';
import { ownFile, type SessionPlace, stateFolder } from '../system/files/project-state.ts';
import { newDeliveryId } from '../system/ids.ts';
import { compilePattern, makeLineMatcher } from '../system/patterns/linear.ts';
import { findProgram } from '../system/processes/find-program.ts';
import { sha256 } from '../system/sha256.ts';
import { orderLadder } from '../verify/measurement.ts';
import { measurementOf, readResults } from '../verify/results.ts';
import { keepNote } from './places.ts';
import type { Project } from './project.ts';
import { agentsOf } from './run.ts';

export interface StartOptions {
  readonly agent: string;
  /** The person's own arguments for the agent. */
  readonly args: readonly string[];
  readonly channel?: Channel | undefined;
  readonly hasContext: boolean;
  /** The proof somebody waits for, if more than is usual. */
  readonly wait?: Proof | undefined;
  /** A proof that is waited for without a person: the way in must not depend on somebody's first prompt. */
  readonly isUnattended: boolean;
  /** As the person named it. */
  readonly config: string | undefined;
}

/** Everything decided before the agent is started. */
export interface PreparedSession {
  readonly id: string;
  readonly agent: Agent & { readonly interactive: Interactive };
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** The startup delivery; absent with --no-context. */
  readonly startup?: { readonly id: string; readonly text: string; readonly code: string } & WaysIn;
  readonly required: Proof;
}

export async function prepareSession(
  project: Project,
  options: StartOptions,
  place: SessionPlace,
): Promise<PreparedSession> {
  const agent = interactiveAgent(project, options.agent);
  const [name, ...ownArgs] = agent.interactive.command;
  // A session within a session has a context of its own, or none.
  const { FOREWORD_CONTEXT_FILE: _, ...env } = environment();
  const program = findProgram(name, { path: env.PATH ?? '', cwd: project.cwd });
  if (program === undefined) {
    throw new ForewordError('missing-program', `${agent.name} is not installed: there is no ${name} on the PATH.`, {
      hint: 'Install it, or start another agent; foreword doctor lists those that are there.',
    });
  }
  const now = new Date(project.clock.now()).toISOString();
  // Those of sessions that died. What is refused is left for `foreword clean`, which says why.
  removeExpired(project.root, now, blockPaths(project.config.agents));
  const startup = options.hasContext ? await composeStartup(project, agent, { ...options, program }) : undefined;
  const hooks = hooksOf(agent, place.folder, options.args);
  const launch = startup === undefined ? hooks : launchOf(agent, hooks, startup);
  for (const file of launch.files) {
    mkdirSync(dirname(file.path), { recursive: true, mode: 0o700 });
    replaceFile(file.path, file.content, { mode: 0o600 });
  }
  if (startup?.launched === 'hook')
    replaceFile(place.context, JSON.stringify({ id: startup.id, text: hookText(startup) }), { mode: 0o600 });
  keepNote(project, place, options.config);
  return {
    id: place.id,
    agent,
    command: [program, ...ownArgs, ...options.args, ...argumentsForFile(project, agent, startup), ...launch.args],
    env: {
      ...definedOnly(env),
      ...launch.set,
      FOREWORD_SESSION: place.id,
      FOREWORD_SOCKET: place.socket,
      ...(startup?.launched === 'hook' ? { FOREWORD_CONTEXT_FILE: place.context } : {}),
    },
    ...(startup === undefined ? {} : { startup }),
    required: requiredProof(project, agent.interactive),
  };
}

/** Throws `bad-usage` when there is no such agent or it has no terminal interface that is known. */
export function interactiveAgent(project: Project, name: string): Agent & { readonly interactive: Interactive } {
  const agents = agentsOf(project);
  checkOwnPatterns(project);
  const agent = agents.find((one) => one.name === name);
  if (agent?.interactive !== undefined) return { ...agent, interactive: withPatterns(project, agent.interactive) };
  const able = agents.filter((one) => one.interactive !== undefined).map((one) => one.name);
  const meant = nearest(name, able);
  throw new ForewordError('bad-usage', `There is no agent "${name}" that can be started in a terminal.`, {
    hint: meant === undefined ? `There are ${able.join(', ')}.` : `Did you mean ${meant}?`,
  });
}

/** A pattern that finds something in what we send would be true of every delivery: nothing would be proved by it. */
function checkOwnPatterns(project: Project): void {
  const { acknowledgmentPatterns, readinessPatterns } = project.config.injection;
  const match = makeLineMatcher();
  const said = { id: newDeliveryId(), text: '' };
  const sample = { ...said, code: newCode(said) };
  const sent = [
    typedText(sample),
    typedText({ id: sample.id, text: '' }),
    fileLine('AGENTS.md'),
    noticeLine('AGENTS.md'),
  ];
  const settings = { acknowledgmentPatterns, readinessPatterns };
  const faults = Object.entries(settings).flatMap(([name, patterns]): Fault[] => [
    ...patterns.flatMap((pattern) => {
      const compiled = compilePattern(pattern);
      const message =
        'fault' in compiled ? `${pattern} is not a pattern that always ends in time: ${compiled.fault}.` : '';
      return message === '' ? [] : [{ where: 'configuration', path: `injection.${name}`, message }];
    }),
    ...refuseSelfMatching(patterns, sent, match).map(({ pattern, line }) => ({
      where: 'configuration',
      path: `injection.${name}`,
      message: `${pattern} matches what foreword itself sends: ${line}`,
    })),
  ]);
  if (faults.length === 0) return;
  throw new ForewordError('bad-config', 'A pattern of the configuration cannot be used.', {
    hint: 'Mend it so that only the agent can print what it matches.',
    faults,
  });
}

/** A person's own patterns for ready come after all others: they never outrank a dialog. */
function withPatterns(project: Project, interactive: Interactive): Interactive {
  const further = project.config.injection.readinessPatterns.map((bottom) => ({ state: 'ready', bottom }) as const);
  return further.length === 0 ? interactive : { ...interactive, screens: [...interactive.screens, ...further] };
}

export function requiredProof(project: Project, interactive: Interactive): Proof {
  return requiredProofBy(interactive, { needsReply: project.config.injection.requireAcknowledgment });
}

export function deliveryRules(project: Project, interactive: Interactive): DeliveryRules {
  const { injection } = project.config;
  return {
    stableMs: 300,
    personMs: 3000,
    submitDelayMs: interactive.submit.delayMs,
    readinessTimeoutMs: injection.readinessTimeoutMs,
    retryBackoffs: injection.retryBackoffs,
    fileFallbackAfterAttempts: injection.fileFallbackAfterAttempts,
    sendNotificationOnFailure: injection.sendNotificationOnFailure,
  };
}

async function composeStartup(
  project: Project,
  agent: PreparedSession['agent'],
  options: StartOptions & { readonly program: string },
): Promise<NonNullable<PreparedSession['startup']>> {
  const text = await startupText(project);
  const id = newDeliveryId();
  const code = newCode({ id, text });
  // Whoever names a way in means it; else what this version was seen to lose comes after what it was seen to take.
  const ladder = options.channel === undefined ? ladderFor(agent, options.program) : agent.interactive.ladder;
  const ways = chooseWaysIn(
    { ...agent.interactive, ladder },
    {
      first: options.channel,
      isUnattended: options.isUnattended,
      hasHooks: hookObstacle(agent.interactive, options.args) === undefined,
      needsReply: project.config.injection.requireAcknowledgment,
      wait: options.wait,
    },
  );
  if (ways !== undefined) return { id, text, code, ...ways };
  throw new ForewordError('bad-usage', `${agent.name} cannot be reached by ${options.channel}.`, {
    hint: `It takes ${agent.interactive.ladder.join(', ')}.`,
  });
}

/** In the order of the data, or as measured. Nothing is started for it: the program is recognised by its file. */
function ladderFor({ name, interactive }: PreparedSession['agent'], program: string): readonly Channel[] {
  const measured = measurementOf(readResults(stateFolder(environment(), homedir())), name, program);
  return orderLadder(interactive.ladder, measured);
}

/** What a new session is told; faults of files and of the store are named in it. */
export async function startupText(project: Project): Promise<string> {
  const { config } = project;
  const unavailable: string[] = [];
  const stores = await project.readStores().catch(async (error: unknown) => {
    unavailable.push(`the store (${error instanceof Error ? error.message : String(error)})`);
    return project.emptyStores();
  });
  const { text } = await composeStartupContext({
    sources: project.sources,
    stores,
    unavailable,
    redact: project.redact,
    now: project.clock.now(),
    recentSec: config.context.recentSec,
    mode: 'propose',
    taskId: undefined,
    budgetChars: config.startup.budgetChars,
    maxHits: config.startup.maxHits,
    search: config.startup.maxHits > 0 ? project.codeSearch : undefined,
  });
  return text.trimEnd();
}

function launchOf(
  agent: PreparedSession['agent'],
  hooks: LaunchPlan,
  startup: NonNullable<PreparedSession['startup']>,
): LaunchPlan {
  if (startup.launched !== 'flag') return hooks;
  const prompt = launchWithPrompt(agent.interactive, typedText(startup)) ?? PLAIN_LAUNCH;
  return { args: [...hooks.args, ...prompt.args], set: { ...hooks.set, ...prompt.set }, files: hooks.files };
}

/** Our hooks are in every session that takes them: they report what reached the agent, and carry the gate. They give way
 *  to what a person set for the same purpose. */
function hooksOf(agent: PreparedSession['agent'], folder: string, args: readonly string[]): LaunchPlan {
  if (hookObstacle(agent.interactive, args) !== undefined) return PLAIN_LAUNCH;
  const words = (event: string): readonly [string, ...string[]] => [hookScript(), event, agent.name];
  const command = (event: string): string => words(event).map(quote).join(' ');
  const plugIn = plugInFor(agent.name, words);
  return launchWithHooks(agent.interactive, { folder, command, plugIn, sha256 }) ?? PLAIN_LAUNCH;
}

/** What stands in the way of our hooks; `undefined` when nothing does. */
function hookObstacle(interactive: Interactive, args: readonly string[]): string | undefined {
  const hook = interactive.launch?.hook;
  if (hook === undefined) return 'it takes no hooks at launch';
  return inTheWay(hook, { args, env: environment(), isThere: existsSync });
}

/** Some agents read an instruction file only when the launch names it and it is there by then: then it is, and empty. It
 *  stays so, in our own folder, for the next session. */
function argumentsForFile(project: Project, agent: Agent, startup: PreparedSession['startup']): readonly string[] {
  if (startup?.ladder.includes('file') !== true) return [];
  const chosen = instructionFileOf(project, agent);
  if (chosen.kind === 'none' || chosen.needsArguments === undefined) return [];
  const file = join(project.root, chosen.path);
  if (chosen.creates) {
    ensureFolder(project.root);
    replaceFile(ownFile(project.root, basename(chosen.path)), '');
  }
  return chosen.needsArguments.map((word) => (word === chosen.path ? file : word));
}

function instructionFileOf(project: Project, agent: Agent): ChosenInstructionFile {
  const own = agent.interactive?.file;
  const rule = own === undefined ? INSTRUCTION_FILES[agent.name] : instructionRuleFor(own);
  if (rule === undefined) return { kind: 'none', reason: 'no instruction file of this agent is known' };
  return chooseInstructionFile(rule, existingInstructionFiles(project.root));
}

/** The file channel, and the line that follows it. */
export async function writeContextFile(
  project: Project,
  agent: Agent,
  delivery: DeliveryRecord,
): Promise<{ readonly evidence: string; readonly file: string } | { readonly refused: string }> {
  const chosen = instructionFileOf(project, agent);
  if (chosen.kind === 'none') return { refused: chosen.reason };
  if (chosen.path.startsWith('.foreword/')) ensureFolder(project.root);
  const written = writeBlock(project.root, chosen.path, {
    id: delivery.id,
    body: delivery.text,
    expiresAt: delivery.deadline,
  });
  if (written.kind === 'refused') return { refused: written.reason };
  return { evidence: `${chosen.path} holds it`, file: chosen.path };
}

export { fileLine, newDeliveryId, noticeLine };

export function newCode(said: Pick<DeliveryRecord, 'id' | 'text'>): string {
  return freeCode(said, () => randomBytes(8));
}

/** The script that agents run as a hook; it lies beside the command. */
function hookScript(): string {
  return join(__dirname, '../hook/foreword-hook');
}
