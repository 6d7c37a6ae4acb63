// The part of an xray that runs inside the namespaces: the loopback model, the agent in a terminal, and the session. It leaves what the
// model was given in a file.

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { SETUPS } from '../../agents/setups.ts';
import { ForewordError } from '../../kernel/errors.ts';
import { replaceFile } from '../../system/files/atomic.ts';
import { AgentNotReady, type DriverPorts, driveAgent } from '../agent-driver.ts';
import { chooseAgents } from '../choose-agents.ts';
import { recipeFor } from '../lab/recipe.ts';
import { versionIn } from '../measurement.ts';
import { fieldsOf } from '../model/json.ts';
import { startModel } from '../model/server.ts';
import type { SettingsFormats } from './copy-setup.ts';
import { playSession } from './play-session.ts';
import type { XrayMoment, XrayRequest } from './recording.ts';
import { merged } from './rewrite-settings.ts';

/** What the process outside asks for, as JSON in a file. */
export interface InsidePlan {
  readonly agent: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly path: readonly string[];
  readonly home: string;
  readonly project: string;
  readonly cwd: string;
  readonly temporary: string;
  /** Where the answer goes. */
  readonly answer: string;
}

export interface InsideAnswer {
  readonly version: string;
  readonly requests: readonly XrayRequest[];
  readonly missed: readonly { readonly moment: XrayMoment; readonly why: string }[];
  /** Why there was no session at all. */
  readonly fault?: string;
}

const VERSION_MS = 30_000;
/** Two sessions start at once, with hooks and servers of the person's, perhaps on a busy machine. */
const BLANK_MS = 90_000;

/** Progress is one line of JSON for each step on standard output. Returns the exit code. */
export async function recordInside(planFile: string, ports: DriverPorts, formats: SettingsFormats): Promise<number> {
  const plan = JSON.parse(readFileSync(planFile, 'utf8')) as InsidePlan;
  const [agent] = chooseAgents([plan.agent]);
  const recipe = recipeFor(plan.agent);
  if (agent === undefined || recipe === undefined)
    throw new ForewordError('internal', `There is no agent ${plan.agent}.`);
  const model = await startModel({ directives: false });
  const place = { home: plan.home, project: plan.project, modelUrl: model.url };
  const nothing = new Set<never>();
  const files = [recipe.files(place, nothing), SETUPS[plan.agent]?.session?.files?.(place) ?? {}];
  for (const [file, text] of files.flatMap(Object.entries<string>)) writeMerged(file, text, formats);
  const env = {
    PATH: plan.path.join(delimiter),
    HOME: plan.home,
    TMPDIR: plan.temporary,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    SHELL: '/bin/sh',
    USER: 'xray',
    // Servers that are started by these need no network when they are in the caches.
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
    UV_OFFLINE: '1',
    ...recipe.env(place, nothing),
  };
  const start = {
    command: [
      plan.program,
      ...agent.interactive.command.slice(1),
      ...recipe.terminalArgs(nothing),
      ...(recipe.vouchArgs ?? []),
      ...plan.args,
    ] as [string, ...string[]],
    cwd: plan.cwd,
    env,
    agent: agent.interactive,
    blankMs: BLANK_MS,
  };
  const version = await versionOf(plan.program, env);
  const answer = (rest: Omit<InsideAnswer, 'version'>) =>
    replaceFile(plan.answer, JSON.stringify({ version, ...rest }), { mode: 0o600 });
  try {
    const played = await playSession({
      model,
      recipe: { ...recipe, ...SETUPS[plan.agent]?.session },
      clock: ports.clock,
      open: () => driveAgent(start, ports),
      playing: (moment) => process.stdout.write(`${JSON.stringify({ moment, version })}\n`),
    });
    answer(played);
    return 0;
  } catch (error) {
    if (!(error instanceof AgentNotReady)) throw error;
    answer({ requests: [], missed: [], fault: error.message });
    return 1;
  } finally {
    await model.close();
  }
}

/** What leads the agent to the model counts before what the person set. */
function writeMerged(file: string, text: string, { parse, print }: SettingsFormats): void {
  const before = existsSync(file) ? parse(readFileSync(file, 'utf8'), file) : undefined;
  mkdirSync(dirname(file), { recursive: true });
  const own = parse(text, file);
  const isJoined = before !== undefined && own !== undefined;
  replaceFile(file, isJoined ? print(fieldsOf(merged(before, own)), file) : text, { mode: 0o600 });
}

function versionOf(program: string, env: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, ['--version'], { env, timeout: VERSION_MS }, (_error, stdout, stderr) =>
      resolve(versionIn(stdout || stderr) ?? 'unknown'),
    );
  });
}
