// What a session is given, and when, over its life: one row of facts per agent, the same sequences for all.

import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Field } from '../../test/hooks/field.ts';
import { TARGETS } from '../install/targets.ts';
import { HOOK_EVENTS } from '../kernel/hook-events.ts';
import { DIALECTS } from './dialects.ts';

let field: Field;
beforeEach(() => {
  field = new Field();
});
afterEach(() => field.remove());

const MINUTE = 60_000;

describe.each(Object.values(DIALECTS))('$agent', (dialect) => {
  const { agent, gate } = dialect;
  const camel = agent === 'copilot';
  const payload = (more: object = {}) => (camel ? { sessionId: 'ses-1', ...more } : { session_id: 'ses-1', ...more });
  const tool = (more: object = {}) =>
    field.text(gate, agent, payload({ ...more, ...(camel ? { toolArgs: {} } : { tool_input: { command: 'ls' } }) }));
  /** Silence, unless the agent gives a resumed session less than its transcript holds. */
  const kept = (what: 'gate' | 'startup', text: string) =>
    dialect.forgets.includes(what) ? expect.stringContaining(text) : '';
  const prompt = (more: object = {}) => field.text('prompt', agent, payload({ prompt: 'go on', ...more }));
  /** With the first prompt, where the startup context comes with that. */
  const start = async (source: string, more: object = {}) => {
    const text = await field.text('session-start', agent, payload({ source, ...more }));
    return text === '' && dialect.startsAt === 'prompt' ? prompt({ source, ...more }) : text;
  };

  test('the startup context comes where the transcript can show it', async () => {
    const atStart = await field.text('session-start', agent, payload({ source: 'startup' }));
    const atPrompt = await prompt();
    const isLater = dialect.startsAt === 'prompt';
    expect([atStart, atPrompt].map((text) => text.includes('STARTUP'))).toEqual([!isLater, isLater]);
  });

  test('a session that is told no changes at its prompts has its startup context', async () => {
    const env = { FOREWORD_PROMPT_MAX_CHARS: '0' };
    const texts = [
      await field.text('session-start', agent, payload({ source: 'startup' }), { env }),
      await field.text('prompt', agent, payload({ prompt: 'go' }), { env }),
      await field.text('prompt', agent, payload({ prompt: 'go' }), { env }),
    ];
    expect(texts.filter((text) => text !== '')).toEqual([expect.stringContaining('STARTUP')]);
  });

  test('the gate prints at the first tool, once', async () => {
    expect(await tool()).toContain('Never push to main.');
    expect(await tool()).toBe('');
    expect(await tool()).toBe('');
  });

  test('the event that does not reach the model is silent and takes no turn', async () => {
    const other = gate === 'pre-tool' ? 'post-tool' : 'pre-tool';
    expect(await field.text(other, agent, payload({ tool_input: {} }))).toBe('');
    expect(await tool()).toContain('Never push to main.');
  });

  test('a sub-agent counts for itself', async () => {
    expect(await tool()).not.toBe('');
    expect(await tool({ agent_id: 'sub-1' })).toContain('Never push to main.');
    expect(await tool({ agent_id: 'sub-1' })).toBe('');
    expect(await tool({ agent_id: 'sub-2' })).toContain('Never push to main.');
  });

  test('after a compaction it prints again, once, by whichever event reports it', async () => {
    expect(await start('startup')).toContain('STARTUP');
    expect(await tool()).not.toBe('');
    field.aheadMs += MINUTE;
    expect(await field.text('pre-compact', agent, payload({ trigger: 'manual' }))).toBe('');
    field.aheadMs += 1000;
    expect(await start('compact')).toContain('STARTUP');
    expect(await tool()).toContain('Never push to main.');
    expect(await tool()).toBe('');
    field.aheadMs += MINUTE;
    expect(await start('compact')).toContain('STARTUP');
    expect(await tool()).toContain('Never push to main.');
    field.aheadMs += MINUTE;
    await field.text('pre-compact', agent, payload({ trigger: 'manual' }));
    expect(await tool()).toContain('Never push to main.');
  });

  test('after a clearing that keeps the id it prints again', async () => {
    await start('startup');
    await tool();
    field.aheadMs += MINUTE;
    expect(await start('clear')).toContain('STARTUP');
    expect(await tool()).toContain('Never push to main.');
  });

  test('a resumed session whose transcript holds what was printed is not given it again', async () => {
    const transcript_path = join(field.folder, 'transcript.jsonl');
    writeFileSync(
      transcript_path,
      `${JSON.stringify({ t: await start('startup') })}\n${JSON.stringify({ t: await tool() })}\n`,
    );
    field.aheadMs += MINUTE;
    expect(await start('resume', { transcript_path })).toEqual(kept('startup', 'STARTUP'));
    expect(await tool()).toEqual(kept('gate', 'Never push to main.'));
    expect(await tool()).toBe('');
  });

  test('a resumed session whose transcript lost it is given it again', async () => {
    const transcript_path = join(field.folder, 'transcript.jsonl');
    await start('startup');
    await tool();
    writeFileSync(transcript_path, '{"a":1}\n');
    field.aheadMs += MINUTE;
    expect(await start('resume', { transcript_path })).toContain('STARTUP');
    expect(await tool()).toContain('Never push to main.');
  });

  test('a compaction in the transcript after what was printed means that it is gone', async () => {
    if (dialect.compacted.length === 0) return;
    const transcript_path = join(field.folder, 'transcript.jsonl');
    const said = `${JSON.stringify({ t: await start('startup') })}\n${JSON.stringify({ t: await tool() })}\n`;
    writeFileSync(transcript_path, `${said}{${dialect.compacted[0]}}\n`);
    field.aheadMs += MINUTE;
    expect(await start('resume', { transcript_path })).toContain('STARTUP');
    expect(await tool()).not.toBe('');
  });

  test('a fork has the transcript of another session under an id of its own', async () => {
    const transcript_path = join(field.folder, 'transcript.jsonl');
    writeFileSync(
      transcript_path,
      `${JSON.stringify({ t: await start('startup') })}\n${JSON.stringify({ t: await tool() })}\n`,
    );
    const forked = camel ? { sessionId: 'ses-2' } : { session_id: 'ses-2' };
    expect(await start('fork', { ...forked, transcript_path })).toEqual(kept('startup', 'STARTUP'));
    expect(await tool(forked)).toEqual(kept('gate', 'Never push to main.'));
    const fresh = camel ? { sessionId: 'ses-3' } : { session_id: 'ses-3' };
    expect(await start('fork', { ...fresh, transcript_path: '/nowhere' })).toContain('STARTUP');
    expect(await tool(fresh)).not.toBe('');
  });

  test('a session resumed without a transcript to look at is judged by what it was given', async () => {
    await start('startup');
    await tool();
    field.aheadMs += MINUTE;
    expect(await start('resume')).toEqual(kept('startup', 'STARTUP'));
    expect(await tool()).toEqual(kept('gate', 'Never push to main.'));
    const other = camel ? { sessionId: 'ses-9' } : { session_id: 'ses-9' };
    expect(await start('resume', other)).toContain('STARTUP');
  });

  test('at a prompt it prints what changed, and nothing when nothing did', async () => {
    await start('startup');
    expect(await prompt()).toBe('');
    field.header = { ...field.header, next_work: ['pick b: B'] };
    expect(await prompt({ prompt: '' })).toBe('');
    const told = await prompt();
    expect(told).toMatch(/^\[foreword prompt fw_test\d+\] Changed since you were last told:\n/);
    const [, id] = /^\[foreword prompt (fw_\w+)\]/.exec(told) ?? [];
    expect(told).toMatch(new RegExp(`\\n\\[end of foreword prompt ${id}\\]$`));
    expect(JSON.parse(told.split('\n').slice(1, -1).join('\n'))).toEqual({ next_work: ['pick b: B'] });
    expect(await prompt()).toBe('');
    field.header = { ...field.header, next_work: ['pick a: A'] };
    expect(await prompt()).toContain('pick a: A');
    field.header = { ...field.header, next_work: ['pick b: B'] };
    expect(await prompt()).toContain('pick b: B');
  });

  test('the first prompt of a session that had no start gets what a start would print', async () => {
    expect(await field.text('prompt', agent, payload({ prompt: 'go' }))).toContain('STARTUP');
    expect(await field.text('prompt', agent, payload({ prompt: 'go' }))).toBe('');
    expect(await start('startup')).toBe('');
  });

  test('a start and a prompt at the same moment: one of them prints', async () => {
    const both = await Promise.all([start('startup'), field.text('prompt', agent, payload({ prompt: 'go' }))]);
    expect(both.filter((text) => text !== '')).toEqual([expect.stringContaining('STARTUP')]);
  });

  test('after a compaction that no start follows, a prompt gets all of it again', async () => {
    expect(await prompt()).toContain('STARTUP');
    expect(await prompt()).toBe('');
    field.aheadMs += MINUTE;
    await field.text('pre-compact', agent, payload({ trigger: 'manual' }));
    expect(await prompt()).toContain('STARTUP');
  });

  test('stop and the end of a session print nothing', async () => {
    for (const event of ['stop', 'session-end'])
      expect(await field.text(event, agent, payload({ transcript_path: '/nowhere' }))).toBe('');
  });

  test('every event prints nothing or one object in its envelope, and no other field', async () => {
    for (const event of HOOK_EVENTS) {
      const printed = await field.print(event, agent, payload({ cwd: field.root, prompt: 'x', tool_input: {} }));
      if (printed === '') continue;
      const value = JSON.parse(printed);
      const text = expect.stringContaining('[foreword ');
      const name = dialect.events[event] ?? event;
      expect(value).toEqual(
        dialect.envelope === 'hookSpecificOutput'
          ? { hookSpecificOutput: { hookEventName: name, additionalContext: text } }
          : { [dialect.envelope]: text },
      );
    }
  });
});

describe('gemini, which reports no compaction', () => {
  const session_id = 's';
  let transcript_path: string;
  beforeEach(() => {
    transcript_path = join(field.folder, 'transcript.jsonl');
  });
  /** As it records them: what was printed, in a message; and what the model has, in one record. */
  const message = (text: string) => ({
    id: '1',
    timestamp: '2026-11-19T03:40:34.100Z',
    type: 'user',
    content: [{ text: text.startsWith('<state_snapshot>') ? text : `<hook_context>${text}` }],
  });
  const append = (...records: readonly object[]) => {
    for (const record of records) appendFileSync(transcript_path, `${JSON.stringify(record)}\n`);
  };
  const holds = (...texts: readonly string[]) => ({ $set: { messages: texts.map(message), lastUpdated: 'x' } });
  const tool = () => field.text('post-tool', 'gemini', { session_id, tool_input: {} });
  const at = async (event: 'stop' | 'prompt' | 'session-start') => {
    field.aheadMs += MINUTE;
    return field.text(event, 'gemini', { session_id, transcript_path, prompt: 'go on', source: 'startup' });
  };

  test('what it sends before every request is no compaction', async () => {
    append(message(await at('session-start')), message(await tool()));
    await field.text('pre-compact', 'gemini', { session_id, trigger: 'auto' });
    expect(await tool()).toBe('');
  });

  test('one is seen at the end of a turn, and what it removed is printed once more', async () => {
    const [started, gate] = [await at('session-start'), await tool()];
    append(holds('session'), message(started), message(gate));
    await at('stop');
    expect(await tool()).toBe('');
    append(holds('session', '<state_snapshot>'));
    await at('stop');
    const [again, gateAgain] = [await at('prompt'), await tool()];
    expect([again, gateAgain]).toEqual([
      expect.stringContaining('STARTUP'),
      expect.stringContaining('Never push to main.'),
    ]);
    append(message(again), message(gateAgain));
    await at('stop');
    expect([await at('prompt'), await tool()]).toEqual(['', '']);
  });

  test.each([
    ['an answer', { id: '2', type: 'gemini', content: '<state_snapshot>opens it' }],
    ['a thought in parts', { id: '2', type: 'gemini', content: [{ text: '<state_snapshot>opens it' }] }],
    ['a question', message('what is <state_snapshot>?')],
    [
      'the output of a command',
      { id: '2', type: 'user', content: [{ functionResponse: { response: { output: '<state_snapshot>' } } }] },
    ],
    ['a quoted record', { id: '2', type: 'gemini', content: JSON.stringify(message('<state_snapshot>')) }],
    ['the summary at its end', { $set: { summary: '<state_snapshot>done' } }],
  ])('the tag of a summary in %s is no compaction', async (_, record) => {
    append(message(await at('session-start')), message(await tool()), record);
    await at('stop');
    expect([await at('prompt'), await tool()]).toEqual(['', '']);
  });

  test('one that a person asked for between two turns is seen at the next prompt', async () => {
    append(message(await at('session-start')), message(await tool()), holds('<state_snapshot>'));
    expect(await at('prompt')).toContain('STARTUP');
    expect(await tool()).toContain('Never push to main.');
  });

  test('rules and context that a person went back to before are printed again; what stayed is not', async () => {
    append({ ...message(await at('session-start')), id: 'a' }, { ...message(await tool()), id: 'b' });
    append({ id: 'c', type: 'user', content: [{ text: 'Go on.' }] }, { $rewindTo: 'c' });
    expect([await at('prompt'), await tool()]).toEqual(['', '']);
    append({ $rewindTo: 'b' });
    expect(await at('prompt')).toBe('');
    const gate = await tool();
    expect(gate).toContain('Never push to main.');
    append({ ...message(gate), id: 'd' }, { $rewindTo: 'a' });
    expect([await at('prompt'), await tool()]).toEqual([
      expect.stringContaining('STARTUP'),
      expect.stringContaining('Never push to main.'),
    ]);
  });

  test('a resumed session is judged by the transcript that it goes on in, not by the one it names', async () => {
    append(message(await at('session-start')), message(await tool()));
    await at('stop');
    const fresh = join(field.folder, 'of-this-minute.jsonl');
    writeFileSync(fresh, `${JSON.stringify(holds('session'))}\n`);
    field.aheadMs += MINUTE;
    const resumed = { session_id, transcript_path: fresh, source: 'resume' };
    expect(await field.text('session-start', 'gemini', resumed)).toContain('STARTUP');
    expect(await tool()).toBe('');
    append(holds('<state_snapshot>'));
    field.aheadMs += MINUTE;
    await field.text('session-start', 'gemini', resumed);
    expect(await tool()).toContain('Never push to main.');
  });

  test('what a resumed session lost of its start comes again as the start that it is, not as after a compaction', async () => {
    append(message(await at('session-start')), message(await tool()));
    await at('stop');
    field.aheadMs += MINUTE;
    const resumed = { session_id, transcript_path, source: 'resume' };
    expect(await field.text('session-start', 'gemini', resumed)).toContain('STARTUP');
    // It writes that into a file that it never sends, and goes on in the old one.
    append({ id: '5', type: 'user', content: [{ text: 'go on' }] }, { id: '6', type: 'gemini', content: 'Yes.' });
    field.aheadMs += MINUTE;
    const turn = { session_id, transcript_path, prompt: 'go on' };
    await field.text('stop', 'gemini', turn);
    field.journal();
    const again = await field.text('prompt', 'gemini', turn);
    const moments = () => field.journal().flatMap((entry) => (entry.kind === 'context-printed' ? [entry.moment] : []));
    expect(again).toContain('STARTUP');
    expect(moments()).toEqual(['session-start']);
    append(message(again), holds('<state_snapshot>'));
    field.aheadMs += MINUTE;
    expect(await field.text('prompt', 'gemini', turn)).toContain('STARTUP');
    expect(moments()).toEqual(['compaction']);
  });

  test('one that kept what we printed changes nothing, nor does a prompt before that was written down', async () => {
    const started = await at('session-start');
    append(holds('session'));
    expect(await at('prompt')).toBe('');
    const gate = await tool();
    append(message(started), message(gate), holds('<state_snapshot>', started, gate));
    await at('stop');
    expect([await at('prompt'), await tool()]).toEqual(['', '']);
  });
});

test('every agent that init puts hooks into is among these, under its own names of the events', () => {
  const places = { home: '/home/me', root: '/home/me/shop', env: {} };
  for (const target of TARGETS) {
    const look = { exists: () => false, text: () => undefined, list: () => [] };
    const words = (event: string) => ['/opt/foreword-hook', event, target.agent];
    const way = target.way({ scope: 'user', places, look, words });
    if (way.kind === 'cannot' || way.want.format === 'block' || way.want.format === 'list') continue;
    const dialect = DIALECTS[target.agent];
    expect(dialect, target.agent).toBeDefined();
    const entries = 'entries' in way.want ? way.want.entries : [];
    for (const { event, value } of entries) {
      const ours = /foreword-hook ([a-z-]+) /.exec(JSON.stringify(value))?.[1] as (typeof HOOK_EVENTS)[number];
      expect([target.agent, ours, event]).toEqual([target.agent, ours, dialect?.events[ours]]);
    }
  }
});

describe('two entries for one session', () => {
  test('the context arrives once where an agent reads the settings of another', async () => {
    const payload = { session_id: 'c-1', conversation_id: 'c-1', source: 'startup' };
    const started = await Promise.all([
      field.text('session-start', 'claude', payload),
      field.text('session-start', 'cursor', payload),
    ]);
    expect(started.filter((text) => text !== '')).toHaveLength(1);
    const used = await Promise.all([
      field.text('pre-tool', 'claude', { ...payload, tool_input: {} }),
      field.text('pre-tool', 'cursor', { ...payload, tool_input: {} }),
    ]);
    expect(used.filter((text) => text !== '')).toHaveLength(1);
    field.header = { ...field.header, policy: ['new'] };
    const prompted = await Promise.all([
      field.text('prompt', 'claude', { ...payload, prompt: 'x' }),
      field.text('prompt', 'cursor', { ...payload, prompt: 'x' }),
    ]);
    expect(prompted.filter((text) => text !== '')).toHaveLength(1);
  });

  test('both telling of one compaction begin one epoch', async () => {
    const payload = { session_id: 'c-1', source: 'startup', tool_input: {} };
    await field.text('session-start', 'claude', payload);
    const again = [
      await field.text('session-start', 'claude', { ...payload, source: 'compact' }),
      await field.text('session-start', 'cursor', { ...payload, source: 'compact' }),
    ];
    expect(again.filter((text) => text !== '')).toHaveLength(1);
  });
});

describe('where it is silent', () => {
  const payload = { session_id: 'ses-1', tool_input: {} };

  test('in a project that has neither folder of ours', async () => {
    rmSync(join(field.root, '.context'), { recursive: true });
    expect(await field.text('pre-tool', 'claude', payload)).toBe('');
    expect(await field.text('session-start', 'claude', payload)).toBe('');
  });

  test('in a repository of its own below a project', async () => {
    mkdirSync(join(field.root, 'vendor/other/.git'), { recursive: true });
    writeFileSync(join(field.root, 'vendor/other/.git/HEAD'), 'ref: refs/heads/main\n');
    const cwd = join(field.root, 'vendor/other');
    expect(await field.text('pre-tool', 'claude', { ...payload, cwd }, { cwd })).toBe('');
    mkdirSync(join(field.root, 'src/deep'), { recursive: true });
    const below = join(field.root, 'src/deep');
    expect(await field.text('pre-tool', 'claude', { ...payload, cwd: below }, { cwd: below })).toContain(
      ` ${join(field.root, '.context/CONSTITUTION.md')} ---`,
    );
  });

  test('without a session id', async () => {
    expect(await field.text('pre-tool', 'claude', { session_id: '', tool_input: {} })).toBe('');
    expect(await field.text('pre-tool', 'claude', { tool_input: {} })).toBe('');
    expect(await field.text('pre-tool', 'claude', { session_id: 7, tool_input: {} })).toBe('');
  });

  test('for an agent or event nobody knows, with a line in the log', async () => {
    expect(await field.text('pre-tool', 'constructor', payload)).toBe('');
    expect(await field.text('toString', 'claude', payload)).toBe('');
    expect(field.log().trimEnd().split('\n')).toEqual([
      expect.stringContaining('pre-tool constructor: unknown agent'),
      expect.stringContaining('toString claude: unknown event'),
    ]);
  });

  test('where there are no context files, and it does not look again in this context', async () => {
    rmSync(join(field.root, '.context'), { recursive: true });
    mkdirSync(join(field.root, '.foreword'));
    expect(await field.text('pre-tool', 'claude', payload)).toBe('');
    mkdirSync(join(field.root, '.context'));
    writeFileSync(join(field.root, '.context/CONSTITUTION.md'), 'x');
    expect(await field.text('pre-tool', 'claude', payload)).toBe('');
  });
});
