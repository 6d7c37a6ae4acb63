// The lines that `foreword doctor` prints, from what was found. To add one: a row here, and its fact in doctor.ts.

import { goneText } from '../system/files/gone-state.ts';
import { arrivalWords } from '../verify/arrival.ts';
import { type Measurement, TRIED, TRIED_TITLES } from '../verify/measurement.ts';
import type { Findings, HookFinding } from './doctor.ts';
import { plugInRows } from './plug-in-rows.ts';

/** What is shown of the project itself. */
export interface DoctorProject {
  readonly root: string;
  /** What the configuration says of agents. */
  readonly config: {
    readonly agents: Readonly<Record<string, { readonly args?: readonly string[] | undefined } | null>>;
  };
  readonly trust: { readonly isAgreed: boolean; readonly parts: object };
}

export function doctorRows(found: Findings, project: DoctorProject): readonly (readonly [string, string])[] {
  return [
    ['project', project.root],
    ['store', storeLine(found.store)],
    ...stateRows(found.state),
    ['sandbox', found.sandbox],
    ['box', found.box.level],
    ['terminal', found.terminal],
    ['tmux', found.tmux],
    ...found.absences.map((sentence) => ['not on this system', sentence] as const),
    ...(found.agents.length === 0 ? [['agents', 'none installed'] as const] : []),
    ...found.agents.map((name) => [name, agentLine(found.versions[name], project.config.agents[name]?.args)] as const),
    ...Object.entries(found.box.agents).map(([name, line]) => [`box of ${name}`, line] as const),
    ...hookRows(found),
    ...plugInRows(found.plugIns, agentsWithHooks(found)),
    ...found.measured.map((one) => [`verified ${one.agent}`, measuredLine(one)] as const),
    ['trust', trustLine(project.trust)],
  ];
}

function agentLine(version = 'unknown', args: readonly string[] = []): string {
  return args.length === 0 ? version : `${version}, started with ${args.join(' ')}`;
}

function storeLine({ kind, level, detail }: Findings['store']): string {
  if (kind === 'memory') return 'none yet; the first command that stores something creates it in your state folder';
  return `${kind}, ${level}: ${detail}`;
}

function stateRows({ folder, doubt, oldStore, gone }: Findings['state']): readonly (readonly [string, string])[] {
  return [
    ...(folder === undefined ? [] : [['state', folder] as const]),
    ...(doubt === undefined ? [] : [['identity', `the folder alone: ${doubt}`] as const]),
    ...(oldStore === undefined
      ? []
      : [['old store', `${oldStore} is not read. If it is yours: foreword import ${oldStore}`] as const]),
    ...gone.map((one) => ['state left behind', goneText(one)] as const),
  ];
}

/** Agents that are neither installed nor have hooks are left out. */
function hookRows({ hooks, agents, hookNode, hookLog }: Findings): readonly (readonly [string, string])[] {
  const shown = hooks.filter((one) => one.state !== 'absent' || agents.includes(one.agent));
  const rows = shown.flatMap((one) => {
    const trust = one.trust === undefined ? '' : `, ${one.trust}`;
    const worked = (one.ran ?? 0) - (one.faults?.length ?? 0);
    const ran =
      one.state === 'in place' && one.ran !== undefined && one.ran > 0 ? `, ${worked} of ${one.ran} work` : '';
    const state = `${one.state}${trust}${ran}${one.state === 'absent' ? '' : `: ${one.file}`}`;
    return [[`hooks of ${one.agent}`, state] as const, ...unseenRows(one)];
  });
  if (hooks.every((one) => one.state === 'absent')) return rows;
  const log =
    hookLog === undefined ? [] : [['hook log', `${hookLog.count} in the last day, last: ${hookLog.last}`] as const];
  return [...rows, ['hooks run with', hookNode ?? 'no Node was found: the hooks do nothing'], ...log];
}

function agentsWithHooks({ hooks }: Findings): ReadonlySet<string> {
  return new Set(hooks.filter(({ state }) => state === 'in place').map(({ agent }) => agent));
}

/** A loss at these events is not counted among the lost texts. */
function unseenRows({ agent, state, unseen = [] }: HookFinding): readonly (readonly [string, string])[] {
  if (state === 'absent' || unseen.length === 0) return [];
  const line = `its transcript does not show what hooks print at ${unseen.join(', ')}: printed once, also when it is lost`;
  return [[`not seen of ${agent}`, line]];
}

function trustLine({ isAgreed, parts }: DoctorProject['trust']): string {
  if (isAgreed) return 'nothing to agree to';
  return `ignored until you run foreword trust: ${Object.keys(parts).join(', ')}`;
}

/** `2.1.325 on 2026-11-15: 6 served, 1 not offered`; names each channel with a worse result than served. */
function measuredLine({ agent, version, at, arrivals, isStale }: Measurement & { readonly isStale: boolean }): string {
  const words = TRIED.flatMap((tried) => {
    const arrival = arrivals[tried];
    return arrival === undefined || arrival.kind === 'served' || arrival.kind === 'not offered'
      ? []
      : [`${TRIED_TITLES[tried]} ${arrivalWords(arrival)}`];
  });
  const count = (kind: string) => Object.values(arrivals).filter((one) => one.kind === kind).length;
  const missing = count('not offered') > 0 ? [`${count('not offered')} not offered`] : [];
  const found = [`${count('served')} served`, ...words, ...missing].join(', ');
  return `${version} on ${at.slice(0, 10)}: ${found}${isStale ? `; stale: another version is installed. Run foreword verify ${agent}` : ''}`;
}
