// The plug-in that its runtime loads, as plain JavaScript without backticks. `ask`, `join` and `bounded` come before it
// (install/plug-in.ts). It never throws. Written for 1.18. Our text goes into the message or the tool's result, and not into the
// system prompt: there it would leave no trace by which anybody could see that it arrived.

export const PLUG_IN = `
export const Foreword = async ({ directory, client }) => {
  const created = new Set();
  const told = new Set();
  const compacted = new Set();
  // Sessions to which a message of ours is being added.
  const adding = new Set();
  // Texts that could not be added, by session.
  const held = new Map();
  const payload = (id, name, more) => ({ session_id: id, cwd: directory, hook_event_name: name, ...more });

  async function start(id) {
    const text = held.get(id);
    held.delete(id);
    if (told.has(id)) return text;
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
      if (adding.has(id)) return;
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
      const again = compacted.has(id) || held.has(id) ? await start(id) : undefined;
      const text = join([again, await ask('post-tool', payload(id, 'PostToolUse', more))]);
      if (text !== '' && typeof output.output === 'string') output.output += '\\n\\n' + text;
    },
    'experimental.session.compacting': async (input, output) => {
      const text = await ask('pre-compact', payload(input.sessionID, 'PreCompact', { trigger: 'auto' }));
      told.delete(input.sessionID);
      compacted.add(input.sessionID);
      if (text !== undefined) output.context.push(text);
    },
    // It goes on by itself: no other event comes before the next request. What is added here is written down, as a message.
    'experimental.compaction.autocontinue': async (input) => {
      const id = input.sessionID;
      const { agent, model } = input.message || {};
      if (!client || !compacted.has(id)) return;
      const text = await start(id);
      if (text === undefined) return;
      adding.add(id);
      try {
        const parts = [{ type: 'text', text, synthetic: true }];
        const added = await client.session.prompt({ path: { id }, body: { agent, model, noReply: true, parts } });
        if (added && added.error) held.set(id, text);
      } catch {
        held.set(id, text);
      }
      adding.delete(id);
    },
    dispose: async () => {
      const ends = [...told].slice(-20).map((id) => ask('session-end', payload(id, 'SessionEnd', { reason: 'other' })));
      await Promise.all(ends);
    },
  };
};
`;
