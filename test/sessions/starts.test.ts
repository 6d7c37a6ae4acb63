import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../src/kernel/delivery.ts';
import { IS_LONG, scaled } from '../scale.ts';
import { inParallel, PROFILES, sessionField } from './field.ts';

const LIMIT_MS = 40_000;

describe('random starts', () => {
  it(
    'never type outside an empty composer, answer nothing, and say truly what arrived',
    async () => {
      const outcomes: Record<string, number> = {};
      await inParallel(scaled(500), 8, async (index) => {
        const seed = 1000 + index;
        const field = await sessionField(PROFILES[index % PROFILES.length] ?? 'boxed', { wild: seed });
        try {
          const id = `fw_start${seed}`;
          await field.deliver({ id, priority: 'startup', moment: 'session-start', code: 'QK7M', deadlineMs: LIMIT_MS });
          let shown = '';
          field.session.onDelivery(() => {
            shown = field.session.watch.screen.lines.filter((line) => line !== '').join('\n');
          });
          const delivery = await field.session.wait(id, 'acknowledged');
          // The agent writes its answer down at the end of the turn in which it shows it.
          for (let tries = 0; delivery.proof === 'acknowledged' && tries < 40; tries += 1) {
            if (field.seen().acknowledged.includes('QK7M')) break;
            await new Promise((resolve) => setTimeout(resolve, 100));
          }
          // Nobody can look and write in the same instant; with eight agents on two processors it takes some milliseconds.
          const seen = field.seen({ graceMs: 100 });
          const where = `seed ${seed}: ${JSON.stringify({ ...delivery, text: '', outside: seen.outside })}\n${shown}`;
          expect(seen.bytesOutsideEmptyComposer, where).toBe(0);
          expect(seen.answersByUs, where).toEqual([]);
          expect(seen.duplicates, where).toEqual({});
          expect(seen.pastedTwice, where).toEqual({});
          const isIn = (seen.served[id] ?? 0) > 0 || seen.submits.some(({ ids }) => ids.includes(id));
          const outcome = outcomeOf(delivery);
          if (outcome === 'delivered') expect(isIn, where).toBe(true);
          if (outcome === 'failed') expect(isIn, where).toBe(false);
          if (delivery.proof === 'acknowledged') expect(seen.acknowledged, where).toContain('QK7M');
          if (outcome !== 'delivered') console.log(where);
          outcomes[outcome ?? 'open'] = (outcomes[outcome ?? 'open'] ?? 0) + 1;
        } finally {
          await field.leave();
        }
      });
      console.log(JSON.stringify(outcomes));
      expect(outcomes.delivered ?? 0).toBeGreaterThanOrEqual(Math.floor(scaled(500) * 0.97));
    },
    IS_LONG ? 1_500_000 : 240_000,
  );
});
