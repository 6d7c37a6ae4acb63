// What a conversation holds of our texts, and which of them a model has answered to. Agents write a text down before they send
// it, so that it stands in the log proves nothing about a model; something of the model behind it does, if the model was sent
// the text: it is on the same branch, nothing was forgotten in between, and it is not the rest of an answer that had begun
// before. A fault of the service in the answer's place is kept as the reason, until a later answer. Pure; the state is plain
// data, so that a hook can keep it from one turn to the next.

import type { TranscriptText } from '../../kernel/transcript.ts';
import { faultReason } from './fault-reason.ts';

export interface HeldText {
  readonly id: string;
  readonly role: string;
  /** The place of the text. */
  readonly evidence: string;
  /** The response that was coming in when it was written down: the rest of that one knows nothing of it. */
  readonly during?: string;
}

/** One log, up to some record. */
export interface Conversation {
  /** What the next request holds and no answer has followed. */
  readonly held: readonly HeldText[];
  /** What the next request holds no more, since the last prompt. */
  readonly lost: readonly HeldText[];
  /** The response that came last. */
  readonly response: string;
  /** How many requests there must have been, where responses have no ids. */
  readonly requests: number;
  readonly hasPrompt: boolean;
  /** The place of a prompt whose request is on its way. Absent when it was answered or failed since. */
  readonly asked?: string;
  /** What was held at the last records, for a conversation that goes on from one of them. */
  readonly nodes: readonly (readonly [node: string, held: readonly HeldText[]])[];
}

/** Conversations by their logs. */
export type Conversations = Readonly<Record<string, Conversation>>;

export interface ConversationNews {
  readonly conversations: Conversations;
  /** Texts that were written down. */
  readonly given: readonly HeldText[];
  /** Texts that a model answered to; `evidence` names both places. */
  readonly answered: readonly HeldText[];
  /** Texts whose turn failed, or that the model is not sent any more though it never answered to them, with why. */
  readonly failed: readonly FailedText[];
}

export type FailedText = HeldText & { readonly reason: string };

/** In place of a response that has no id yet: its request was on its way before the text was written down. */
const COMING = '?';

const DROPPED = 'the agent took it out of the conversation';

export const NEW_CONVERSATION: Conversation = {
  held: [],
  lost: [],
  response: '',
  requests: 0,
  hasPrompt: false,
  nodes: [],
};

const MOST_HELD = 200;
const MOST_NODES = 400;
/** Logs of which something is held. */
const MOST_LOGS = 20;

/** `texts` in the order in which they were written; what sub-agents were given and said is left out. */
export function followConversations(before: Conversations, texts: readonly TranscriptText[]): ConversationNews {
  const logs = new Map(Object.entries(before));
  const news = { given: [] as HeldText[], answered: [] as HeldText[] };
  const failed = new Map<string, FailedText>();
  for (const text of texts) {
    if (text.isSubagent === true) continue;
    const log = text.log ?? text.sessionId ?? '';
    const step = stepOf(logs.get(log) ?? NEW_CONVERSATION, text);
    logs.delete(log);
    logs.set(log, step.next);
    news.given.push(...(step.given ?? []));
    news.answered.push(...(step.answered ?? []));
    for (const one of step.failed ?? []) failed.set(keyOf(one), one);
    for (const one of [...(step.given ?? []), ...(step.answered ?? [])]) failed.delete(keyOf(one));
  }
  const conversations = Object.fromEntries([...logs].slice(-MOST_LOGS));
  return { conversations, ...news, failed: [...failed.values()] };
}

interface Step {
  readonly next: Conversation;
  readonly given?: readonly HeldText[];
  readonly answered?: readonly HeldText[];
  readonly failed?: readonly FailedText[];
}

function stepOf(before: Conversation, text: TranscriptText): Step {
  const step = change(before, text);
  return { ...step, next: atNode(step.next, text) };
}

function change(before: Conversation, text: TranscriptText): Step {
  switch (text.kind) {
    case 'given':
      return given(before, text);
    case 'reply':
      return text.isRetold === true ? { next: before } : answered(before, text);
    case 'sent':
      return { next: { ...before, requests: before.requests + 1 } };
    case 'fault': {
      const reason = faultReason(text);
      const ofLost = withReason(before.lost, `${reason}; ${DROPPED}`);
      return { next: notAsked(before), failed: [...withReason(before.held, reason), ...ofLost] };
    }
    case 'forgotten': {
      const lost = [...before.lost, ...before.held].slice(-MOST_HELD);
      return { next: { ...notAsked(before), held: [], lost, nodes: [] }, failed: withReason(before.held, DROPPED) };
    }
    case 'answer':
    case 'began':
    case 'ended':
    case 'step':
    case 'taken':
    case 'printed':
      return { next: before };
  }
}

function given(before: Conversation, text: TranscriptText): Step {
  // One record may hold several texts.
  const isSameRecord = text.node !== undefined && before.nodes.at(-1)?.[0] === text.node;
  const onBranch = text.isPrompt === true && !isSameRecord ? goesOnFrom(before, text) : before.held;
  const dropped = before.held.filter((one) => !onBranch.includes(one));
  const { role, evidence } = text;
  const isLate = text.isApart === true && before.asked !== undefined && before.asked !== evidence;
  const during = isLate ? { during: COMING } : before.response === '' ? {} : { during: before.response };
  const isTyped = role === 'user' && text.isHuman !== false && text.isApart !== true;
  const asked = isTyped ? { asked: evidence } : {};
  // A list of receipts holds ids too.
  const fresh = idsIn(text.isOutput === true ? '' : text.text)
    .map((id): HeldText => ({ id, role, evidence, ...during }))
    .filter((one) => !onBranch.some((known) => keyOf(known) === keyOf(one)));
  const isPrompt = text.isPrompt === true;
  const held = [...onBranch, ...fresh].slice(-MOST_HELD);
  return {
    next: {
      ...before,
      ...asked,
      held,
      lost: isPrompt ? [] : before.lost.filter((one) => !held.some((known) => keyOf(known) === keyOf(one))),
      requests: before.requests + (isPrompt ? 1 : 0),
      hasPrompt: before.hasPrompt || isPrompt,
    },
    given: fresh,
    failed: withReason(dropped, DROPPED),
  };
}

/** What the branch holds that a prompt goes on from. Without branches there is one; the first prompt of all may stand apart
 *  from what came before it. */
function goesOnFrom({ held, nodes, hasPrompt }: Conversation, { parent }: TranscriptText): readonly HeldText[] {
  if (parent === undefined || !hasPrompt) return held;
  return nodes.findLast(([node]) => node === parent)?.[1] ?? [];
}

function answered(before: Conversation, text: TranscriptText): Step {
  const response = text.response ?? `#${before.requests}`;
  const isOfIt = ({ during }: HeldText) => during === response || during === COMING;
  const held = before.held.filter(isOfIt).map((one) => ({ ...one, during: response }));
  const answers = before.held
    .filter((one) => !isOfIt(one))
    .map((one) => ({ ...one, evidence: `${one.evidence}, answered ${lineOf(one, text)}` }));
  return { next: { ...notAsked(before), response, held }, answered: answers };
}

/** No request is on its way. */
function notAsked({ asked: _, ...rest }: Conversation): Conversation {
  return rest;
}

/** Short where both stand in one file. */
function lineOf({ evidence }: HeldText, answer: TranscriptText): string {
  const [, file, line] = /^(.*):(\d+)$/.exec(answer.evidence) ?? [];
  return file !== undefined && evidence.startsWith(`${file}:`) ? `in line ${line}` : `in ${answer.evidence}`;
}

/** Nothing is kept of records at which nothing was held: whatever goes on from an unknown record holds nothing. */
function atNode(conversation: Conversation, { node }: TranscriptText): Conversation {
  const { held, nodes } = conversation;
  if (node === undefined || (held.length === 0 && nodes.length === 0)) return conversation;
  const last = nodes.at(-1);
  const others = last?.[0] === node ? nodes.slice(0, -1) : nodes;
  return { ...conversation, nodes: [...others, [node, held] as const].slice(-MOST_NODES) };
}

function withReason(texts: readonly HeldText[], reason: string): readonly FailedText[] {
  return texts.map((one) => ({ ...one, reason }));
}

function keyOf({ id, role }: HeldText): string {
  return `${id} ${role}`;
}

/** Each as a word of its own. */
export function idsIn(text: string): readonly string[] {
  if (!text.includes('fw_')) return [];
  return [...new Set(text.match(/(?<![\w-])fw_[a-z0-9]{1,40}(?![\w-])/g) ?? [])].slice(0, MOST_HELD);
}
