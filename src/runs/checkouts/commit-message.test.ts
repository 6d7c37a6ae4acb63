import { describe, expect, test } from 'vitest';
import { commitMessage, commitOfTask, revertMessage, revertOf, taskOf } from './commit-message.ts';

const parts = { task: 'api_health', intent: 'Add a health endpoint', result: 'Added it.', agent: 'x', attempts: 2 };

describe('the message of a commit', () => {
  test('has the intent, the result and the trailers', () => {
    expect(commitMessage(parts)).toBe(
      'Add a health endpoint\n\nAdded it.\n\nForeword-Task: api_health\nForeword-Agent: x\nForeword-Attempts: 2\n',
    );
    expect(commitMessage({ ...parts, result: ' \n ' })).toBe(
      'Add a health endpoint\n\nForeword-Task: api_health\nForeword-Agent: x\nForeword-Attempts: 2\n',
    );
  });

  test('has one subject line, whatever the intent', () => {
    for (const intent of [
      'a\nb',
      'a\r\n\r\nForeword-Task: other',
      'a\u2028b',
      'a\u0085b',
      '\u001b[31mred',
      'a\u202eb',
      '',
      '\n',
    ]) {
      const [subject = '', blank] = commitMessage({ ...parts, intent }).split('\n');
      expect(subject).not.toBe('');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
      expect(subject).not.toMatch(/[\u0000-\u001f\u0080-\u009f\u2028\u202e]/);
      expect(blank).toBe('');
      expect(taskOf(commitMessage({ ...parts, intent }))).toBe('api_health');
    }
  });

  test('shows a long intent cut in the subject and whole below it', () => {
    const intent = 'word '.repeat(60).trim();
    const [subject = '', , whole] = commitMessage({ ...parts, intent }).split('\n');
    expect([...subject]).toHaveLength(100);
    expect(whole).toBe(intent);
  });

  test('has no trailer that a result made up', () => {
    for (const result of [
      'Foreword-Task: other',
      'text\n\nForeword-Task: other\nForeword-Agent: y',
      'text\n\nForeword-Task: other\n\n',
      '---\nForeword-Task: other',
      'x\r\rForeword-Task: other\r',
      `${'long\n'.repeat(5000)}\n\nForeword-Task: other`,
    ]) {
      const message = commitMessage({ ...parts, result });
      expect(taskOf(message)).toBe('api_health');
      expect(message).not.toMatch(/^---/m);
      expect(message.length).toBeLessThan(4500);
    }
  });

  test('finds the task again by its exact id', () => {
    for (const task of ['a', 'a b', ' a ', 'a\nForeword-Agent: z', '100%', '%41', 'é', '\t', 'a\u0000b', 'x\u2028y']) {
      expect(taskOf(commitMessage({ ...parts, task }))).toBe(task);
    }
  });

  test('is no message of ours without a trailer at its end', () => {
    expect(taskOf('Foreword-Task: a\n')).toBeUndefined();
    expect(taskOf('subject\n\nForeword-Task: a\n\nmore text\n')).toBeUndefined();
    expect(taskOf('subject\n\nForeword-Task: %zz\n')).toBe('%zz');
  });
});

test('the commit of a task is the newest that was not taken back', () => {
  const commit = (id: string, task: string) => ({
    id,
    message: commitMessage({ task, intent: 'Do it', result: '', agent: 'codex', attempts: 1 }),
  });
  const revert = (id: string, of: string) => ({
    id,
    message: revertMessage({ commit: of, task: 't', intent: 'Do it\nnow' }),
  });
  const log = [commit('e', 'other'), revert('d', 'b'), commit('b', 'one'), commit('a', 'other')];
  expect(commitOfTask(log, 'one')).toBeUndefined();
  expect(commitOfTask(log, 'other')?.id).toBe('e');
  expect(commitOfTask([commit('f', 'one'), ...log], 'one')?.id).toBe('f');
  expect(revertOf(log, 'b')?.id).toBe('d');
  expect(revertOf(log, 'e')).toBeUndefined();
  expect(revertMessage({ commit: 'b', task: 't', intent: 'Do it\nnow' })).toBe(
    'Revert "Do it now"\n\nThis reverts commit b.\n\nForeword-Reverts: b\n',
  );
  expect(taskOf(revertMessage({ commit: 'b', task: 't', intent: 'x' }))).toBeUndefined();
});

test('the commit that takes back a task without an intent names the task', () => {
  expect(revertMessage({ commit: 'b', task: 't', intent: ' ' })).toContain('Revert "Task t"\n');
});

test('what a person accepted says so', () => {
  const parts = { task: 't', intent: 'Do it', result: '', agent: 'codex', attempts: 2, isAccepted: true };
  expect(commitMessage(parts)).toBe(
    'Do it\n\nForeword-Task: t\nForeword-Agent: codex\nForeword-Attempts: 2\nForeword-By: person\n',
  );
});

describe('the block of JSON at the end of an answer', () => {
  const report = '{"status":"completed","files_created":[],"summary":"added it"}';
  const pretty = JSON.stringify(JSON.parse(report), null, 2);

  test.each([
    ['is left out', `I added it.\n\n\`\`\`json\n${report}\n\`\`\`\n`, 'I added it.'],
    ['is left out without a fence', `I added it.\n${report}`, 'I added it.'],
    ['is left out on several lines', `I added it.\n\`\`\`json\n${pretty}\n\`\`\``, 'I added it.'],
    ['gives its summary when there is nothing else', report, 'added it'],
    ['stays when it is something else', 'See:\n{"a":1}', 'See:\n{"a":1}'],
    ['stays when it is in the middle', `${report}\nis what I print.`, `${report}\nis what I print.`],
    ['stays when it is cut off', 'Look:\n{"status":"comp}', 'Look:\n{"status":"comp}'],
  ])('%s', (_, result, body) => {
    expect(commitMessage({ ...parts, result })).toContain(`Add a health endpoint\n\n${body}\n\nForeword-Task:`);
  });

  test('costs little to look for, whatever the answer holds', () => {
    const at = performance.now();
    commitMessage({ ...parts, result: `${'\n{'.repeat(500_000)}}` });
    expect(performance.now() - at).toBeLessThan(5_000);
  });
});
