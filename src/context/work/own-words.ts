// The words of the person in a prompt: what hooks and foreword put around or before them is taken out. Where nothing is left, the
// person did not write it.

/** Blocks of ours: their first and last lines carry an id. */
const OWN_BLOCKS =
  /\[foreword (?:startup|prompt|gate|sub-agent) fw_[a-z0-9]+\][\s\S]*?(?:\[end of foreword (?:startup|prompt|gate|sub-agent) fw_[a-z0-9]+\]|$)/g;
const TYPED_BLOCKS = /\[CONTEXT INJECTION fw_[a-z0-9]+[^\]]*\][\s\S]*?(?:\[END CONTEXT fw_[a-z0-9]+[^\]]*\]|$)/g;
const HOOK_BLOCKS = /<(hook_context|system-reminder|user-prompt-submit-hook)>[\s\S]*?(?:<\/\1>|$)/g;
/** Sent by `foreword send` while the agent was busy: it joins what waits to one prompt. */
const SENT_BEHIND = /\n\s*\[fw_[a-z0-9]+\]\s*\n[\s\S]*$/;
/** Sent by `foreword send`, a startup context by itself, or one of our notices. */
const SENT =
  /^\s*(?:\[(?:foreword )?fw_[a-z0-9]+\]|\[System\] Session context|\[IMPORTANT\] Session context|\[foreword\] Your ->)/;

/** `undefined` when nothing of it is the person's. */
export function ownWords(text: string): string | undefined {
  const left = [HOOK_BLOCKS, OWN_BLOCKS, TYPED_BLOCKS, SENT_BEHIND]
    .reduce((rest, pattern) => rest.replace(pattern, ''), text.slice(0, LOOKED_AT))
    .trim();
  return left === '' || SENT.test(left) ? undefined : left;
}

/** Whether more than the text of a hook is in it. */
export function isSaid(text: string): boolean {
  return text.slice(0, LOOKED_AT).replace(HOOK_BLOCKS, '').trim() !== '';
}

/** Of a longer one the beginning is enough. */
const LOOKED_AT = 100_000;
