// The account of bytes: every byte that was read, with the state of the agent when it came, and the harm it did. Bytes
// that came together in the same situation make one entry. Flushed before anything else is logged, so that the log
// tells things in their order.

/** What counts as harm. A person's keys and the terminal's own replies never do. Undefined: none.
 *  cooked: in line mode; not-ready: no composer yet; dialog, approval, menu: may choose an answer; shell: may run;
 *  busy: where the script says that harms; draft: changes or sends a draft that has a person's text in it; control:
 *  Escape, Ctrl-C, deleting and the like; unframed: text typed outside a paste frame. */
export function harmOf({ state, owner, busyHarms }, token) {
  if (token.by === 'person' || token.type === 'reply') return undefined;
  const byState = {
    'cooked-start': 'cooked',
    cooked: 'cooked',
    loading: 'not-ready',
    dialog: 'dialog',
    approval: 'approval',
    menu: 'menu',
    shell: 'shell',
  }[state];
  if (byState !== undefined) return byState;
  if (state === 'busy' && busyHarms) return 'busy';
  if (owner === 'person' || owner === 'mixed') return 'draft';
  if (token.type !== 'key' || token.name === 'enter') return undefined;
  return token.name === 'character' || token.name === 'newline' || token.name === 'tab' ? 'unframed' : 'control';
}

const SHOWN_CHARS = 200;

export function makeAccount(log) {
  let held = [];
  let open;
  const flush = () => {
    if (open === undefined) return;
    const { bytes, situation, harm, keys } = open;
    open = undefined;
    const buffer = Buffer.from(bytes);
    log('bytes', { hex: buffer.toString('hex'), ...situation });
    logHarm(harm, buffer, situation);
    for (const key of keys) log('key', key);
  };
  const logHarm = (harm, buffer, situation) => {
    if (harm === undefined) return;
    log('harm', {
      what: harm,
      bytes: buffer.length,
      text: buffer.toString('utf8').slice(0, SHOWN_CHARS),
      ...situation,
    });
  };
  return {
    byte: (byte) => held.push(byte),
    /** The bytes since the last time belong to this situation. Only a harm is worth an entry without bytes: an ESC whose
     *  meaning was known when nothing followed it. */
    settle: (situation, harm) => {
      if (held.length === 0 && harm === undefined) return;
      const { sinceMs: _, shownMs: __, personMs: ___, ...same } = situation;
      const key = JSON.stringify([same, harm]);
      if (open !== undefined && open.key !== key) flush();
      open ??= { key, bytes: [], situation, harm, keys: [] };
      for (const byte of held) open.bytes.push(byte);
      held = [];
    },
    /** A key these bytes were; characters that do the same make one entry. */
    key: (key) => {
      const last = open?.keys.at(-1);
      const isSame = last?.name === 'character' && key.name === 'character' && last.effect === key.effect;
      if (isSame) last.text += key.text;
      else open?.keys.push(key);
    },
    flush,
  };
}
