import { type DeliveryRecord, outcomeOf, PRIORITIES, waitingReasonOf } from '../../kernel/delivery.ts';
import { ForewordError } from '../../kernel/errors.ts';
import { isAtLeast, PROOFS, type Proof } from '../../kernel/receipt.ts';
import type { Call, Command } from '../command.ts';
import { inProject } from '../in-project.ts';

export const send: Command = {
  name: 'send',
  summary: 'Send a text to a running session, and report the proof of its delivery',
  args: ['SESSION', '[TEXT]'],
  flags: {
    priority: { description: 'normal by default', value: 'NAME', choices: PRIORITIES },
    wait: {
      description: 'the proof to wait for; the best that the agent can give by default',
      value: 'PROOF',
      choices: PROOFS,
    },
    ack: { description: 'ask the agent to reply with a code' },
  },
  examples: [
    {
      line: 'foreword send s1a2b3c4d "The API key moved to .env"',
      does: 'waits while the agent is busy, and prints why',
    },
    { line: 'git diff | foreword send s1a2b3c4d - --wait submitted', does: 'sends standard input' },
  ],
  run: (call) =>
    inProject(call, async (project) => {
      const client = (await import('../../app/sessions.ts')).sessionsOf(project);
      const text = await textOf(call);
      const record = await client.find(call.args[0] ?? '');
      if (record.readiness === 'suspended')
        call.out.note(`foreword: ${record.id} is suspended (Ctrl-Z); the text waits until you run fg in its terminal`);
      const wait = call.text('wait') as Proof | undefined;
      const shown = new Set<string>();
      const delivery = await client.deliver(
        record,
        { kind: 'send', text, priority: call.text('priority') ?? 'normal', wait, isAcknowledged: call.has('ack') },
        (one) => {
          const waiting = waitingReasonOf(one);
          if (waiting === undefined || shown.has(waiting)) return;
          shown.add(waiting);
          call.out.note(`foreword: ${one.id} waits: ${waiting}`);
        },
      );
      return report(call, delivery, wait);
    }),
};

/** Returns the exit code: 0 only with the requested proof. */
export function report(call: Call, delivery: DeliveryRecord, wait: Proof | undefined): number {
  const isEnough = isAtLeast(delivery.proof, wait ?? delivery.required);
  if (call.has('json')) call.out.json({ delivery });
  else {
    const how = delivery.evidence === undefined ? '' : ` (${delivery.evidence})`;
    const why = isEnough || delivery.reason === undefined ? '' : `: ${delivery.reason}`;
    call.out.print(`${delivery.id}: ${delivery.proof}${isEnough ? how : `, ${outcomeOf(delivery) ?? 'open'}${why}`}`);
  }
  return isEnough ? 0 : 1;
}

async function textOf(call: Call): Promise<string> {
  const given = call.args[1];
  const text = given === undefined || given === '-' ? await call.input() : given;
  if (text !== undefined && text.trim() !== '') return text;
  throw new ForewordError('bad-usage', 'There is nothing to send.', {
    hint: 'Give the text as an argument, or - and the text on standard input.',
  });
}
