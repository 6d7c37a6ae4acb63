import { describe, expect, it } from 'vitest';
import { makeCode } from '../../src/sessions/acknowledgement.ts';
import { makeDraw } from '../agents/person.mjs';
import { IS_LONG, scaled } from '../scale.ts';
import { inParallel, PROFILES, sessionField } from './field.ts';

const PER_SESSION = 20;
const LATE_MS = 1500;

/** An agent that echoes all it reads and says every false acknowledgement it can think of; every other time also the
 *  true one, whole, broken by the terminal or by itself. */
async function round(seed: number, counts: { given: number; known: number; sent: number }): Promise<void> {
  const draw = makeDraw(seed);
  const field = await sessionField(
    PROFILES[seed % PROFILES.length] ?? 'boxed',
    {
      seed,
      echo: true,
      fakeAcks: true,
      ack: 0.5,
      ackLine: ['whole', 'terminal', 'agent'][Math.floor(draw() * 3)],
      ackDelayMs: draw() < 0.5 ? [0, 300] : 0,
      busyMs: [20, 120],
      redrawMs: draw() < 0.3 ? [0, 100] : 0,
      hasMenu: false,
    },
    { submitDelayMs: 30 },
  );
  try {
    const codes = new Map<string, string>();
    for (let index = 0; index < PER_SESSION; index += 1) {
      const id = `fw_a${seed}x${index}`;
      const random = Uint8Array.from({ length: 8 }, () => Math.floor(draw() * 256));
      const code = makeCode(random).join('');
      codes.set(id, code);
      await field.deliver({ id, code, text: `Message ${id} about ACK: context received.`, deadlineMs: 60_000 });
      await field.session.wait(id, 'submitted');
    }
    await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    const truly = new Set(field.seen().acknowledged);
    for (const [id, code] of codes) {
      const proof = field.session.deliveries.get(id)?.proof;
      counts.sent += 1;
      if (truly.has(code)) counts.given += 1;
      if (proof === 'acknowledged') counts.known += 1;
      if (proof === 'acknowledged') expect(truly, `seed ${seed}, ${id} ${code}`).toContain(code);
    }
  } finally {
    await field.leave();
  }
}

describe('an agent that says every false acknowledgement', () => {
  it(
    'is believed only where it gave the true one',
    async () => {
      const counts = { given: 0, known: 0, sent: 0 };
      await inParallel(scaled(2000) / PER_SESSION, 10, (index) => round(4000 + index, counts));
      console.log(JSON.stringify(counts));
      expect(counts.sent).toBe(scaled(2000));
      expect(counts.known).toBeGreaterThan(counts.given * 0.8);
    },
    IS_LONG ? 1_500_000 : 240_000,
  );
});
