// The stored results of `foreword verify` for this person: the newest measurement of each agent and version, its trial in a box, and
// the version of each program, so that `foreword start` need not run a slow --version. A file that cannot be read counts as absent; it is
// moved aside before a new one is written.

import { readFileSync, realpathSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from '../system/files/atomic.ts';
import { makeFolder } from '../system/files/make-folder.ts';
import { personState } from '../system/files/project-state.ts';
import type { Arrival } from './arrival.ts';
import { type Measurement, TRIED } from './measurement.ts';

export interface Results {
  readonly measurements: readonly Measurement[];
  readonly programs: readonly KnownProgram[];
  /** Absent in files of older versions. */
  readonly boxed?: readonly BoxedTrial[];
}

/** The trial of one version of an agent in its box. */
export interface BoxedTrial {
  readonly agent: string;
  readonly version: string;
  /** ISO time. */
  readonly at: string;
  /** Fingerprint of the data by which it was boxed: other data need another trial. */
  readonly data: string;
  readonly ms: number;
  /** Absent when it passed. Ends a sentence that begins with the agent's name. */
  readonly why?: string;
}

/** A program at the time its version was read; another file at its path has another fingerprint (`print`). */
export interface KnownProgram {
  readonly agent: string;
  readonly version: string;
  /** Links resolved. */
  readonly path: string;
  readonly print: string;
}

const FORMAT = 1;
/** Older ones are from versions that are no longer in use. */
const MOST_KEPT = 100;
const EMPTY: Results = { measurements: [], programs: [] };

export function readResults(stateFolder: string): Results {
  return read(personState(stateFolder).verify) ?? EMPTY;
}

/** New results replace those of the same agent and version, or of the same program. Returns where a damaged file was moved,
 *  if there was one. */
export function keepResults(stateFolder: string, fresh: Partial<Results>): string | undefined {
  const file = personState(stateFolder).verify;
  makeFolder(dirname(file));
  const before = read(file);
  const aside = before === undefined ? setAside(file) : undefined;
  const { measurements, programs, boxed = [] } = before ?? EMPTY;
  const results = {
    format: FORMAT,
    measurements: merged(measurements, fresh.measurements ?? [], ({ agent, version }) => `${agent} ${version}`),
    programs: merged(programs, fresh.programs ?? [], ({ agent, path }) => `${agent} ${path}`),
    boxed: merged(boxed, fresh.boxed ?? [], ({ agent, version }) => `${agent} ${version}`),
  };
  replaceFile(file, `${JSON.stringify(results, null, 2)}\n`, { mode: 0o600 });
  return aside;
}

/** The measurement of this program's version, if that is known without starting it. */
export function measurementOf(results: Results, agent: string, program: string): Measurement | undefined {
  const version = versionOf(results, agent, program);
  return results.measurements.find((one) => one.agent === agent && one.version === version);
}

/** The trial of this program's version with these data, if that is known without starting it. */
export function boxedTrialOf(results: Results, agent: string, of: { readonly program: string; readonly data: string }) {
  const version = versionOf(results, agent, of.program);
  return results.boxed?.find((one) => one.agent === agent && one.version === version && one.data === of.data);
}

function versionOf(results: Results, agent: string, program: string): string | undefined {
  const now = printOf(program);
  return results.programs.find((one) => one.agent === agent && one.path === now?.path && one.print === now.print)
    ?.version;
}

/** `undefined` when it is not there. */
export function knownProgram(agent: string, version: string, program: string): KnownProgram | undefined {
  const now = printOf(program);
  return now && { agent, version, ...now };
}

/** Package managers may set mtime to any value, but not ctime. */
function printOf(program: string): { readonly path: string; readonly print: string } | undefined {
  try {
    const path = realpathSync(program);
    const { size, mtimeMs, ctimeMs } = statSync(path);
    return { path, print: `${size} ${mtimeMs} ${ctimeMs}` };
  } catch {
    return undefined;
  }
}

function merged<T>(before: readonly T[], fresh: readonly T[], keyOf: (one: T) => string): readonly T[] {
  const keys = new Set(fresh.map(keyOf));
  return [...before.filter((one) => !keys.has(keyOf(one))), ...fresh].slice(-MOST_KEPT);
}

/** `undefined` when the file is not ours; an absent file is an empty result. */
function read(file: string): Results | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isResults(value) ? value : undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? EMPTY : undefined;
  }
}

function setAside(file: string): string {
  const aside = `${file}.damaged-${Date.now()}`;
  renameSync(file, aside);
  return aside;
}

function isResults(value: unknown): value is Results {
  const fields = fieldsOf(value);
  if (fields.format !== FORMAT || !Array.isArray(fields.measurements) || !Array.isArray(fields.programs)) return false;
  const { boxed = [] } = fields;
  if (!Array.isArray(boxed) || !boxed.every(isBoxedTrial)) return false;
  return fields.measurements.every(isMeasurement) && fields.programs.every(isProgram);
}

function isBoxedTrial(value: unknown): boolean {
  const { agent, version, at, data, ms, why = '' } = fieldsOf(value);
  return [agent, version, at, data, why].every((text) => typeof text === 'string') && typeof ms === 'number';
}

function isMeasurement(value: unknown): boolean {
  const { agent, version, at, arrivals, cache } = fieldsOf(value);
  const isNamed = [agent, version, at].every((text) => typeof text === 'string');
  const entries = Object.entries(fieldsOf(arrivals));
  const isKnown = entries.every(([tried, one]) => TRIED.some((name) => name === tried) && isArrival(one));
  const isCounted = Object.values(fieldsOf(cache)).every((one) => {
    const { without } = fieldsOf(one);
    return isKept(one) && (without === undefined || isKept(without));
  });
  return isNamed && typeof arrivals === 'object' && isKnown && isCounted;
}

function isKept(value: unknown): boolean {
  const { steps, whole, kept = 0, of = 0, broken } = fieldsOf(value);
  const { request = 0, place = '', part = 0, character = 0 } = fieldsOf(broken);
  const counts = [steps, whole, kept, of, request, part, character];
  return counts.every((count) => typeof count === 'number') && typeof place === 'string';
}

function isProgram(value: unknown): boolean {
  const { agent, version, path, print } = fieldsOf(value);
  return [agent, version, path, print].every((text) => typeof text === 'string');
}

/** The other fields of each kind of arrival. */
const SHAPES: Readonly<Record<Arrival['kind'], Readonly<Record<string, 'number' | 'string'>>>> = {
  served: { ms: 'number' },
  truncated: { at: 'number', ms: 'number' },
  dropped: { reason: 'string' },
  duplicated: { times: 'number', ms: 'number' },
  late: { turns: 'number', ms: 'number' },
  'not offered': {},
  'not measured': { reason: 'string' },
};

function isArrival(value: unknown): boolean {
  const fields = fieldsOf(value);
  const kind = typeof fields.kind === 'string' && Object.hasOwn(SHAPES, fields.kind) ? fields.kind : undefined;
  const shape = SHAPES[kind as Arrival['kind']];
  return kind !== undefined && Object.entries(shape).every(([name, type]) => typeof fields[name] === type);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
