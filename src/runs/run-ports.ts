// The ports of a run, from what app/ passes in. A replay has the same ones, with other events.

import { foundOr } from '../context/sources/port.ts';
import type { NewEvent } from '../kernel/events.ts';
import { mapStrings } from '../kernel/map-strings.ts';
import { oneLine } from '../kernel/safe-text.ts';
import type { Stores } from '../kernel/stores.ts';
import { personState } from '../system/files/project-state.ts';
import { machineName } from '../system/processes/owner.ts';
import { composeRunPrompt, type PromptComposer } from './attempts/task-prompt.ts';
import type { AgentBoxes } from './box/box.ts';
import { openBoxes } from './box/index.ts';
import type { Notifier } from './notify/notifier.ts';
import type { RunPorts, RunSettings } from './ports.ts';
import type { RunParts } from './prepare-run.ts';
import type { RunOptions } from './run-options.ts';
import { findSandbox } from './sandboxes/index.ts';
import type { SandboxFinding } from './sandboxes/sandbox.ts';

export function portsOf(
  parts: RunParts,
  options: Pick<RunOptions, 'tasks' | 'name' | 'onEvent' | 'onActivity' | 'onNote'>,
  opened: {
    readonly settings: RunSettings;
    readonly stores: Stores;
    readonly workplaces: RunPorts['workplaces'];
    readonly notifier?: Pick<Notifier, 'see'>;
  },
): RunPorts {
  const { project, startProcess, variables, random, isAlive, hookRecords, savedNotes, usageLog } = parts;
  const { stores, workplaces, notifier } = opened;
  const { root, clock } = project;
  const { onEvent, onActivity, onNote } = options;
  const listen = quietly('onEvent', onEvent, onNote);
  const emit = async (event: NewEvent): Promise<void> => {
    // Before it is shown: lines of it are shortened, and half a secret would not be recognised.
    listen(mapStrings(event, (text) => project.redact(text)));
    await project.emit(event);
    notifier?.see(event);
  };
  const composer = composerOf(parts, options, { stores, emit });
  let sandbox: Promise<SandboxFinding> | undefined;
  return {
    stores,
    clock,
    random,
    emit,
    machine: machineOn(stores, variables),
    ...(onActivity === undefined ? {} : { show: quietly('onActivity', onActivity, onNote) }),
    startProcess,
    variables,
    ...(hookRecords === undefined ? {} : { hookRecords }),
    ...(savedNotes === undefined ? {} : { savedNotes }),
    ...(usageLog === undefined ? {} : { usageLog }),
    refusal: (agent, cwd) => project.trust?.refusal(agent, cwd),
    rules: composer.rules,
    composePrompt: (request) => composeRunPrompt(composer, request),
    workplaces,
    boxes: boxesOf(parts, opened.settings, emit),
    findSandbox: () => {
      const searchPath = variables.PATH ?? '';
      sandbox ??= findSandbox({ ...project.config.sandbox, run: startProcess, searchPath, workTree: root });
      return sandbox;
    },
    policy: () => foundOr(project.sources.policy(), undefined, []),
    redact: (text) => project.redact(text),
    isAlive,
  };
}

/** For records that are one machine's own; `undefined` on a store of one machine. */
export function machineOn({ fleet }: Pick<Stores, 'fleet'>, variables: RunParts['variables']): string | undefined {
  return fleet === undefined ? undefined : machineName(variables);
}

/** A listener of the caller, whose faults are its own: an agent's work is not lost because a line could not be shown. The first fault
 *  is noted. */
function quietly<Shown>(
  name: string,
  listener: ((shown: Shown) => unknown) | undefined,
  note: RunOptions['onNote'],
): (shown: Shown) => void {
  let isNoted = false;
  const failed = (error: unknown): void => {
    if (isNoted) return;
    isNoted = true;
    note?.(`${name} threw: ${oneLine(error instanceof Error ? error.message : String(error), 300)}; the run goes on.`);
  };
  return (shown) => {
    try {
      // JavaScript may hand in one that returns a promise.
      const ended = listener?.(shown);
      if (ended instanceof Promise) ended.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}

function boxesOf(parts: RunParts, { places, owner }: RunSettings, emit: RunPorts['emit']): AgentBoxes {
  const { project, startProcess, variables, isAlive, tryBoxed, commandFile } = parts;
  const { run, sandbox } = project.config;
  return openBoxes({
    confine: run.confine,
    allow: run.allow,
    readable: sandbox.readOnly,
    run: startProcess,
    variables,
    root: project.root,
    state: places.ours,
    journal: { folder: personState(places.ours).placeholders, owner, isAlive },
    commandFile,
    tryBoxed,
    emit,
  });
}

/** The tasks in the prompt are those of this run, whose file need not be the project's. */
function composerOf(
  { project, composeTaskPrompt, rules, variables }: RunParts,
  { tasks, name }: Pick<RunOptions, 'tasks' | 'name'>,
  opened: Pick<RunPorts, 'stores' | 'emit'>,
): PromptComposer {
  const { config } = project;
  const file = { tasks, ...(name === undefined ? {} : { project: name }) };
  return {
    facts: {
      sources: { ...project.sources, tasks: () => ({ kind: 'found', from: 'the task file', value: file }) },
      stores: opened.stores,
      redact: (text) => project.redact(text),
      recentSec: config.context.recentSec,
      project: config.project,
      historySize: config.history.size,
      maxBlockers: config.history.maxBlockers,
      handover: config.handover,
    },
    compose: composeTaskPrompt,
    rules: async () => (await rules?.(project.root, variables, (text) => project.redact(text))) ?? '',
    template: (role) => project.template(role),
    now: () => project.clock.now(),
    emit: opened.emit,
  };
}
