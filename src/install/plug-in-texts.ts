// The plug-ins for agents that have no hooks of their own: a file of ours that their runtime loads. It calls the same hook
// program as everybody else, with a payload like Claude Code's, never throws and never waits longer than LIMIT_MS.
// Plain JavaScript without backticks; written for OpenCode 1.18 and pi 0.87, and driven in plug-in-texts.test.ts.

import { HOOK_EVENTS, type HookEvent } from '../kernel/hook-events.ts';
import { signed } from './own-file.ts';

type Words = (event: HookEvent) => readonly string[];

/** For `~/.config/opencode/plugins/` and `.opencode/plugins/`. What is said goes into the message or the tool's result, and
 *  not into the system prompt: there it would leave no trace by which anybody could see that it arrived. */
export function openCodePlugIn(words: Words): string {
  return signed(
    `// Puts foreword's context before OpenCode's model. In projects without .foreword/ or .context/ it says nothing.\n${call(words)}${OPENCODE}`,
  );
}

/** For `~/.pi/agent/extensions/` and `.pi/extensions/`. */
export function piExtension(words: Words): string {
  return signed(
    `// Puts foreword's context before pi's model. In projects without .foreword/ or .context/ it says nothing.\n${call(words)}${PI}`,
  );
}

function call(words: Words): string {
  const commands = HOOK_EVENTS.map((event) => `  ${JSON.stringify(event)}: ${JSON.stringify(words(event))},\n`);
  return `import { spawn } from 'node:child_process';

const COMMANDS = {
${commands.join('')}};
${CALL}`;
}

const CALL = `const LIMIT_MS = 3000;
const MAX_LENGTH = 65536;

// What there is to say at this event, or undefined.
function ask(event, payload) {
  return new Promise((resolve) => {
    const [program, ...words] = COMMANDS[event];
    let child;
    let said = '';
    const end = () => {
      clearTimeout(timer);
      resolve(contextIn(said));
    };
    const timer = setTimeout(() => {
      if (child !== undefined) child.kill('SIGKILL');
      end();
    }, LIMIT_MS);
    try {
      child = spawn(program, words, { cwd: payload.cwd, stdio: ['pipe', 'pipe', 'ignore'] });
      child.on('error', end);
      child.on('close', end);
      child.stdout.setEncoding('utf8');
      child.stdout.on('data', (part) => {
        if (said.length < MAX_LENGTH) said += part;
      });
      child.stdin.on('error', () => {});
      child.stdin.end(JSON.stringify(payload));
    } catch {
      end();
    }
  });
}

function contextIn(said) {
  try {
    const answer = JSON.parse(said);
    const text = (answer.hookSpecificOutput || answer).additionalContext;
    return typeof text === 'string' && text.trim() !== '' ? text : undefined;
  } catch {
    return undefined;
  }
}

function join(texts) {
  return texts.filter((text) => text !== undefined).join('\\n\\n');
}

// The input of a tool can be a whole file; beyond some size only its keys matter to nobody.
function bounded(input) {
  try {
    return JSON.stringify(input).length > MAX_LENGTH ? {} : input;
  } catch {
    return {};
  }
}
`;

const OPENCODE = `
export const Foreword = async ({ directory }) => {
  const created = new Set();
  const told = new Set();
  const compacted = new Set();
  const payload = (id, name, more) => ({ session_id: id, cwd: directory, hook_event_name: name, ...more });

  async function start(id) {
    if (told.has(id)) return undefined;
    told.add(id);
    const source = compacted.delete(id) ? 'compact' : created.has(id) ? 'startup' : 'resume';
    return ask('session-start', payload(id, 'SessionStart', { source }));
  }

  return {
    event: async ({ event }) => {
      const about = event.properties || {};
      if (event.type === 'session.created') created.add((about.info && about.info.id) || about.sessionID);
      if (event.type === 'session.idle') await ask('stop', payload(about.sessionID, 'Stop', {}));
    },
    'chat.message': async (input, output) => {
      const id = input.sessionID;
      const typed = output.parts.filter((part) => part.type === 'text' && !part.synthetic);
      const prompt = typed.map((part) => part.text).join('\\n');
      const text = join([await start(id), await ask('prompt', payload(id, 'UserPromptSubmit', { prompt }))]);
      const last = output.parts[output.parts.length - 1];
      if (text === '' || last === undefined) return;
      // The id sorts right behind that of the part before it.
      const { sessionID, messageID } = last;
      output.parts.push({ id: last.id + 'fw', sessionID, messageID, type: 'text', text, synthetic: true });
    },
    'tool.execute.after': async (input, output) => {
      const id = input.sessionID;
      const more = { tool_name: input.tool, tool_input: bounded(input.args) };
      const again = compacted.has(id) ? await start(id) : undefined;
      const text = join([again, await ask('post-tool', payload(id, 'PostToolUse', more))]);
      if (text !== '' && typeof output.output === 'string') output.output += '\\n\\n' + text;
    },
    'experimental.session.compacting': async (input, output) => {
      const text = await ask('pre-compact', payload(input.sessionID, 'PreCompact', { trigger: 'auto' }));
      told.delete(input.sessionID);
      compacted.add(input.sessionID);
      if (text !== undefined) output.context.push(text);
    },
    dispose: async () => {
      const ends = [...told].slice(-20).map((id) => ask('session-end', payload(id, 'SessionEnd', { reason: 'other' })));
      await Promise.all(ends);
    },
  };
};
`;

const PI = `
export default function (pi) {
  let current;
  // What the next prompt begins; undefined when it goes on.
  let source;

  function payload(ctx, name, more) {
    let id = '';
    let file = null;
    try {
      id = ctx.sessionManager.getSessionId();
      file = ctx.sessionManager.getSessionFile() || null;
    } catch {}
    return { session_id: id, cwd: ctx.cwd, hook_event_name: name, transcript_path: file, ...more };
  }

  pi.on('session_start', async (event, ctx) => {
    const reason = (event && event.reason) || 'startup';
    current = payload(ctx, '', {}).session_id;
    source = reason === 'reload' ? undefined : reason === 'resume' || reason === 'fork' ? 'resume' : 'startup';
  });
  pi.on('before_agent_start', async (event, ctx) => {
    const id = payload(ctx, '', {}).session_id;
    // Older versions switch sessions without a session_start.
    if (id !== current) source = 'startup';
    current = id;
    const begins = source;
    source = undefined;
    const start = begins && (await ask('session-start', payload(ctx, 'SessionStart', { source: begins })));
    const text = join([start, await ask('prompt', payload(ctx, 'UserPromptSubmit', { prompt: event.prompt }))]);
    return text === '' ? undefined : { message: { customType: 'foreword', content: text, display: false } };
  });
  pi.on('tool_result', async (event, ctx) => {
    const more = { tool_name: event.toolName, tool_input: bounded(event.input) };
    const again = source === 'compact' ? await ask('session-start', payload(ctx, 'SessionStart', { source })) : undefined;
    if (source === 'compact') source = undefined;
    const text = join([again, await ask('post-tool', payload(ctx, 'PostToolUse', more))]);
    return text === '' ? undefined : { content: [...event.content, { type: 'text', text }] };
  });
  pi.on('session_before_compact', async (_event, ctx) => {
    await ask('pre-compact', payload(ctx, 'PreCompact', { trigger: 'auto' }));
    source = 'compact';
  });
  pi.on('agent_end', async (_event, ctx) => {
    await ask('stop', payload(ctx, 'Stop', {}));
  });
  pi.on('session_shutdown', async (_event, ctx) => {
    await ask('session-end', payload(ctx, 'SessionEnd', { reason: 'other' }));
  });
}
`;
