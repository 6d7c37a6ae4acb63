// Adds up what an agent names of its usage, value by value, while its output or its transcript comes in.

import { holds } from '../../kernel/record-path.ts';
import type { Usage } from '../../kernel/usage.ts';
import { type Announced, announcedIn, type UsageSpec, usageIn } from '../../kernel/usage-rules.ts';

/** Parts that may still come again with other numbers; older ones are final. */
const OPEN_PARTS = 64;

export class UsageReader {
  readonly #spec: UsageSpec;
  #parts = new Map<string, Usage>();
  #closed: Usage | undefined;
  #total: Usage | undefined;
  #session: Usage | undefined;
  #announced: Announced | undefined;
  #count = 0;

  constructor(spec: UsageSpec) {
    this.#spec = spec;
  }

  /** Never throws, whatever the value is. */
  read(value: unknown): void {
    for (const rule of this.#spec.usage ?? []) {
      const usage = holds(rule.when, value) ? usageIn(rule, value) : undefined;
      if (usage === undefined) continue;
      if (rule.is === 'total') this.#total = usage;
      else if (rule.is === 'session') this.#session = usage;
      else this.#add(String(idOf(rule.id, value) ?? this.#count++), usage);
    }
    for (const rule of this.#spec.limits ?? []) this.#announced = announcedIn(rule, value) ?? this.#announced;
  }

  /** `before` is what runs with the same session used before this one; it is taken off where numbers include it. */
  usage(before?: Usage): Usage | undefined {
    if (this.#total !== undefined) return this.#total;
    if (this.#session !== undefined) return minus(this.#session, before);
    return this.parts();
  }

  /** Whether it named a sum itself. */
  get hasTotal(): boolean {
    return this.#total !== undefined || this.#session !== undefined;
  }

  parts(): Usage | undefined {
    return [...this.#parts.values()].reduce<Usage | undefined>(plus, this.#closed);
  }

  announced(): Announced | undefined {
    return this.#announced;
  }

  #add(id: string, usage: Usage): void {
    this.#parts.delete(id);
    this.#parts.set(id, usage);
    const [oldest] = this.#parts;
    if (this.#parts.size <= OPEN_PARTS || oldest === undefined) return;
    this.#parts.delete(oldest[0]);
    this.#closed = plus(this.#closed, oldest[1]);
  }
}

function idOf(path: string | undefined, value: unknown): unknown {
  return path === undefined ? undefined : valueAt(value, path);
}

function valueAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
}

const NAMES = ['input', 'cached', 'output', 'costUsd'] as const;

export function plus(one: Usage | undefined, other: Usage | undefined): Usage | undefined {
  return combined(one, other, (a, b) => (a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0)));
}

/** What is not known to be from before counts. */
export function minus(usage: Usage | undefined, before: Usage | undefined): Usage | undefined {
  return combined(usage, before, (a, b) => (a === undefined ? undefined : Math.max(0, a - (b ?? 0))));
}

function combined(
  one: Usage | undefined,
  other: Usage | undefined,
  join: (a: number | undefined, b: number | undefined) => number | undefined,
): Usage | undefined {
  if (one === undefined && other === undefined) return undefined;
  const entries = NAMES.flatMap((name) => {
    const number = join(one?.[name], other?.[name]);
    return number === undefined ? [] : [[name, number] as const];
  });
  const costBy = one?.costBy ?? other?.costBy;
  const usage: Usage = Object.fromEntries(entries);
  return usage.costUsd === undefined || costBy === undefined ? usage : { ...usage, costBy };
}
