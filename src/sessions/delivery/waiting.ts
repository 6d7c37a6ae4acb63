// Why a text waits, as a person reads it. Nothing is typed into a dialog, a draft or a busy agent, and nothing is
// submitted that a person may have added to.

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
    case 'gone':
      return 'the agent is gone';
  }
}

/** Why the body must not be typed now. */
export function reasonNotToType(view: DeliveryView, rules: DeliveryRules): string | undefined {
  if (view.held !== undefined) return view.held;
  const reason = waitingFor(view);
  if (reason !== undefined) return reason;
  const isTyping = view.personAt !== undefined && view.now - view.personAt < rules.personMs;
  if (view.readiness.composer.kind === 'text') return 'draft in composer';
  if (view.readiness.composer.kind === 'absent') return 'screen not recognised';
  return isTyping ? 'human typing' : undefined;
}

/** Why the submit key must not be sent though our text shows. A person who typed since may have added to it. */
export function reasonNotToPress(view: DeliveryView, since: number): string | undefined {
  if (view.held !== undefined) return view.held;
  if (view.personAt !== undefined && view.personAt >= since) return 'human typing';
  if (!view.canType) return 'screen not recognised';
  return view.readiness.state === 'ready' ? undefined : (waitingFor(view) ?? 'screen not recognised');
}

/** How soon a reason may be over without the screen showing it: a person stops typing, a pause is lifted. */
export function againAfter(reason: string): number {
  return reason === 'human typing' ? 500 : 5000;
}
