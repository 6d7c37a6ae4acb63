// What agents write down in a person's place, by records in the shape of real ones, is no prompt for any reader: not for the record
// of the session, and not for a switch to another agent.

import { expect, test } from 'vitest';
import { textsInRecord } from '../kernel/transcript.ts';
import { followTalk } from '../sessions/seats/talk.ts';
import { TRANSCRIPTS } from './transcripts.ts';
import { WORKS } from './works.ts';

const RECORDS: Readonly<Record<string, readonly object[]>> = {
  claude: [
    claudeUser('<bash-input> npm test</bash-input>'),
    claudeUser('<bash-stdout>1 failed</bash-stdout><bash-stderr></bash-stderr>'),
    claudeUser('<command-name>/compact</command-name>\n            <command-message>compact</command-message>'),
    claudeUser('<local-command-stdout>Compacted</local-command-stdout>'),
    claudeUser([{ type: 'text', text: '[Request interrupted by user]' }]),
  ],
  codex: [
    codexUser(
      '<user_shell_command>\n<command>\nnpm test\n</command>\n<result>\nExit code: 1\n</result>\n</user_shell_command>',
    ),
    codexUser('<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>'),
  ],
  gemini: [
    { type: 'user', content: [{ text: '<session_context>\nThis is the Gemini CLI.' }] },
    {
      type: 'user',
      content: [
        {
          text: 'I ran the following shell command:\n```sh\nnpm test\n```\n\nThis produced the following result:\n```\n1 failed\n```',
        },
      ],
    },
  ],
  opencode: [
    { role: 'user', part: { type: 'text', text: 'The following tool was executed by the user', synthetic: true } },
    {
      role: 'user',
      part: { type: 'text', text: 'Called the Read tool with the following input: {}', synthetic: true },
    },
  ],
  pi: [{ type: 'message', message: { role: 'bashExecution', command: 'npm test', output: '1 failed', exitCode: 1 } }],
};

test.each(Object.keys(RECORDS))('%s: a shell command of the person and its output are no prompt', (name) => {
  const transcript = TRANSCRIPTS[name];
  if (transcript === undefined) throw new Error(name);
  for (const record of RECORDS[name] ?? []) {
    const asked = WORKS[name]?.facts(record)?.filter(({ kind }) => kind === 'asked');
    expect(asked, JSON.stringify(record)).toEqual([]);
    const talk = followTalk({}, textsInRecord(transcript, record, 'log:1'), []);
    expect(talk.prompt, JSON.stringify(record)).toBeUndefined();
  }
});

test('a prompt that speaks of a shell command is one', () => {
  const text = 'I ran the following shell command: npm test. Why does it fail?';
  const record = { type: 'user', content: [{ text }] };
  expect(WORKS.gemini?.facts(record)).toEqual([{ kind: 'asked', text }]);
  expect(followTalk({}, textsInRecord(TRANSCRIPTS.gemini!, record, 'log:1'), []).prompt).toBe(text);
});

function claudeUser(content: unknown) {
  return { type: 'user', entrypoint: 'cli', message: { role: 'user', content } };
}
function codexUser(text: string) {
  const metadata = { content_item_metadata: [{ provenance: { type: 'harness', hook: false } }] };
  const payload = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
  return { type: 'response_item', payload: { ...payload, internal_chat_message_metadata_passthrough: metadata } };
}
