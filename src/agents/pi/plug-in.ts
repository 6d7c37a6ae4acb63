// The plug-in that its runtime loads, as plain JavaScript without backticks. `ask`, `join` and `bounded` come before it
// (install/plug-in.ts). It never throws. Written for 0.87.

export const PLUG_IN = `
export default function (pi) {
  let current;
  // What the next prompt begins; undefined when it goes on.
  let source;
  let works = false;

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
  pi.on('session_compact', async (event, ctx) => {
    // Between two turns a message would begin one: there it waits for the prompt.
    if (source !== 'compact' || !(works || (event && event.willRetry))) return;
    const text = await ask('session-start', payload(ctx, 'SessionStart', { source }));
    source = undefined;
    if (text) pi.sendMessage({ customType: 'foreword', content: text, display: false }, { deliverAs: 'steer' });
  });
  pi.on('agent_start', async () => {
    works = true;
  });
  pi.on('agent_end', async (_event, ctx) => {
    works = false;
    await ask('stop', payload(ctx, 'Stop', {}));
  });
  pi.on('session_shutdown', async (_event, ctx) => {
    await ask('session-end', payload(ctx, 'SessionEnd', { reason: 'other' }));
  });
}
`;
