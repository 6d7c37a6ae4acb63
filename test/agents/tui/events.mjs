// Things that happen to the agent at moments the script names: `{ on, nth, afterMs, do, … }`.
// on: start, ready, paste, submit, turn (one began), idle (one ended). nth: which of these; 1 if not said, 0 for each.

/** What `do` can be, with what it needs. */
const DEEDS = {
  /** `{ text }` or `{ texts }`: says something of itself. */
  say: (agent, { text, texts = [text] }) => agent.say(texts.map((said) => ({ text: said }))),
  /** `{ dialog }`: asks, over whatever it is doing. */
  dialog: (agent, { dialog }) => agent.ask(dialog),
  /** `{ ms }`: works on something nobody asked for. */
  busy: (agent, { ms }) => agent.occupy(agent.draws.number(ms)),
  /** `{ ms }`: reads nothing; what comes stays in the terminal. */
  freeze: (agent, { ms }) => agent.freeze(agent.draws.number(ms)),
  /** `{ ms }`: gives the terminal to a program in line mode, an editor for instance. */
  cooked: (agent, { ms }) => agent.lendTerminal(agent.draws.number(ms)),
  /** `{ isOn }`: asks for paste frames, or takes that back. */
  'paste-mode': (agent, { isOn }) => agent.setPasteMode(isOn),
  /** `{ text, isFaint }`: suggests something in the empty composer. */
  ghost: (agent, { text, isFaint = true }) => agent.suggest(text, isFaint),
  /** `{ text }`: empties the screen, as /clear does. */
  redraw: (agent) => agent.repaint(),
  /** `{ status }` */
  exit: (agent, { status = 0 }) => agent.exit(status),
  /** By KILL, without a word. */
  die: (agent) => agent.die(),
  /** Ends and leaves the terminal to the shell it was started from. */
  shell: (agent) => agent.becomeShell(),
};

export function makeEvents(agent, events) {
  for (const event of events)
    if (DEEDS[event.do] === undefined) throw new Error(`no such deed: ${JSON.stringify(event.do)}`);
  const counts = new Map();
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    for (const event of events) {
      const { on, nth = 1, afterMs = 0 } = event;
      if (on !== name || (nth !== 0 && nth !== count)) continue;
      setTimeout(() => {
        agent.log('event', { on, count, do: event.do });
        DEEDS[event.do](agent, event);
      }, agent.draws.number(afterMs));
    }
  };
}
