import { type DeliveryRecord, outcomeOf, PRIORITIES, waitingReasonOf } from '../../kernel/delivery.ts';
import { ForewordError } from '../../kernel/errors.ts';
import { isAtLeast, PROOFS, type Proof } from '../../kernel/receipt.ts';
import type { Call, Command } from '../command.ts';
import { inProject } from '../in-project.ts';

export const send: Command = {
  name: 'send',
  summary: 'Send a text to a running session, and report the proof of its delivery',
  args: ['[SESSION]', '[TEXT]'],
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
      line: 'foreword send "The API key moved to .env"',
      does: 'to the only session that runs; waits while the agent is busy, and prints why',
    },
    { line: 'foreword send claude "Look at docs/api.md"', does: 'to the session of this agent' },
    { line: 'git diff | foreword send s1a2b3c4d - --wait submitted', does: 'sends standard input' },
  ],
  run: (call) =>
    inProject(call, async (project) => {
      const client = (await import('../../app/sessions.ts')).sessionsOf(project);
      const { session, isNamed, text: given } = await client.sendTo(call.args);
      const name = `${session.id} (${session.agent})`;
      const text = given ?? (await call.input());
      if (text === undefined || text.trim() === '') throw nothingFor(name);
      if (!isNamed) call.out.note(`foreword: to ${name}`);
      const wait = call.text('wait') as Proof | undefined;
      const about = { text, priority: call.text('priority') ?? 'normal', wait, isAcknowledged: call.has('ack') };
      const waiting = waitForIt(call);
      const message = { kind: 'send', ...about };
      if (session.readiness === 'suspended') {
        call.out.note(`foreword: ${session.id} is suspended (Ctrl-Z); the text waits until you run fg in its terminal`);
        const left = await client.leave(session, message);
        waiting.heard(left);
        if (wait === 'queued') return report(call, left, wait);
        const followed = { kind: 'follow', id: left.id, wait };
        return report(call, await client.deliver(session, followed, waiting.heard), wait);
      }
      return report(call, await client.deliver(session, message, waiting.heard), wait);
    }),
};

/** Says why the text waits, each reason once, and what becomes of it when the person waits no longer. */
function waitForIt(call: Call): { readonly heard: (delivery: DeliveryRecord) => void } {
  const shown = new Set<string>();
  let last: DeliveryRecord | undefined;
  process.once('SIGINT', () => {
    call.out.note(
      last === undefined
        ? '\nforeword: stopped before the session replied. foreword receipts shows whether the text is queued.'
        : `\nforeword: ${last.id} stays ${last.proof}, and is delivered when it can be. foreword receipts ${last.id} shows it.`,
    );
    process.exit(130);
  });
  return {
    heard: (delivery) => {
      last = delivery;
      const reason = waitingReasonOf(delivery);
      if (reason === undefined || shown.has(reason)) return;
      shown.add(reason);
      call.out.note(`foreword: ${delivery.id} waits: ${reason}`);
    },
  };
}

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

function nothingFor(session: string): ForewordError {
  return new ForewordError('bad-usage', `There is nothing to send to ${session}.`, {
    hint: 'Give the text as an argument, or - and the text on standard input.',
  });
}
