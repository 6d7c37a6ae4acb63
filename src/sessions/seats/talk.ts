// What a session's transcript shows of the talk with its agent: the person's last prompt, and the limit that keeps the agent from
// answering. Pure.

import type { TranscriptText } from '../../kernel/transcript.ts';
import { faultReason, resetOf } from '../transcripts/fault-reason.ts';

export interface Talk {
  /** As the person wrote it; absent before the first one. */
  readonly prompt?: string;
  /** `limit until 14:05 UTC`, while nothing of the model came after it. */
  readonly limit?: string;
  /** When that is over, where the agent said so. */
  readonly limitUntil?: number;
}

const MOST_CHARS = 16_384;

/** `ours` are the ids of texts that we delivered: those are not the person's. */
export function followTalk(talk: Talk, texts: readonly TranscriptText[], ours: readonly string[]): Talk {
  return texts.reduce((before, text) => followOne(before, text, ours), talk);
}

function followOne(talk: Talk, text: TranscriptText, ours: readonly string[]): Talk {
  if (text.isSubagent === true || text.isRetold === true) return talk;
  if (text.kind === 'answer' || text.kind === 'reply') {
    const { limit: _, limitUntil: _until, ...rest } = talk;
    return rest;
  }
  if (text.kind === 'fault') {
    const reason = faultReason(text);
    if (!reason.startsWith('limit')) return talk;
    const { limitUntil: _, ...rest } = talk;
    const until = resetOf(text);
    return { ...rest, limit: reason, ...(until === undefined ? {} : { limitUntil: until }) };
  }
  return isPersonsPrompt(text, ours) ? { ...talk, prompt: text.text } : talk;
}

/** What the person wrote to the agent of the session. */
export function isPersonsPrompt(text: TranscriptText, ours: readonly string[]): boolean {
  const { kind, role, isHuman, isOutput } = text;
  const isPrompt = kind === 'given' && role === 'user' && isHuman !== false && isOutput !== true && isPlain(text.text);
  return isPrompt && !ours.some((id) => text.text.includes(id));
}

/** Agents log what they add to the talk themselves in the person's name, in tags. */
function isPlain(text: string): boolean {
  const words = text.trim();
  return words !== '' && words.length <= MOST_CHARS && !/^(<[a-z][\w-]*>|# AGENTS\.md|\[foreword |\[fw_)/i.test(words);
}
