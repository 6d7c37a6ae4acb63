// Delivery success: the seven figures of an injector, in total and per agent and channel. Counted from events only.

import type { ForewordEvent } from '../kernel/events.ts';

export interface InjectionMetrics {
  readonly attempted: number;
  readonly succeededOnFirstTry: number;
  readonly succeededAfterRetry: number;
  readonly escalatedToFile: number;
  readonly failed: number;
  /** 0 when nothing succeeded yet. */
  readonly averageAttemptsToSuccess: number;
  /** Milliseconds from being accepted to the proof required; 0 when nothing succeeded yet. */
  readonly averageTimeToSuccess: number;
}

/** One delivery, as far as its events show. */
interface Life {
  readonly agent: string;
  channel: string;
  attempts: number;
  isEscalated: boolean;
  outcome?: 'delivered' | 'uncertain' | 'failed';
  durationMs: number;
}

export function measureInjections(events: Iterable<ForewordEvent>): InjectionMetrics {
  return metricsOf([...livesOf(events).values()]);
}

export interface InjectionRow extends InjectionMetrics {
  readonly agent: string;
  /** The channel that was used last. */
  readonly channel: string;
}

/** The success table, in the order of first appearance. */
export function injectionTable(events: Iterable<ForewordEvent>): readonly InjectionRow[] {
  const groups = new Map<string, Life[]>();
  for (const life of livesOf(events).values()) {
    const key = `${life.agent}\n${life.channel}`;
    groups.set(key, [...(groups.get(key) ?? []), life]);
  }
  return [...groups.values()].map((lives) => ({
    agent: lives[0]?.agent ?? '',
    channel: lives[0]?.channel ?? '',
    ...metricsOf(lives),
  }));
}

function livesOf(events: Iterable<ForewordEvent>): ReadonlyMap<string, Life> {
  const lives = new Map<string, Life>();
  for (const event of events) {
    if (!event.kind.startsWith('delivery-') || !('delivery' in event)) continue;
    const life = lives.get(event.delivery) ?? fresh(event.agent);
    lives.set(event.delivery, life);
    if (event.kind === 'delivery-attempted') {
      life.attempts = Math.max(life.attempts, event.attempt);
      life.channel = event.channel;
    }
    if (event.kind === 'delivery-escalated') {
      life.isEscalated ||= event.to === 'file';
      life.channel = event.to;
    }
    if (event.kind === 'delivery-ended') {
      life.outcome = event.outcome;
      life.durationMs = event.durationMs;
      life.attempts = Math.max(life.attempts, event.attempts);
      life.channel = event.channel ?? life.channel;
    }
  }
  return lives;
}

function fresh(agent: string): Life {
  return { agent, channel: 'none', attempts: 0, isEscalated: false, durationMs: 0 };
}

function metricsOf(lives: readonly Life[]): InjectionMetrics {
  const delivered = lives.filter((life) => life.outcome === 'delivered');
  return {
    attempted: lives.filter((life) => life.attempts > 0 || life.outcome !== undefined).length,
    succeededOnFirstTry: delivered.filter((life) => life.attempts <= 1 && !life.isEscalated).length,
    succeededAfterRetry: delivered.filter((life) => life.attempts > 1 || life.isEscalated).length,
    escalatedToFile: lives.filter((life) => life.isEscalated).length,
    failed: lives.filter((life) => life.outcome === 'failed' || life.outcome === 'uncertain').length,
    averageAttemptsToSuccess: mean(delivered.map((life) => Math.max(1, life.attempts))),
    averageTimeToSuccess: mean(delivered.map((life) => life.durationMs)),
  };
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
