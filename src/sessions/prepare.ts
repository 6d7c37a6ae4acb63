// Prepares a session: finds the agent's program, composes its startup context, and writes what the launch needs, and how the
// session was started, into its folder. Nothing is started yet.

import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { commandsLine, hookText } from '../context/texts/delivery-text.ts';
import type { Agent } from '../kernel/agent.ts';
import { ForewordError } from '../kernel/errors.ts';
import type { SessionPlace } from '../kernel/session.ts';
import { definedOnly, type Environment } from '../system/environment.ts';
import { replaceFile } from '../system/files/atomic.ts';
import { newDeliveryId } from '../system/ids.ts';
import { makeLineMatcher } from '../system/patterns/linear.ts';
import { findProgram } from '../system/processes/find-program.ts';
import type { Measurement } from '../verify/measurement.ts';
import { PLAIN_LAUNCH } from './channels/channel.ts';
import { blockPaths } from './channels/file/instruction-file.ts';
import { removeExpired } from './channels/file/managed-block-file.ts';
import { argumentsForFile } from './context-file.ts';
import { newCode, newWord } from './new-delivery.ts';
import { patternFault } from './pattern-fault.ts';
import { keepNote } from './places.ts';
import { checkPatterns, chooseAgent, requiredProof } from './prepare-agent.ts';
import {
  agentEnvironment,
  canTakeHooks,
  type HookTexts,
  hookLaunch,
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
  readonly startupText: () => Promise<string>;
  /** What `foreword verify` found out about this program, if it did. */
  readonly measured: (agent: string, program: string) => Measurement | undefined;
  readonly hooks: HookTexts;
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
  const hasHooks = canTakeHooks(agent.interactive, { args: request.args, env, isThere: existsSync });
  const word = canShowAnswers(agent) ? {} : { commandWord: newWord() };
  const startup = request.hasContext
    ? await startupOf(parts, agent, { ...request, program, hasHooks, ...word })
    : undefined;
  const hooks = hasHooks ? hookLaunch(agent, place.folder, parts.hooks) : PLAIN_LAUNCH;
  const launch = withStartup(agent, hooks, startup);
  for (const file of launch.files) {
    mkdirSync(dirname(file.path), { recursive: true, mode: 0o700 });
    replaceFile(file.path, file.content, { mode: 0o600 });
  }
  const contextFile = startup?.launched === 'hook' ? place.context : undefined;
  if (startup !== undefined && contextFile !== undefined)
    replaceFile(contextFile, JSON.stringify({ id: startup.id, text: hookText(startup) }), { mode: 0o600 });
  const fileArgs = argumentsForFile(project.root, agent, startup);
  keepNote(project, place, { config: request.config, ...word });
  return {
    id: place.id,
    place,
    agent,
    command: [program, ...ownArgs, ...request.args, ...fileArgs, ...launch.args],
    env: agentEnvironment(definedOnly(env), launch, { ...place, contextFile }),
    ...(startup === undefined ? {} : { startup }),
    required: requiredProof(agent.interactive, project.config.injection),
    ...word,
  };
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
  request: StartRequest & { readonly program: string; readonly hasHooks: boolean; readonly commandWord?: string },
): Promise<SessionStartup> {
  const channels = startupChannels(agent, request, {
    hasHooks: request.hasHooks,
    needsReply: parts.project.config.injection.requireAcknowledgment,
    measured: () => parts.measured(agent.name, request.program),
  });
  const facts = await parts.startupText();
  const text = request.commandWord === undefined ? facts : `${facts}\n\n${commandsLine(request.commandWord)}`;
  const id = newDeliveryId();
  return { id, text, code: newCode({ id, text }), ...channels };
}
