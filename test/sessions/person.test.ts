import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../src/kernel/delivery.ts';
import { makeDraw, PERSON, typeLikeAPerson } from '../agents/person.mjs';
import { IS_LONG, scaled } from '../scale.ts';
import { inParallel, PROFILES, sessionField } from './field.ts';

const encoder = new TextEncoder();

describe('a person at the same terminal', () => {
  it(
    'has no key of theirs submitted by us, and none between our bytes',
    async () => {
      let delivered = 0;
      await inParallel(scaled(200), 10, async (index) => {
        const seed = 5000 + index;
        const draw = makeDraw(seed);
        // A short wait after a key makes the two meet often; nothing else is changed.
        const field = await sessionField(
          PROFILES[index % PROFILES.length] ?? 'boxed',
          { seed, startMs: 200, busyMs: [50, 400], swallowEnter: draw() < 0.3 ? 0.33 : 0, redrawMs: [0, 60] },
          { personMs: 250, submitDelayMs: 100, retryBackoffs: [300, 600, 1200, 2400] },
        );
        try {
          const write = async (key: string): Promise<void> => field.keys.write(encoder.encode(key), true);
          const ids = Array.from({ length: 4 }, (_, n) => `fw_p${seed}x${n}`);
          const person = (async () => {
            await pause(500 + draw() * 1500);
            for (let round = 0; round < 3; round += 1) {
              await typeLikeAPerson(write, 'and mind the tests', { seed: seed + round, gapMs: [5, 90] });
              await pause(draw() * 800);
              // A person sends what they wrote, or takes it back.
              if (draw() < 0.5) await write(PERSON.enter);
              else for (let n = 0; n < 18; n += 1) await write(PERSON.backspace);
              await pause(draw() * 900);
            }
          })();
          for (const id of ids) {
            await field.deliver({ id, deadlineMs: 60_000 });
            await pause(draw() * 1200);
          }
          await person;
          await write(PERSON.enter);
          const ended = await Promise.all(ids.map((id) => field.session.wait(id, 'submitted')));
          // Nobody can look and write in the same instant; with eight agents on two processors it takes some milliseconds.
          const seen = field.seen({ graceMs: 100 });
          const where = `seed ${seed}: ${JSON.stringify({ outside: seen.outside, mixed: seen.mixedSubmits })}`;
          expect(seen.personBytesSubmittedByUs, where).toBe(0);
          expect(seen.outside.draft ?? 0, where).toBe(0);
          expect(seen.duplicates, where).toEqual({});
          expect(seen.pastedTwice, where).toEqual({});
          for (const one of ended) {
            const { id } = one;
            const outcome = outcomeOf(one);
            const times = seen.submits.filter((submit) => submit.ids.includes(id)).length;
            if (outcome === 'delivered') expect(times, `${where} ${id}`).toBe(1);
            delivered += outcome === 'delivered' ? 1 : 0;
          }
        } finally {
          await field.leave();
        }
      });
      expect(delivered).toBeGreaterThan(scaled(200) * 4 * 0.9);
    },
    IS_LONG ? 1_500_000 : 240_000,
  );
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
