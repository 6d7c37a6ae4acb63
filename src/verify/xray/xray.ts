// `foreword xray`: copies the set-up, has it agreed to, runs the agent twice in namespaces of its own (with the set-up and without), and
// puts together what was recorded.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { SETUPS } from '../../agents/setups.ts';
import type { SetupFacts } from '../../kernel/agent-setup.ts';
import { ForewordError } from '../../kernel/errors.ts';
import { type Environment, searchPath } from '../../system/environment.ts';
import { replaceFile } from '../../system/files/atomic.ts';
import { hasGit } from '../../system/files/project.ts';
import { listeningSockets } from '../../system/listening-sockets.ts';
import type { Namespace } from '../../system/network-namespace.ts';
import type { DriverPorts } from '../agent-driver.ts';
import { chooseAgents, requireInstalled } from '../choose-agents.ts';
import type { AgentProgram } from '../programs.ts';
import { programsOf, untilStopped } from '../verify.ts';
import { toolFiles } from './copy-modules.ts';
import { type CopiedSetup, copySetup, type SettingsFormats } from './copy-setup.ts';
import { isBelow, isIn, realOf } from './home-paths.ts';
import { type InsideAnswer, type InsidePlan, recordInside } from './inside.ts';
import { withLoaded } from './loaded-files.ts';
import { broughtBy, type ModuleRecord, withEvents } from './modules.ts';
import { CANNOT_MOUNT, mountScript, RUNTIME } from './mount-script.ts';
import { type Mounts, mountedIn } from './mounted-in.ts';
import { SAID } from './play-session.ts';
import type { HookRun, ServerRun, XrayHook, XrayMoment, XrayRecording, XrayServer } from './recording.ts';
import { quoted } from './rewrite-settings.ts';

export interface XrayRequested {
  /** The first that is installed, when none is named. */
  readonly agent: string | undefined;
  readonly isKept: boolean;
  /** Whether what will be run may run. Called once, before anything runs. */
  agree(planned: PlannedRun): Promise<boolean>;
  progress(what: string): void;
}

/** What an xray runs, for the person who agrees to it. */
export interface PlannedRun {
  readonly agent: string;
  readonly program: string;
  readonly project: string;
  readonly files: number;
  readonly hooks: readonly XrayHook[];
  readonly servers: readonly XrayServer[];
}

export interface Xrayed {
  readonly recording: XrayRecording;
  readonly missed: InsideAnswer['missed'];
  readonly project: string;
  readonly ms: number;
  /** Where the scratch folders are, when they are kept. */
  readonly kept?: string;
}

export interface XrayHost {
  readonly env: Environment;
  readonly cwd: string;
  readonly home: string;
  /** The words that run foreword. */
  readonly command: readonly [string, ...string[]];
  readonly namespaces: () => Namespace;
  readonly ports: DriverPorts;
  readonly formats: SettingsFormats;
}

/** Set for the process inside: the file with its plan. */
const PLAN_VARIABLE = 'FOREWORD_XRAY_PLAN';
const RECORDER = 'verify-xray-recorder-program.cjs';

/** `undefined` when nobody agreed; an exit code from the process inside. Throws `bad-usage` for an agent that is not known or whose set-up is not
 *  known, `missing-program` without the agent or without namespaces. */
export async function xrayAgent(request: XrayRequested, host: XrayHost): Promise<number | Xrayed | undefined> {
  const plan = host.env[PLAN_VARIABLE];
  if (plan !== undefined) return recordInside(plan, host.ports, host.formats);
  const found = findAgent(request.agent, host);
  const facts = SETUPS[found.agent] as SetupFacts;
  const namespaces = host.namespaces();
  if (!namespaces.isAvailable) throw noNamespaces(namespaces.reason);
  const folder = scratchFolder(host.home);
  try {
    return await untilStopped((signal) => measure({ request, host, found, facts, folder, namespaces, signal }));
  } finally {
    if (!request.isKept) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function findAgent(name: string | undefined, host: XrayHost): AgentProgram {
  const known = Object.keys(SETUPS);
  const agents = chooseAgents(name === undefined ? known : [name]);
  const without = agents.find((agent) => !known.includes(agent.name));
  if (without !== undefined)
    throw new ForewordError(
      'bad-usage',
      `foreword xray does not know yet what belongs to a set-up of ${without.name}.`,
      {
        hint: `Use one of ${known.join(', ')}. foreword verify measures ${without.name} without your set-up.`,
      },
    );
  const found = programsOf(agents, host);
  requireInstalled(name === undefined ? [] : [name], found);
  return found[0] as AgentProgram;
}

function noNamespaces(reason: string): ForewordError {
  return new ForewordError(
    'missing-program',
    `Nothing was run: foreword xray runs your hooks only where they can neither write to your home nor reach the network, which is not possible here: ${reason}.`,
    {
      hint: 'Use Linux with user namespaces allowed (sysctl kernel.unprivileged_userns_clone=1, or kernel.apparmor_restrict_unprivileged_userns=0), and install util-linux and iproute2. In a container, add --cap-add SYS_ADMIN.',
    },
  );
}

/** Outside of what is hidden inside. */
function scratchFolder(home: string): string {
  const isSeen = (one: string) => existsSync(one) && ![home, RUNTIME].some((hidden) => isIn(one, hidden));
  const base = [tmpdir(), '/tmp', '/var/tmp'].map(realOf).find(isSeen) ?? '/tmp';
  return realpathSync(mkdtempSync(join(base, 'foreword-xray-')));
}

interface Measuring {
  readonly request: XrayRequested;
  readonly host: XrayHost;
  readonly found: AgentProgram;
  readonly facts: SetupFacts;
  readonly folder: string;
  readonly namespaces: Extract<Namespace, { isAvailable: true }>;
  readonly signal: AbortSignal;
}

async function measure(measuring: Measuring): Promise<Xrayed | undefined> {
  const { request, found, facts, host, folder, signal } = measuring;
  const project = projectOf(host);
  const [own, bare] = [false, true].map((isBaseline) => prepare(measuring, project, isBaseline)) as [
    Prepared,
    Prepared,
  ];
  const { servers, files } = own.copied;
  const planned = { agent: found.agent, program: found.program, project, files, hooks: own.copied.hooks, servers };
  const isAgreed = await request.agree(planned);
  if (!isAgreed) return undefined;
  const agreedAt = performance.now();
  const done = new Map<Prepared, string>();
  const progress = (one: Prepared) => (moment: XrayMoment) => {
    done.set(one, moment);
    request.progress(`with your set-up: ${done.get(own) ?? 'starting'}; without: ${done.get(bare) ?? 'starting'}`);
  };
  const answers = await Promise.all([own, bare].map((one) => run(one, progress(one), signal)));
  const [withSetup, without] = answers as [InsideAnswer, InsideAnswer];
  const { runs, serverRuns, modules } = records(own.records);
  const hooks = withEvents(own.copied.hooks, runs);
  if (withSetup.fault !== undefined || without.fault !== undefined)
    throw new ForewordError(
      'missing-program',
      `${found.agent} ${withSetup.fault ?? `without your set-up ${without.fault}`}.`,
      {
        hint: `${refusedBy(hooks, runs)}${
          request.isKept
            ? `Look at ${folder}.`
            : 'Start it by hand once, answer what it asks, and try again. --keep keeps the scratch folders.'
        }`,
      },
    );
  const brought = broughtBy(own.copied.hooks, modules);
  const recording: XrayRecording = {
    agent: found.agent,
    version: withSetup.version,
    requests: withSetup.requests,
    baseline: without.requests,
    hooks: withoutCopies(hooks, runs),
    servers,
    runs,
    serverRuns,
    texts: [...withLoaded(own.copied.texts, facts), ...brought.texts],
    tools: [...brought.tools, ...toolFiles(facts.modules?.tools ?? [], realOf(host.home), project)],
    said: SAID,
    toolName: facts.toolName,
    frames: facts.frames ?? [],
  };
  const ms = Math.round(performance.now() - agreedAt);
  return { recording, missed: withSetup.missed, project, ms, ...(request.isKept ? { kept: folder } : {}) };
}

/** The repository that the folder is in, or the folder. In the home itself, or above it, there is no project. */
function projectOf({ cwd, home }: XrayHost): string {
  const real = realOf(cwd);
  if (real === realOf(home) || isBelow(realOf(home), real))
    throw new ForewordError(
      'bad-usage',
      'foreword xray runs in a project, and this is your home or a folder above it.',
      {
        hint: 'Go to a project, or name one with --cwd.',
      },
    );
  for (let folder = real; folder !== dirname(folder) && folder !== realOf(home); folder = dirname(folder))
    if (hasGit(folder)) return folder;
  return real;
}

interface Prepared {
  readonly copied: CopiedSetup;
  /** Where the recorder leaves its records. */
  readonly records: string;
  readonly answer: string;
  readonly command: readonly [string, ...string[]];
}

function prepare(measuring: Measuring, project: string, isBaseline: boolean): Prepared {
  const { host, facts, found, folder, namespaces } = measuring;
  const home = realOf(host.home);
  const own = join(folder, isBaseline ? 'without' : 'with');
  const at = (name: string) => join(own, name);
  for (const name of ['home', 'project', 'records', 'memory', 'tmp']) mkdirSync(at(name), { recursive: true });
  const program = join(dirname(host.command.at(-1) ?? ''), RECORDER);
  // Short, because an agent may show the command of a hook to its model.
  const recorder = (kind: 'hook' | 'server') => {
    const words = [process.execPath, program, kind, at('records')].map(quoted).join(' ');
    replaceFile(at(kind), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
    return [at(kind)] as const;
  };
  const cwd = realOf(host.cwd);
  const copied = copySetup({
    ...host,
    home,
    project,
    cwd,
    facts,
    into: at('home'),
    records: at('records'),
    isBaseline,
    recorder,
  });
  for (const [path, text] of Object.entries(copied.projectFiles)) {
    mkdirSync(dirname(join(at('project'), path)), { recursive: true });
    replaceFile(join(at('project'), path), text);
  }
  const path = pathOf(measuring);
  const plan: InsidePlan = {
    agent: found.agent,
    program: join(lasting(dirname(found.program)), basename(found.program)),
    args: facts.args ?? [],
    path,
    home,
    project,
    cwd,
    temporary: at('tmp'),
    answer: at('answer.json'),
  };
  replaceFile(at('plan.json'), JSON.stringify(plan), { mode: 0o600 });
  const env = { [PLAN_VARIABLE]: at('plan.json'), HOME: home, PATH: path.join(':'), TMPDIR: at('tmp') };
  const shell = mountScript({
    home,
    scratchHome: at('home'),
    ...mountsOf(measuring, copied, own),
    sockets: listeningSockets(),
    project,
    projectFiles: at('project'),
    hidden: copied.hidden,
    memory: at('memory'),
    cwd,
    command: [...host.command, 'xray'],
    env,
  });
  // As an argument it could be too long.
  replaceFile(at('mount.sh'), shell, { mode: 0o600 });
  return {
    copied,
    records: at('records'),
    answer: at('answer.json'),
    command: namespaces.wrap(['/bin/sh', at('mount.sh')]),
  };
}

function pathOf({ host, found }: Measuring): readonly string[] {
  const folders = [...found.path, ...searchPath(host.env).split(':'), '/usr/local/bin', '/usr/bin', '/bin'];
  return [...new Set(folders.filter((one) => one.startsWith('/')).map(lasting))];
}

/** A manager of programs may put links to them where they are hidden inside. */
function lasting(folder: string): string {
  return isIn(folder, RUNTIME) ? realOf(folder) : folder;
}

function mountsOf({ host, facts, found }: Measuring, copied: CopiedSetup, own: string): Mounts {
  const lines = [...copied.hooks, ...copied.servers].map(({ command }) => command);
  return mountedIn({
    home: realOf(host.home),
    into: join(own, 'home'),
    path: searchPath(host.env).split(':').map(lasting).join(':'),
    programs: [found.program, process.execPath, host.command.at(-1) ?? ''],
    lines: [...lines, ...copied.named],
    texts: copied.texts.map(({ text }) => text),
    copied: [facts.folder.path, ...(facts.beside ?? [])],
    left: copied.mounted,
  });
}

async function run(
  { command, answer }: Prepared,
  playing: (moment: XrayMoment) => void,
  signal: AbortSignal,
): Promise<InsideAnswer> {
  const [program, ...args] = command;
  // unshare holds SIGTERM back while its child runs; with it everything inside ends.
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], signal, killSignal: 'SIGKILL' });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = `${errors}${text}`.slice(-4000);
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n')) {
      const [, moment] = /"moment":"([^"]+)"/.exec(line) ?? [];
      if (moment !== undefined) playing(moment as XrayMoment);
    }
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    // At `exit` what it said last may not be read yet.
    child.once('close', resolve);
  });
  if (existsSync(answer)) return JSON.parse(readFileSync(answer, 'utf8')) as InsideAnswer;
  const said = errors.trim().split('\n').at(-1) ?? '';
  if (status === CANNOT_MOUNT) throw noNamespaces(said);
  throw new ForewordError(
    'internal',
    `The session could not be recorded: ${said === '' ? `it ended with ${status}` : said}.`,
  );
}

/** A hook may keep a prompt back. The last one that did not end well is named, because a person would look there first. */
function refusedBy(hooks: readonly XrayHook[], runs: readonly HookRun[]): string {
  const last = runs.findLast(({ exitCode }) => exitCode !== 0);
  const hook = hooks.find(({ id }) => id === last?.hook);
  if (last === undefined || hook === undefined) return '';
  const how = last.isUnended === true ? 'did not end' : `ended with ${last.exitCode ?? 'a signal'} before that`;
  return `The hook ${hook.command} at ${hook.event} ${how}. `;
}

/** A plug-in may be there twice, where it came from and where the agent keeps it; the agent runs one of them. */
function withoutCopies(hooks: readonly XrayHook[], runs: readonly HookRun[]): readonly XrayHook[] {
  const hasRun = ({ id }: XrayHook) => runs.some(({ hook }) => hook === id);
  const isSame = (one: XrayHook, other: XrayHook) => one.event === other.event && one.command === other.command;
  return hooks.filter(
    (hook, at) =>
      hasRun(hook) ||
      !hooks.some((other, place) => place !== at && isSame(hook, other) && (hasRun(other) || place < at)),
  );
}

interface Recorded {
  readonly runs: readonly HookRun[];
  readonly serverRuns: readonly ServerRun[];
  readonly modules: readonly ModuleRecord[];
}

/** What the recorder left. */
function records(folder: string): Recorded {
  const names = readdirSync(folder).map((name) => join(folder, name));
  const runs = names.filter((name) => basename(name).startsWith('hook-')).flatMap((name) => parsed<HookRun>(name));
  const serverRuns = names
    .filter((name) => basename(name).startsWith('server-'))
    .map((name) => {
      const facts = parsed<ServerRun>(name);
      // It gives its list again when the tools have changed, and a long one in several parts.
      const tools = [...new Map(facts.flatMap((one) => one.tools ?? []).map((tool) => [tool.name, tool])).values()];
      const first = facts.find((one) => one.readyMs !== undefined);
      const joined = Object.assign({ stderr: '' }, ...facts, first && { readyMs: first.readyMs }) as ServerRun;
      return facts.some((one) => one.tools !== undefined) ? { ...joined, tools } : joined;
    });
  const modules = names
    .filter((name) => basename(name).startsWith('module-'))
    .flatMap((name) => parsed<ModuleRecord>(name));
  return { runs: runs.sort((a, b) => a.at - b.at), serverRuns, modules };
}

/** Lines of JSON; a line that was cut off by the end of the session is left out. */
function parsed<T>(file: string): readonly T[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as T];
      } catch {
        return [];
      }
    });
}
