// Which proof of a delivery is in an agent's transcript: the highest, with the place. The id in a text of the conversation is
// `submitted`, and `served` once something of the model follows it there (transcripts/conversation.ts); the reply code in the
// model's reply is `acknowledged`; the id in what the agent took from a hook is `submitted`, in something that was only printed
// no more than `placed`. What a sub-agent was given proves nothing about the agent.

import type { DeliveryRecord } from '../kernel/delivery.ts';
import type { Matcher } from '../kernel/matcher.ts';
import { type Channel, isAtLeast, type Proof } from '../kernel/receipt.ts';
import type { TranscriptText } from '../kernel/transcript.ts';
import { matchesAck, squeezed } from './acknowledgement.ts';
import { channelRules } from './channels/index.ts';
import {
  type ConversationNews,
  type Conversations,
  followConversations,
  type HeldText,
} from './transcripts/conversation.ts';

export interface SearchedDelivery {
  readonly id: string;
  /** The code, whole. */
  readonly replyCode?: string;
  readonly ackPatterns?: readonly string[];
  readonly match?: Pick<Matcher, 'test'>;
  /** The channels it was placed by. A text that was only ever typed is served as a user's; a tool's output that names the id,
   *  such as a list of receipts, is not it. */
  readonly channels?: readonly Channel[];
  /** It was given in what came earlier: configured patterns count from the first text on, not only after the id. */
  readonly wasGiven?: boolean;
}

export interface FoundProof {
  readonly proof: Proof;
  readonly evidence: string;
}

/** `texts` in the order they were written, from the start of the conversation. `undefined` when there is nothing about it. */
export function proofIn(texts: readonly TranscriptText[], delivery: SearchedDelivery): FoundProof | undefined {
  return proofAmong({ texts: ownOf(texts), news: followConversations({}, texts) }, delivery);
}

interface Searched {
  readonly texts: readonly TranscriptText[];
  readonly news: Pick<ConversationNews, 'given' | 'answered'>;
}

function proofAmong({ texts, news }: Searched, delivery: SearchedDelivery): FoundProof | undefined {
  const isIt = (held: HeldText) => held.id === delivery.id && isItsRole(held, delivery);
  const answer = acknowledging(texts, delivery);
  if (answer !== undefined) return { proof: 'acknowledged', evidence: answer.evidence };
  const served = news.answered.find(isIt);
  if (served !== undefined) return { proof: 'served', evidence: served.evidence };
  const given = news.given.find(isIt);
  if (given !== undefined) return { proof: 'submitted', evidence: given.evidence };
  const taken = texts.find((text) => text.kind === 'taken' && holdsId(text.text, delivery.id));
  if (taken !== undefined) return { proof: 'submitted', evidence: taken.evidence };
  const printed = texts.find((text) => text.kind === 'printed' && holdsId(text.text, delivery.id));
  return printed === undefined ? undefined : { proof: 'placed', evidence: printed.evidence };
}

function acknowledging(texts: readonly TranscriptText[], delivery: SearchedDelivery): TranscriptText | undefined {
  const givenAt = texts.findIndex(
    (text) => text.kind === 'given' && isItsRole(text, delivery) && holdsId(text.text, delivery.id),
  );
  return texts.find((text, index) => {
    const counts = delivery.wasGiven === true || (givenAt !== -1 && index > givenAt);
    return text.kind === 'answer' && isAnswer(text.text, delivery, counts);
  });
}

function ownOf(texts: readonly TranscriptText[]): readonly TranscriptText[] {
  return texts.filter((text) => text.isSubagent !== true && text.isOutput !== true);
}

/** The code is enough wherever it is; a configured pattern may be any word, and counts only behind the delivery. */
function isAnswer(text: string, delivery: SearchedDelivery, countsPatterns: boolean): boolean {
  const { ackPatterns = [], match } = delivery;
  const extra = countsPatterns && match !== undefined ? { patterns: ackPatterns, match } : undefined;
  return matchesAck(text, delivery.replyCode, extra);
}

function isItsRole({ role }: Pick<TranscriptText, 'role'>, { channels = [] }: SearchedDelivery): boolean {
  return channels.length === 0 || channels.some((channel) => channelRules(channel).isServedAs(role));
}

export interface ProofNews {
  readonly conversations: Conversations;
  /** A better proof for each delivery that has one. */
  readonly proofs: readonly (FoundProof & { readonly id: string })[];
  /** Why a delivery that no model was given yet got no answer. */
  readonly faults: readonly { readonly id: string; readonly reason: string }[];
}

/** Goes on from the conversations as they were before `texts`. */
export function searchProofs(
  deliveries: readonly DeliveryRecord[],
  texts: readonly TranscriptText[],
  given: {
    readonly before: Conversations;
    readonly ackPatterns: readonly string[];
    readonly match: Pick<Matcher, 'test'>;
  },
): ProofNews {
  const { before, ...patterns } = given;
  const news = followConversations(before, texts);
  const own = ownOf(texts);
  const open = deliveries.filter(canBeProved);
  const proofs = open.flatMap(({ id, proof, placedOn, code }) => {
    const found = proofAmong(
      { texts: own, news },
      {
        id,
        ...patterns,
        channels: placedOn,
        wasGiven: isAtLeast(proof, 'served') || isHeld(before, id),
        ...(code === undefined ? {} : { replyCode: code }),
      },
    );
    return found === undefined || isAtLeast(proof, found.proof) ? [] : [{ id, ...found }];
  });
  const faults = open.flatMap(({ id, proof, placedOn }) => {
    const failed = news.failed.findLast((one) => one.id === id && isItsRole(one, { id, channels: placedOn }));
    return failed === undefined || isAtLeast(proof, 'served') ? [] : [{ id, reason: failed.reason }];
  });
  return { conversations: news.conversations, proofs, faults };
}

function isHeld(conversations: Conversations, id: string): boolean {
  return Object.values(conversations).some(({ held }) => held.some((one) => one.id === id));
}

/** Those whose reply code is on the screen. A screen gives what a transcript would, where there is none: the reply
 *  that was asked for, and nothing else. */
export function acknowledgedOn(
  screen: string,
  deliveries: readonly DeliveryRecord[],
): readonly (FoundProof & { readonly id: string })[] {
  const asked = deliveries.filter((one) => canBeProved(one) && one.code !== undefined);
  if (asked.length === 0) return [];
  const shown = squeezed(screen);
  return asked
    .filter(({ code }) => shown.includes(squeezed(`ACK: context received ${code}`)))
    .map(({ id }) => ({ id, proof: 'acknowledged', evidence: 'the reply code is on the screen' }));
}

/** Placed somewhere, not yet acknowledged. */
function canBeProved({ placedOn, proof }: DeliveryRecord): boolean {
  return placedOn.length > 0 && proof !== 'acknowledged';
}

/** As a word of its own: `fw_a12` does not hold `fw_a1`. */
export function holdsId(text: string, id: string): boolean {
  if (id === '') return false;
  for (let at = text.indexOf(id); at !== -1; at = text.indexOf(id, at + 1))
    if (!isPartOfId(text[at - 1]) && !isPartOfId(text[at + id.length])) return true;
  return false;
}

function isPartOfId(sign: string | undefined): boolean {
  return sign !== undefined && /[A-Za-z0-9_-]/.test(sign);
}
