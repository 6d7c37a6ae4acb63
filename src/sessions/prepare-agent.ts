// Which agent a session starts, with the patterns of the configuration added to its screens; and how its deliveries are
// timed and proved. Pure.

import { fileLine, noticeLine, typedText } from '../context/texts/delivery-text.ts';
import type { Agent, Interactive } from '../kernel/agent.ts';
import { type Fault, ForewordError } from '../kernel/errors.ts';
import type { Matcher } from '../kernel/matcher.ts';
import { nearest } from '../kernel/nearest.ts';
import type { Proof } from '../kernel/receipt.ts';
import { refuseSelfMatching } from './acknowledgement.ts';
import { requiredProofBy } from './choose-channels.ts';
import type { DeliveryRules } from './delivery/step.ts';
import type { InteractiveAgent } from './prepared.ts';
import type { KnownVersion } from './rest.ts';

/** The `injection` settings. */
export interface InjectionSettings {
  readonly acknowledgmentPatterns: readonly string[];
  readonly readinessPatterns: readonly string[];
  readonly requireAcknowledgment: boolean;
  readonly readinessTimeoutMs: number;
  readonly retryBackoffs: readonly number[];
  readonly fileFallbackAfterAttempts: number;
  readonly sendNotificationOnFailure: boolean;
}

type PatternSettings = Pick<InjectionSettings, 'acknowledgmentPatterns' | 'readinessPatterns'>;

export interface PatternEngine {
  readonly match: Matcher;
  /** Why a pattern cannot be used; `undefined` when it can. */
  readonly faultOf: (pattern: string) => string | undefined;
}

/** Throws `bad-usage` when there is no such agent, or none that runs in a terminal. */
export function chooseAgent(agents: readonly Agent[], name: string, injection: PatternSettings): InteractiveAgent {
  const agent = agents.find((one) => one.name === name);
  if (agent?.interactive !== undefined)
    return { ...agent, interactive: withReadinessPatterns(agent.interactive, injection.readinessPatterns) };
  const able = agents.filter((one) => one.interactive !== undefined).map((one) => one.name);
  const meant = nearest(name, able);
  throw new ForewordError('bad-usage', `There is no agent "${name}" that can be started in a terminal.`, {
    hint: meant === undefined ? `Agents with a terminal: ${able.join(', ')}.` : `Did you mean ${meant}?`,
  });
}

/** A person's own patterns for ready come after all others: they never outrank a dialog. */
export function withReadinessPatterns(interactive: Interactive, patterns: readonly string[]): Interactive {
  const further = patterns.map((bottom) => ({ state: 'ready', bottom }) as const);
  return further.length === 0 ? interactive : { ...interactive, screens: [...interactive.screens, ...further] };
}

/** Throws `bad-config` for a pattern that does not compile, and for one that matches what we send ourselves: it would be
 *  true of every delivery and prove nothing. `sample` is any delivery. */
export function checkPatterns(
  { acknowledgmentPatterns, readinessPatterns }: PatternSettings,
  { match, faultOf }: PatternEngine,
  sample: { readonly id: string; readonly text: string; readonly code: string },
): void {
  const { id, text } = sample;
  const sent = [typedText(sample), typedText({ id, text }), fileLine('AGENTS.md'), noticeLine('AGENTS.md')];
  const settings = { acknowledgmentPatterns, readinessPatterns };
  const faults = Object.entries(settings).flatMap(([name, patterns]): Fault[] => {
    const found = (message: string): Fault => ({ where: 'configuration', path: `injection.${name}`, message });
    return [
      ...patterns.flatMap((pattern) => {
        const fault = faultOf(pattern);
        return fault === undefined ? [] : [found(`${pattern} is not a pattern that ends in linear time: ${fault}.`)];
      }),
      ...refuseSelfMatching(patterns, sent, match).map(({ pattern, line }) =>
        found(`${pattern} matches what foreword itself sends: ${line}`),
      ),
    ];
  });
  if (faults.length === 0) return;
  throw new ForewordError('bad-config', 'A pattern of the configuration cannot be used.', {
    hint: 'Change it so that only the agent can print what it matches.',
    faults,
  });
}

/** What is known of the program's version: `version` as it was found, `isTried` whether `foreword verify` tried it here. */
export function knownVersion(
  { name, interactive }: InteractiveAgent,
  found: { readonly version: string | undefined; readonly isTried: () => boolean },
): KnownVersion {
  const { screensFrom } = interactive;
  if (screensFrom === undefined) return { isMeasured: false };
  if (screensFrom === 'documents')
    return { isMeasured: false, caution: `its screens are known from documents only, not from ${name} itself` };
  if (found.version === screensFrom.version || found.isTried()) return { isMeasured: true };
  const which = found.version === undefined ? 'its version is not known' : `version ${found.version} was not measured`;
  return { isMeasured: false, caution: `${which}; foreword verify ${name} measures it` };
}

/** Whether a version is this one or a later one, as far as its numbers say. */
export function isVersionFrom(version: string, since: string): boolean {
  const [found, first] = [version, since].map((one) => (one.match(/\d+/g) ?? []).slice(0, 3).map(Number));
  const different = first?.findIndex((number, index) => number !== (found?.[index] ?? 0)) ?? -1;
  return different === -1 || (found?.[different] ?? 0) > (first?.[different] ?? 0);
}

export function requiredProof(interactive: Interactive, injection: InjectionSettings): Proof {
  return requiredProofBy(interactive, { needsReply: injection.requireAcknowledgment });
}

export function deliveryRules(
  interactive: Interactive,
  injection: Omit<InjectionSettings, keyof PatternSettings | 'requireAcknowledgment'>,
): DeliveryRules {
  return {
    stableMs: 300,
    personMs: 3000,
    submitDelayMs: interactive.submit.delayMs,
    readinessTimeoutMs: injection.readinessTimeoutMs,
    retryBackoffs: injection.retryBackoffs,
    fileFallbackAfterAttempts: injection.fileFallbackAfterAttempts,
    sendNotificationOnFailure: injection.sendNotificationOnFailure,
  };
}
