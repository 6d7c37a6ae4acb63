// Prepares a session: finds the agent's program, composes its startup context, and writes what the launch needs, and how the
// session was started, into its folder. Nothing is started yet.

import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { commandsLine, hookText } from '../context/texts/delivery-text.ts';
import type { Agent } from '../kernel/agent.ts';
import { ForewordError } from '../kernel/errors.ts';
import type { SessionPlace } from '../kernel/session.ts';
import { definedOnly, type Environment } from '../system/environment.ts';
import { replaceFile } from '../system/files/atomic.ts';
import { readTextFile } from '../system/files/read-text.ts';
import { newDeliveryId } from '../system/ids.ts';
import { makeLineMatcher } from '../system/patterns/linear.ts';
import { findProgram } from '../system/processes/find-program.ts';
import { versionOfProgram } from '../system/processes/program-version.ts';
import type { Measurement } from '../verify/measurement.ts';
import { PLAIN_LAUNCH } from './channels/channel.ts';
import { blockPaths } from './channels/file/instruction-file.ts';
import { removeExpired } from './channels/file/managed-block-file.ts';
import { canTakeServer } from './channels/mcp.ts';
import { argumentsForFile } from './context-file.ts';
import { isFolderTrusted } from './folder-trust.ts';
import { newCode, newWord } from './new-delivery.ts';
import { ownStart, resumedSession, withOurArguments } from './own-arguments.ts';
import { patternFault } from './pattern-fault.ts';
import { keepNote } from './places.ts';
import { checkPatterns, chooseAgent, knownVersion, requiredProof } from './prepare-agent.ts';
import {
  agentEnvironment,
  canTakeHistory,
  canTakeHooks,
  type HookTexts,
  hookLaunch,
  serverEnvironment,
  startupChannels,
  withStartup,
} from './prepare-launch.ts';
import type { InteractiveAgent, PreparedSession, SessionStartup, StartRequest } from './prepared.ts';
import type { SessionProject } from './project.ts';

export interface AgentParts {
  readonly project: Pick<SessionProject, 'config'>;
  /** The known agents, those of the configuration included. */
  readonly agents: () => readonly Agent[];
}

export interface PrepareParts extends AgentParts {
  readonly project: Pick<SessionProject, 'root' | 'cwd' | 'config' | 'clock'>;
  readonly env: Environment;
  /** For this agent, and the older session of it that the launch goes on in. */
  readonly startupText: (agent: string, resumed?: string) => Promise<string>;
  /** What `foreword verify` found out about this program, if it did. */
  readonly measured: (agent: string, program: string) => Measurement | undefined;
  readonly hooks: HookTexts;
  /** Our MCP server for a project, as a program and its arguments. */
  readonly server: (root: string) => readonly [string, ...string[]];
  /** Where our hooks of an agent are installed, and what is wrong with them. */
  readonly installedHooks: () => Promise<readonly InstalledState[]>;
}

export interface InstalledState {
  readonly agent: string;
  readonly state: string;
  readonly detail?: string;
}

/** Throws `bad-usage` for an agent or channel that does not exist, `bad-config` for a pattern that cannot be used, and
 *  `missing-program` when the agent is not installed. */
export async function prepareSession(
  parts: PrepareParts,
  request: StartRequest,
  place: SessionPlace,
): Promise<PreparedSession> {
  const { project, env } = parts;
  const agent = interactiveAgent(parts, request.agent);
  const program = programOf(agent, parts);
  const [, ...ownArgs] = agent.interactive.command;
  // Blocks of sessions that died. One that cannot be removed is left for `foreword clean`, which prints the reason.
  const now = new Date(project.clock.now()).toISOString();
  removeExpired(project.root, now, blockPaths(project.config.agents));
  const takesHooks = canTakeHooks(agent.interactive, { args: request.args, env, isThere: existsSync });
  const hasHooks = takesHooks || (await hasInstalledHooks(parts, agent));
  const word = canShowAnswers(agent) ? {} : { commandWord: newWord() };
  const version = versionOfProgram(program);
  const startup = request.hasContext
    ? await startupOf(parts, agent, { ...request, program, version, hasHooks, ...word })
    : undefined;
  const hooks = takesHooks ? hookLaunch(agent, place.folder, parts.hooks) : PLAIN_LAUNCH;
  const server = { words: parts.server(project.root), env: serverEnvironment(place), quote: parts.hooks.quote };
  const launch = withStartup(agent, hooks, { startup, folder: place.folder, now, server });
  for (const file of launch.files) {
    mkdirSync(dirname(file.path), { recursive: true, mode: 0o700 });
    replaceFile(file.path, file.content, { mode: 0o600 });
  }
  const contextFile = startup?.launched === 'hook' ? place.context : undefined;
  if (startup?.launched === 'hook' || startup?.launched === 'mcp') {
    const given = { id: startup.id, text: hookText(startup), commands: commandsLine(word.commandWord) };
    replaceFile(place.context, JSON.stringify(given), { mode: 0o600 });
  }
  const fileArgs = argumentsForFile(project.root, agent, startup);
  keepNote(project, place, { config: request.config, hasHooks, ...word });
  return {
    id: place.id,
    place,
    agent,
    command: [program, ...ownArgs, ...withOurArguments(request.args, [...fileArgs, ...launch.args])],
    env: agentEnvironment(definedOnly(env), launch, { ...place, contextFile }),
    ...(startup === undefined ? {} : { startup }),
    required: requiredProof(agent.interactive, project.config.injection),
    hasHooks,
    ...(request.from === undefined ? {} : { from: request.from }),
    version: {
      ...knownVersion(agent, {
        version,
        isTried: () => parts.measured(agent.name, program) !== undefined,
      }),
      ...lateQuestion(parts, agent, request.args),
    },
    isUnused: !isPrompted(startup) && ownStart(request.args, agent.interactive.launch?.own) === 'nothing',
    ...word,
  };
}

/** The launch begins a turn with it. */
function isPrompted(startup: SessionStartup | undefined): boolean {
  return startup?.launched === 'flag' && startup.awaitsPrompt !== true;
}

/** How long its question about trust may follow its composer; nothing where it will not ask, or asks first. */
function lateQuestion(
  parts: PrepareParts,
  agent: InteractiveAgent,
  args: readonly string[],
): { asksWithinMs?: number } {
  const asksWithinMs = agent.interactive.launch?.promptNeedsTrust?.asksWithinMs;
  return asksWithinMs === undefined || isTrustedFor(parts, agent, args) ? {} : { asksWithinMs };
}

function isTrustedFor(parts: PrepareParts, agent: InteractiveAgent, args: readonly string[]): boolean {
  const { cwd } = parts.project;
  const folder = existsSync(cwd) ? realpathSync(cwd) : cwd;
  return isFolderTrusted(agent.interactive.launch?.promptNeedsTrust, { folder, args, env: parts.env, readJson });
}

/** Those of an agent that takes none at its launch. Where they run, they print the context as well. */
async function hasInstalledHooks(
  { installedHooks }: PrepareParts,
  { name, interactive }: InteractiveAgent,
): Promise<boolean> {
  if (interactive.launch?.hook !== undefined) return false;
  return (await installedHooks()).some(({ agent, state, detail }) => agent === name && state === 'in place' && !detail);
}

/** `undefined` for a file that is not there or holds something else. */
function readJson(path: string): unknown {
  const read = readTextFile(path);
  try {
    return read.kind === 'text' ? JSON.parse(read.text) : undefined;
  } catch {
    return undefined;
  }
}

/** Its transcript shows what the model itself answered; on a screen that cannot be seen. */
function canShowAnswers({ interactive }: InteractiveAgent): boolean {
  return interactive.proofs.includes('served');
}

/** Throws as `prepareSession`. */
export function interactiveAgent({ agents, project }: AgentParts, name: string): InteractiveAgent {
  const known = agents();
  const { injection } = project.config;
  const empty = { id: newDeliveryId(), text: '' };
  checkPatterns(injection, { match: makeLineMatcher(), faultOf: patternFault }, { ...empty, code: newCode(empty) });
  return chooseAgent(known, name, injection);
}

function programOf(agent: InteractiveAgent, { project, env }: PrepareParts): string {
  const [name] = agent.interactive.command;
  const program = findProgram(name, { path: env.PATH ?? '', cwd: project.cwd });
  if (program !== undefined) return program;
  throw new ForewordError('missing-program', `${agent.name} is not installed: there is no ${name} on the PATH.`, {
    hint: 'Install it (programs of the project itself do not count), or start another agent; foreword doctor lists those that are there.',
  });
}

async function startupOf(
  parts: PrepareParts,
  agent: InteractiveAgent,
  request: StartRequest & {
    readonly program: string;
    readonly version: string | undefined;
    readonly hasHooks: boolean;
    readonly commandWord?: string;
  },
): Promise<SessionStartup> {
  const { launch } = agent.interactive;
  const channels = startupChannels(agent, request, {
    own: ownStart(request.args, launch?.own),
    isTrusted: isTrustedFor(parts, agent, request.args),
    takesHistory: canTakeHistory(agent.interactive, request),
    takesMcp: canTakeServer(agent.interactive, request.args),
    hasHooks: request.hasHooks,
    needsReply: parts.project.config.injection.requireAcknowledgment,
    measured: () => parts.measured(agent.name, request.program),
  });
  const facts = await parts.startupText(agent.name, resumedSession(request.args, launch?.own));
  const first = request.from === undefined ? [] : [request.from.text];
  const text = [...first, facts, commandsLine(request.commandWord)].join('\n\n');
  const id = newDeliveryId();
  return { id, text, code: newCode({ id, text }), ...channels };
}
