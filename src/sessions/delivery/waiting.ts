// Why a text waits, as a person reads it. Nothing is typed into a dialog, a draft or a busy agent, and nothing is
// submitted that a person may have added to.

import { type DeliveryRecord, type DeliveryStage, waitingReasonOf } from '../../kernel/delivery.ts';
import { SHELL_MODE } from '../composer-line.ts';
import type { DeliveryRules, DeliveryView } from './step.ts';

/** The reason a screen gives; `undefined` when it is ready. */
export function waitingFor(view: Pick<DeliveryView, 'readiness'>): string | undefined {
  const { state, asks } = view.readiness;
  switch (state) {
    case 'ready':
      return undefined;
    case 'starting':
      return 'agent-starting';
    case 'busy':
      return 'agent-busy';
    case 'asking':
      return asks === 'approval' ? 'approval pending' : `dialog: ${asks ?? 'a question'}`;
    case 'unrecognised':
      return 'screen not recognised';
    case 'suspended':
      return 'suspended';
    case 'gone':
      return 'the agent is gone';
  }
}

/** It looks ready, and may still be at work, or not be up yet. */
export function reasonNotAtRest({ hasBeenUsed, isMoving, caution }: DeliveryView): string {
  const reason = hasBeenUsed ? 'agent-busy' : 'agent-starting';
  return isMoving ? withCaution(reason, caution) : reason;
}

function withCaution(reason: string, caution: string | undefined): string {
  return caution === undefined ? reason : `${reason} (${caution})`;
}
/** What a delivery that has not ended waits for, in any stage. */
export function openReasonOf(delivery: DeliveryRecord): string {
  return waitingReasonOf(delivery) ?? OPEN_REASONS[delivery.stage];
}

const OPEN_REASONS: Readonly<Record<DeliveryStage, string>> = {
  queued: 'in the queue',
  typing: 'being typed',
  typed: 'being typed',
  placed: 'not taken by the agent yet',
  submitting: 'not taken by the agent yet',
  submitted: 'no answer of the model yet',
  ended: '',
};

/** Why the body must not be typed now. */
export function reasonNotToType(view: DeliveryView, rules: DeliveryRules): string | undefined {
  if (view.held !== undefined) return view.held;
  const reason = waitingFor(view);
  if (view.readiness.state === 'unrecognised') return withCaution('screen not recognised', view.caution);
  if (reason !== undefined) return reason;
  const isTyping = view.personAt !== undefined && view.now - view.personAt < rules.personMs;
  const { composer } = view.readiness;
  if (composer.kind === 'text') return composer.text === SHELL_MODE ? 'shell mode' : 'draft in composer';
  if (view.readiness.composer.kind === 'absent') return withCaution('screen not recognised', view.caution);
  return isTyping ? 'human typing' : undefined;
}

/** Why the submit key must not be sent though our text shows. A person who typed since may have added to it. */
export function reasonNotToPress(view: DeliveryView, since: number): string | undefined {
  if (view.held !== undefined) return view.held;
  if (view.personAt !== undefined && view.personAt >= since) return 'human typing';
  if (!view.canType) return 'screen not recognised';
  return view.readiness.state === 'ready' || view.isTall ? undefined : (waitingFor(view) ?? 'screen not recognised');
}

/** How soon a reason may be over without the screen showing it: a person stops typing, a pause is lifted. */
export function againAfter(reason: string): number {
  return reason === 'human typing' ? 500 : 5000;
}
