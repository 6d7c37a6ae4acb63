// The settings of a repository's own configuration that count only after a person agreed: everything that decides which
// programs run, and in which sandbox.

import { isMap } from './document.ts';

const TRUST_KEYS = ['lineup', 'helper', 'agents', 'sandbox', 'injection'] as const;

/** The parts of a configuration that need trust, as written; empty when there are no such keys. */
export function trustNeeded(value: unknown): { readonly parts: Readonly<Record<string, unknown>> } {
  const parts: Record<string, unknown> = {};
  for (const key of TRUST_KEYS) {
    if (isMap(value) && Object.hasOwn(value, key) && value[key] !== null && value[key] !== undefined)
      parts[key] = value[key];
  }
  return { parts };
}

export function withoutTrust(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const keys: readonly string[] = TRUST_KEYS;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}
