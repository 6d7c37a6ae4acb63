// The agent's screen: what is to be shown, and when that is drawn. Drawing may come late; until then the old screen stands.

import { frameOf, PROFILES } from './frames.mjs';
import { makePainter, outputLines } from './painters.mjs';

const SPIN_MS = 120;

/** `about()` answers what the agent knows: state, dialog, draft, queue, busyAt. `onShown` is called when a state is on the
 *  screen for the first time. */
export function makeScreen({ name, script, draws, terminal, about, onShown }) {
  const profile = PROFILES[name];
  const painter = makePainter({
    isAlternate: name === 'alternate',
    isFull: script.isFullRedraw,
    colours: script.colours,
    write: terminal.write,
    size: terminal.size,
  });
  let ghost = { text: script.ghost, isFaint: script.isGhostFaint };
  let stream = [];
  let output = [];
  let timer;

  const spinner = ({ state, busyAt }) => {
    if (state !== 'busy' || !script.spinner) return null;
    const now = performance.now();
    const seconds = Math.floor((now - busyAt) / 1000);
    return { text: script.spinnerText, seconds, step: Math.floor(now / SPIN_MS) };
  };
  const paint = (isAnew = false) => {
    if (timer !== 'until told') clearTimeout(timer);
    timer = undefined;
    const known = about();
    if (!hasScreen(known.state)) return;
    if (output.length > 0) painter.print(output);
    output = [];
    const frame = frameOf(name, {
      ...terminal.size(),
      ...known,
      stream,
      ghost: ghost.text,
      isGhostFaint: ghost.isFaint,
      isFrameFaint: script.isFrameFaint,
      spinner: spinner(known),
    });
    if (isAnew) painter.repaint(frame);
    else painter.paint(frame);
    onShown();
  };
  /** Draws later by as much as the script says; what changes until then is drawn with it. */
  const change = () => {
    const delayMs = draws.number(script.redrawMs);
    timer ??= delayMs === null ? 'until told' : setTimeout(paint, delayMs);
  };
  setInterval(() => {
    if (about().state === 'busy' && script.spinner) change();
  }, SPIN_MS);
  if (script.stormPerSecond > 0)
    setInterval(() => {
      if (timer === undefined) paint(true);
    }, 1000 / script.stormPerSecond);

  return {
    enter: painter.enter,
    leave: painter.leave,
    paint,
    change,
    /** Draws what waits for it. */
    tell: () => {
      if (timer === 'until told') paint();
    },
    /** Output: broken and indented by the agent, or left to the terminal to break. */
    say: (text, isRaw) => {
      const first = profile.mark === '' ? '' : `${profile.mark} `;
      if (isRaw && name !== 'alternate') output.push([['', `  ${text}`]]);
      else output.push(...outputLines(text, terminal.size().cols, { first }));
      change();
    },
    echoInput: (text) => {
      output.push(...outputLines(text, terminal.size().cols, { first: profile.prompt, style: 'faint' }));
      change();
    },
    showStream: (lines) => {
      stream = lines;
      change();
    },
    suggest: (text, isFaint) => {
      ghost = { text, isFaint };
      change();
    },
  };
}

/** Not in line mode, not after the end. */
export function hasScreen(state) {
  return !['cooked-start', 'cooked', 'shell', 'gone'].includes(state);
}
