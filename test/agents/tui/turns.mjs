// Turns: from a submitted text to the end of the answer. One at a time; what is submitted meanwhile is queued, steers, or
// is lost, as the script says.

import { setTimeout as sleep } from 'node:timers/promises';
import { answersTo } from './answers.mjs';
import { idsIn, runHook, writeTranscript } from './outside.mjs';

const STREAM_STEP_MS = 40;

export function makeTurns(agent) {
  const { script, draws, log } = agent;
  const queue = [];
  let count = 0;
  /** The turn or work in hand; a newer one makes the older stop at its next step. */
  let current;

  const hook = (command, payload) => {
    const about = { session_id: script.sessionId, transcript_path: script.transcript ?? '', cwd: process.cwd() };
    const { hookTimeoutMs: timeoutMs, hookKeepsStdinOpen: keepsStdinOpen } = script;
    return runHook(command, { ...about, ...payload }, { timeoutMs, keepsStdinOpen, log });
  };
  /** What a model was given. Only this is `served`. */
  const serve = (type, text, via) => {
    log('served', { text, ids: idsIn(text), via });
    setTimeout(() => writeTranscript(script.transcript, { type, text }), draws.number(script.transcriptDelayMs));
  };

  const begin = async (text) => {
    const mine = {};
    current = mine;
    const isStale = () => current !== mine;
    count += 1;
    agent.echoInput(text);
    agent.goTo('busy');
    agent.fire('turn');
    if (script.hooks.prompt !== undefined) {
      const context = await hook(script.hooks.prompt, { hook_event_name: 'UserPromptSubmit', prompt: text });
      if (isStale()) return;
      serve('user', text, 'typed');
      if (context !== '') serve('system', context, 'prompt-hook');
    } else serve('user', text, 'typed');

    const busyMs = draws.number(script.busyMs);
    await agent.wait(busyMs === null ? null : busyMs / 2);
    if (isStale()) return;
    if (draws.chance(script.approval)) {
      await agent.ask({ name: 'approval', closesAfterMs: draws.number(script.approvalClosesAfterMs) });
      if (isStale()) return;
    }
    await sleep((busyMs ?? 0) / 2);
    if (isStale()) return;

    const answers = answersTo(text, { script, draws, turn: count, cols: agent.size().cols });
    const delayMs = draws.number(script.ackDelayMs);
    const isLate = (answer) => answer.code !== undefined && delayMs > 0;
    const said = answers.filter((answer) => !isLate(answer));
    await stream(said, isStale);
    if (isStale()) return;
    answer(said);
    const late = answers.filter(isLate);
    if (late.length > 0) setTimeout(() => answer(late), delayMs);
    end();
  };

  /** Word by word in the region below the output, then all of it above. */
  const stream = async (answers, isStale) => {
    const steps = Math.floor(draws.number(script.streamMs) / STREAM_STEP_MS);
    const whole = answers.map(({ text }) => text).join('\n');
    for (let step = 1; step <= steps && !isStale(); step += 1) {
      agent.showStream(whole.slice(0, Math.ceil((whole.length * step) / steps)).split('\n'));
      await sleep(STREAM_STEP_MS);
    }
    agent.showStream([]);
  };
  const answer = (answers) => {
    agent.say(answers);
    for (const { code } of answers) if (code !== undefined) log('acknowledged', { code });
    writeTranscript(script.transcript, { type: 'assistant', text: answers.map(({ text }) => text).join('\n') });
  };
  const end = () => {
    current = undefined;
    if (script.exitAfterTurns > 0 && count >= script.exitAfterTurns)
      return script.exitTo === 'shell' ? agent.becomeShell() : agent.exit(script.exitStatus);
    next();
  };
  const next = () => {
    const waiting = queue.shift();
    if (waiting !== undefined) return void begin(waiting);
    agent.goTo('ready');
    agent.fire('idle');
  };

  return {
    isBusy: () => current !== undefined,
    queued: () => queue,
    /** How the text was taken: 'now', 'queued', 'steered' or 'lost'. To be logged before `take`. */
    how: () => (current === undefined ? 'now' : { queue: 'queued', steer: 'steered', lose: 'lost' }[script.whileBusy]),
    take: (text) => {
      if (current === undefined || script.whileBusy === 'steer') void begin(text);
      else if (script.whileBusy === 'queue') queue.push(text);
    },
    /** Busy without a turn. */
    occupy: async (ms) => {
      if (current !== undefined) return;
      const mine = {};
      current = mine;
      agent.goTo('busy');
      await agent.wait(ms);
      if (current === mine) {
        current = undefined;
        next();
      }
    },
    startHook: async () => {
      if (script.hooks.sessionStart === undefined) return;
      const context = await hook(script.hooks.sessionStart, { hook_event_name: 'SessionStart', source: 'startup' });
      if (context !== '') serve('system', context, 'session-start-hook');
    },
  };
}
