import { describe, expect, test } from 'vitest';
import type { Proof } from '../../kernel/receipt.ts';
import type { NewDelivery } from '../delivery/record.ts';
import type { Session } from '../session.ts';
import { type OfferParts, offerPrompt } from './offer-prompt.ts';

function field(more: Partial<OfferParts> = {}) {
  const pasted: string[] = [];
  const delivered: (readonly [string, Proof])[] = [];
  const held: boolean[] = [];
  const state = { now: 0, composer: 'empty', ready: 'starting', prompt: undefined as string | undefined, waits: 0 };
  const session = {
    watch: {
      get verdict() {
        return { state: state.ready, composer: { kind: state.composer } };
      },
      screen: { hasBracketedPaste: true },
      changedAt: 0,
      turns: 0,
      look: async () => undefined,
    },
    deliveries: { open: () => [], all: () => [] },
    talk: async () => (state.prompt === undefined ? {} : { prompt: state.prompt }),
    deliver: async ({ text, required }: NewDelivery) => void delivered.push([text, required]),
  } as unknown as Session;
  const keys = { at: undefined as number | undefined, hold: (isHeld: boolean) => void held.push(isHeld) };
  const steps: (() => void)[] = [];
  const parts: OfferParts = {
    terminal: { paste: async (text) => void pasted.push(text), onExit: () => undefined },
    keys,
    clock: {
      now: () => state.now,
      wait: async (ms) => {
        state.now += ms;
        steps.shift()?.();
      },
    },
    text: 'fix the door\n',
    mode: 'hand',
    hasTranscript: true,
    required: 'served',
    ...more,
  };
  return { session, parts, state, keys, steps, pasted, delivered, held };
}

describe('the last prompt of a person', () => {
  test('is put into the composer of an agent that is ready and stands still, once', async () => {
    const { session, parts, state, steps, pasted, delivered, held } = field();
    steps.push(
      () => undefined,
      () => void Object.assign(state, { ready: 'busy' }),
      () => void Object.assign(state, { ready: 'ready' }),
    );
    expect(await offerPrompt(session, parts)).toBe('offered');
    expect([pasted, delivered, held]).toEqual([['fix the door'], [], [true, false]]);
    expect(state.now).toBeGreaterThanOrEqual(1000);
  });

  test('is put there also after a person answered a question of the agent first', async () => {
    const { session, parts, state, keys, steps, pasted } = field();
    steps.push(
      () => void Object.assign(state, { ready: 'asking', composer: 'none' }),
      () => void Object.assign(keys, { at: 300 }),
      () => undefined,
      () => void Object.assign(state, { ready: 'ready', composer: 'none' }),
      () => void Object.assign(state, { composer: 'empty' }),
    );
    expect(await offerPrompt(session, parts)).toBe('offered');
    expect(pasted).toEqual(['fix the door']);
  });

  test('is sent where the settings say so', async () => {
    const { session, parts, pasted, delivered } = field({ mode: 'auto' });
    expect(await offerPrompt(session, parts)).toBe('sent');
    expect([pasted, delivered]).toEqual([[], [['fix the door\n', 'served']]]);
  });

  test('is not put where a person types or has given another one, nor for ever', async () => {
    const typing = field();
    typing.steps.push(() => void Object.assign(typing.state, { ready: 'ready', composer: 'text' }));
    typing.steps.push(() => void Object.assign(typing.keys, { at: 300 }));
    expect(await offerPrompt(typing.session, typing.parts)).toBe('given up');
    const spoken = field();
    spoken.steps.push(() => void Object.assign(spoken.state, { ready: 'ready', prompt: 'another' }));
    expect(await offerPrompt(spoken.session, spoken.parts)).toBe('given up');
    const never = field();
    expect(await offerPrompt(never.session, never.parts)).toBe('given up');
    expect([typing.pasted, spoken.pasted, never.pasted]).toEqual([[], [], []]);
  });
});
