import { expect, test } from 'vitest';
import { ForewordError } from '../kernel/errors.ts';
import { EMPTY } from './continuity.ts';
import { type NotedProject, saveNotesByCommand } from './save-notes.ts';

const project = (error: Error): NotedProject => ({
  isCheckout: false,
  clock: { now: () => 0 } as NotedProject['clock'],
  state: { tree: () => 'main', switchOn: () => undefined },
  newId: (prefix) => `${prefix}_1`,
  writeStores: () => Promise.reject(error),
  emit: () => Promise.resolve(),
});

test('where a sandbox keeps the command from writing, the message names the tool that can', async () => {
  const refused = new ForewordError('store-unreachable', 'The store cannot be opened.', {
    hint: 'Choose another disk.',
  });
  await expect(saveNotesByCommand(project(refused), { ...EMPTY, summary: 'x' }, 'agent')).rejects.toMatchObject({
    code: 'store-unreachable',
    message: 'The store cannot be opened.',
    hint: 'Choose another disk. In the sandbox of an agent: call the tool save of the MCP server foreword instead (foreword mcp).',
  });
});

test('other errors stay as they are', async () => {
  const damaged = new ForewordError('store-damaged', 'The store is damaged.');
  await expect(saveNotesByCommand(project(damaged), { ...EMPTY, summary: 'x' }, 'agent')).rejects.toBe(damaged);
});
