// What the agent says in a turn: its reply, echoes, lines it was told to say, true and false acknowledgements.

import { codeIn, idsIn } from './outside.mjs';

/** Of commands, as the startup context gave it. */
let word = '';

const FILLER = 'Thank you, I have read all of it and will keep it in mind while I work on this. ';

/** Lines in order. `isRaw` leaves the breaking of a line to the terminal; `code` marks the true acknowledgement, which
 *  may come later than the rest. */
export function answersTo(text, { script, draws, turn, cols }) {
  const lines = [{ text: script.reply.replaceAll('{n}', () => String(turn)) }];
  if (script.echo) lines.push({ text: `You said: ${text}` });
  word = /Put ([0-9a-f]{6}) for WORD/.exec(text)?.[1] ?? word;
  lines.push(...script.says.map((said) => ({ text: said.replaceAll('{word}', word) })));
  if (script.fakeAcks) lines.push(...falseAcks(text, draws).map((said) => ({ text: said })));
  const code = codeIn(text);
  if (code !== undefined && draws.chance(script.ack)) lines.push(trueAck(code, script.ackLine, cols));
  return lines;
}

/** None of these may count: no code, a wrong code, other halves, our own markers. */
export function falseAcks(text, draws) {
  const id = idsIn(text)[0] ?? `fw_${draws.code().toLowerCase()}`;
  const code = codeIn(text);
  const wrong = () => {
    for (;;) {
      const drawn = draws.code();
      if (drawn !== code) return drawn;
    }
  };
  return [
    'ACK: context received',
    `ACK: context received ${wrong()}`,
    `ACK: context received ${wrong()} (${id})`,
    `[CONTEXT INJECTION ${id} - Please acknowledge receipt]`,
    `[END CONTEXT ${id} - To confirm, reply with one line: ACK, a colon, the words context received]`,
    `ACK: context received, the code made by joining ${wrong()} and ${wrong()}`,
    '[foreword] acknowledged, delivered, served',
  ];
}

/** Output is indented by two and, where the agent breaks it, one cell short of the edge. Filled up so that the edge falls
 *  inside the code. */
function trueAck(code, style, cols) {
  const ack = `ACK: context received ${code}`;
  if (style === 'whole') return { text: ack, code };
  const row = cols - (style === 'terminal' ? 2 : 3);
  const filler = Math.max(0, row - ack.length + Math.ceil(code.length / 2));
  const words = FILLER.repeat(Math.ceil(filler / FILLER.length)).slice(0, filler);
  return { text: `${words.slice(0, -1)}${filler > 0 ? ' ' : ''}${ack}`, code, isRaw: style === 'terminal' };
}
