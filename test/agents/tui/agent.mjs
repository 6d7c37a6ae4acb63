// The agent: its state, its screen, and what it makes of every token. Everything is logged before it is done.
// States: cooked-start → loading → dialog … → ready ⇄ busy; menu, approval, dialog and cooked lie over these; shell, gone.

import { isPersons } from '../person.mjs';
import { harmOf, makeAccount } from './account.mjs';
import { makeComposer } from './composer.mjs';
import { answerOf, openDialog } from './dialogs.mjs';
import { makeEvents } from './events.mjs';
import { openInput } from './input.mjs';
import { idsIn } from './outside.mjs';
import { makeParser } from './parser.mjs';
import { hasScreen, makeScreen } from './screen.mjs';
import { makeDraws } from './script.mjs';
import { makeShell } from './shell.mjs';
import { makeTerminal } from './terminal.mjs';
import { makeTurns } from './turns.mjs';

export function makeAgent({ name, script, log: write }) {
  const account = makeAccount(write);
  const draws = makeDraws(script.seed);
  const composer = makeComposer({ collapse: script.collapse });
  const terminal = makeTerminal();

  let state = 'cooked-start';
  let stateAt = performance.now();
  let shownAt = stateAt; // in line mode there is nothing to draw
  /** What is underneath while a dialog or a borrowed terminal lies over it. */
  let underneath = 'ready';
  let dialog = null;
  let closeDialog = () => undefined;
  let frames = 0;
  let personAt = null;
  let lastPasteAt = Number.NEGATIVE_INFINITY;
  let swallowed = 0;
  let busyAt = 0;
  let isAfterFreeze = false;
  let noted = '';
  const told = [];
  let shell;

  const log = (kind, fields) => {
    account.flush();
    write(kind, fields);
  };

  const screen = makeScreen({
    name,
    script,
    draws,
    terminal,
    about: () => ({ state, dialog, busyAt, shown: composer.shown(), queued: turns.queued() }),
    onShown: () => {
      if (shownAt !== null) return;
      shownAt = performance.now();
      log('shown', { state });
    },
  });

  // State

  const setState = (next, more = {}) => {
    input.drain();
    const from = state;
    state = next;
    if (next === 'busy' && from !== 'busy') busyAt = performance.now();
    stateAt = performance.now();
    shownAt = hasScreen(state) ? null : stateAt;
    log('state', { state, from, composer: composer.text(), draft: composer.owner(), ...more });
    if (['dialog', 'approval', 'loading'].includes(next)) screen.paint();
    else screen.change();
  };
  const isCovered = () => dialog !== null || state === 'cooked';
  const goTo = (next) => {
    underneath = next;
    if (!isCovered() && state !== next && state !== 'shell') setState(next);
  };

  // Input

  const situation = (by, more) => ({
    state,
    sinceMs: since(stateAt),
    shownMs: shownAt === null ? null : since(shownAt),
    draft: composer.owner(),
    by,
    personMs: personAt === null ? null : since(personAt),
    ...(isAfterFreeze ? { isAfterFreeze } : {}),
    ...more,
  });
  const settle = (token, by, more) => {
    const harm = harmOf({ state, owner: composer.owner(), busyHarms: script.busyHarms }, token);
    account.settle(situation(by, more), harm);
  };
  const take = (token) => {
    if (token.type === 'open') frames += 1;
    if (token.type === 'reply') return settle(token, 'terminal');
    if (token.type !== 'key') settle(token, 'frame', { frame: frames });
    else settle(token, token.by);
    const text = token.type === 'paste' ? pasted(token.body) : '';
    if (token.type === 'paste') {
      token.by = isPersonsPaste(text) ? 'person' : 'program';
      const { body, by } = token;
      log('paste', { text, ids: idsIn(text), by, bytes: body.length, frame: frames, state, draft: composer.owner() });
    }
    if (token.by === 'person') personAt = performance.now();
    const before = state;
    const effect = act(token, text);
    const key = { name: token.name, text: token.text, by: token.by, state: before, effect };
    if (token.name === 'character') account.key(key);
    else if (token.type === 'key') log('key', key);
    if (token.type === 'paste') agent.fire('paste');
  };
  /** Answers what came of it. */
  const act = (token, text) => {
    if (state === 'shell') return shell.take(token) ?? 'shell';
    if (dialog !== null) return choose(token);
    if (state !== 'ready' && state !== 'busy' && state !== 'menu') return 'lost';
    screen.change();
    if (token.type === 'paste') {
      lastPasteAt = performance.now();
      if (token.by === 'person') composer.type('person', text);
      else composer.paste(text);
    } else if (token.name === 'enter') return state === 'menu' ? chooseFromMenu() : enter(token.by);
    else if (token.name === 'character') composer.type(token.by, token.text);
    else if (token.name === 'newline') composer.type(token.by, '\n');
    else if (token.name === 'backspace' || token.name === 'delete') composer.back();
    else if (['ctrl-u', 'ctrl-c', 'escape'].includes(token.name)) composer.clear();
    else return 'nothing';
    if (script.hasMenu) watchMenu();
    return 'edited';
  };
  const enter = (by) => {
    if (composer.isEmpty()) return 'nothing';
    if (swallowed < script.swallowFirst || draws.chance(script.swallowEnter)) {
      swallowed += 1;
      return 'swallowed';
    }
    if (performance.now() - lastPasteAt >= script.enterGapMs) return submit(composer.text(), by);
    if (script.soonEnter === 'placeholder') return submit(composer.shown(), by);
    if (script.soonEnter === 'newline') composer.type(by, '\n');
    return script.soonEnter === 'newline' ? 'newline' : 'swallowed';
  };
  const submit = (text, by, how = turns.how()) => {
    const [draft, personBytes] = [composer.owner(), composer.personBytes()];
    const personMs = personAt === null ? null : since(personAt);
    log('submit', { text, ids: idsIn(text), by, how, draft, personBytes, personMs, state });
    composer.clear();
    agent.fire('submit');
    turns.take(text);
    return 'submit';
  };
  const watchMenu = () => {
    const isMenu = /^\/\w*$/.test(composer.text());
    if (isMenu && state === 'ready') setState('menu');
    if (!isMenu && state === 'menu') setState(underneath);
  };
  const chooseFromMenu = () => {
    log('chosen', { from: 'menu' });
    composer.clear();
    setState(underneath);
    return 'chose';
  };
  const choose = (token) => {
    const { selected, option } = answerOf(dialog, token);
    if (selected !== undefined) {
      dialog.selected = selected;
      screen.change();
      return 'moved';
    }
    if (option === undefined) return 'nothing';
    closeDialog(dialog.options[option]?.answer ?? 'cancel', token.by ?? 'program');
    return 'chose';
  };

  const noteDraft = () => {
    account.flush();
    const text = composer.text();
    if (text === noted) return;
    noted = text;
    write('draft', { text, shown: composer.shown(), draft: composer.owner() });
  };

  const parser = makeParser({ isPasteOn: terminal.isPasteOn });
  const input = openInput({
    onBytes: (bytes, isLate) => {
      isAfterFreeze = isLate;
      for (const byte of bytes) {
        account.byte(byte);
        const token = parser.feed(byte);
        if (token !== undefined) take(token);
        const { nth = 1, afterBytes = 0 } = script.dieInPaste ?? {};
        if (script.dieInPaste && frames === nth && parser.isInPaste() && parser.pastedBytes() >= afterBytes)
          agent.die();
      }
      if (parser.isInPaste()) settle({ type: 'frame' }, 'frame', { frame: frames });
      else settle({ type: 'reply' }, 'part');
      noteDraft();
    },
    onQuiet: () => {
      const token = parser.settle();
      if (token !== undefined) take(token);
      noteDraft();
    },
    onEnd: () => agent.exit(129),
  });

  const agent = {
    log,
    draws,
    script,
    size: terminal.size,
    goTo,
    /** That long, or until told. */
    wait: (ms) => (ms === null ? new Promise((resolve) => told.push(resolve)) : sleep(ms)),
    repaint: () => screen.paint(true),
    say: (answers) => {
      for (const { text, isRaw } of answers) {
        log('said', { text });
        screen.say(text, isRaw);
      }
    },
    echoInput: screen.echoInput,
    showStream: screen.showStream,
    suggest: screen.suggest,
    occupy: (ms) => turns.occupy(ms),
    freeze: (ms) => {
      log('freeze', { ms });
      input.freeze(ms);
    },
    setPasteMode: (isOn) => {
      input.drain();
      terminal.setPasteMode(isOn);
      log('paste-mode', { isOn });
    },
    /** Resolves with the answer when the dialog is closed. */
    ask: (given) => {
      if (dialog !== null || !hasScreen(state)) return Promise.resolve('nobody');
      const opened = openDialog(given);
      if (state !== 'menu') underneath = state;
      input.drain(); // what came until now was not for the dialog
      dialog = opened;
      setState(opened.name === 'approval' ? 'approval' : 'dialog', { dialog: opened.name, selected: opened.selected });
      return new Promise((resolve) => {
        closeDialog = (answer, by) => {
          if (dialog !== opened) return;
          log('answer', { dialog: opened.name, answer, by });
          if (opened.isFatal && answer !== 'yes') return agent.exit(1);
          dialog = null;
          setState(underneath);
          resolve(answer);
        };
        if (opened.closesAfterMs !== null)
          setTimeout(() => closeDialog('yes', 'nobody'), draws.number(opened.closesAfterMs));
      });
    },
    lendTerminal: (ms) => {
      if (!hasScreen(state) || dialog !== null) return;
      underneath = state === 'menu' ? 'ready' : state;
      setState('cooked');
      screen.leave();
      terminal.setRaw(false);
      terminal.write('\r\n-- editor --\r\n');
      void agent.wait(ms).then(() => {
        if (state !== 'cooked') return;
        input.drain();
        terminal.setRaw(true, script.pasteMode);
        input.drain(); // a line that was begun before
        screen.enter();
        setState(underneath);
        screen.paint(true);
      });
    },
    becomeShell: () => {
      setState('shell', { style: script.shellStyle });
      screen.leave();
      if (script.shellStyle === 'cooked') terminal.setRaw(false);
      shell = makeShell({ style: script.shellStyle, write: terminal.write, log });
      shell.open();
    },
    die: () => {
      settle({ type: 'frame' }, 'frame', { frame: frames });
      log('death', {});
      process.kill(process.pid, 'SIGKILL');
    },
    exit: (status) => {
      if (state === 'gone') return;
      log('state', { state: 'gone', from: state, composer: composer.text(), draft: composer.owner(), status });
      if (hasScreen(state)) screen.leave();
      state = 'gone';
      terminal.setRaw(false);
      terminal.write(script.lastWords.map((line) => `${line}\r\n`).join(''));
      process.exit(status);
    },
    /** With a first prompt that stood on the command line. */
    start: async (prompt) => {
      agent.fire('start');
      const startMs = draws.number(script.startMs);
      await terminal.printLines(script.startLines, startMs ?? 1);
      if (startMs === null) await agent.wait(null);
      input.drain();
      terminal.setRaw(true, script.pasteMode);
      input.drain(); // a line that was begun in line mode came before
      screen.enter();
      if (script.queries) terminal.write('\x1b[c\x1b[6n');
      setState('loading');
      await Promise.all([turns.startHook(), agent.wait(draws.number(script.loadingMs))]);
      for (const asked of script.dialogs) await agent.ask(asked);
      if (script.busyAtStartMs !== 0) await turns.occupy(draws.number(script.busyAtStartMs));
      else if (prompt === undefined) goTo('ready');
      agent.fire('ready');
      if (prompt !== undefined) submit(prompt, 'program', 'launch');
    },
  };
  agent.fire = makeEvents(agent, script.events);
  const turns = makeTurns(agent);

  process.stdout.on('resize', () => {
    log('resize', terminal.size());
    screen.paint(true);
  });
  process.on('SIGTERM', () => {
    log('signal', { name: 'SIGTERM' });
    if (!script.ignoresTerm) agent.exit(143);
  });
  process.on('SIGUSR2', () => {
    log('told', {});
    for (const go of told.splice(0)) go();
    screen.tell();
    input.thaw();
  });
  process.on('SIGHUP', () => agent.exit(129));
  process.on('SIGINT', () => agent.exit(130));
  return agent;
}

/** As agents take a paste: any end of line is one line break. */
function pasted(body) {
  return body.toString('utf8').replace(/\r\n?/g, '\n');
}

function isPersonsPaste(text) {
  return text !== '' && Array.from(text).every((character) => character === '\n' || isPersons(character));
}

function since(at) {
  return Math.round(performance.now() - at);
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
