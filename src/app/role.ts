// What a process is told that was started as the host of a session, and what it tells the one that started it. Small,
// because every start of the command loads it.

import { type ErrorCode, type Fault, ForewordError } from '../kernel/errors.ts';
import { environment } from '../system/environment.ts';

/** Not on the command line, which everybody on the machine can read: a store's address may hold a password. */
const VARIABLE = 'FOREWORD_HOST';

export interface HostRole {
  readonly kind: 'new' | 'take-over';
  readonly session: string;
  /** Instead of what the settings say: a path, as seen from the folder the host is started in, or an address. */
  readonly store?: string;
}

/** Absent in a process that a person started. */
export function hostRole(): HostRole | undefined {
  try {
    return JSON.parse(environment()[VARIABLE] ?? '') as HostRole;
  } catch {
    return undefined;
  }
}

/** The environment of a process that is to be a host. */
export function withRole(role: HostRole): Readonly<Record<string, string | undefined>> {
  return { ...environment(), [VARIABLE]: JSON.stringify(role) };
}

/** An agent is no host. */
export function withoutRole(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { [VARIABLE]: _, ...rest } = env;
  return rest;
}

/** Whether whoever started this host still listens. */
export function hasStarter(): boolean {
  return process.connected;
}

/** To whoever started this host, as long as it listens: the session goes on without it. */
export function tellStarter(message: object): void {
  if (process.send === undefined || !process.connected) return;
  process.send(message, undefined, undefined, () => undefined);
}

/** The first thing the starter of this host says; `undefined` when it goes away without a word. */
export function hearStarter(): Promise<object | undefined> {
  return new Promise((resolve) => {
    process.once('message', (message: object) => resolve(message));
    process.once('disconnect', () => resolve(undefined));
    if (!process.connected) resolve(undefined);
  });
}

/** What ended a host before its session ran, for whoever started it. */
export function tellFailure({ code, message, hint, faults }: ForewordError): void {
  if (hostRole() !== undefined) tellStarter({ error: { code, message, hint, faults } });
}

/** The same, as it was there; `undefined` when the message tells of no error. */
export function toldFailure(message: unknown): ForewordError | undefined {
  const { error } = message as { readonly error?: Told };
  if (error === undefined) return undefined;
  const { code, message: said, hint, faults } = error;
  return new ForewordError(code, said, { faults, ...(hint === undefined ? {} : { hint }) });
}

interface Told {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
  readonly faults: readonly Fault[];
}
