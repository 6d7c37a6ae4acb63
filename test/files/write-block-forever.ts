// Writes blocks of different lengths into the file, one after the other, until it is killed.

import { writeBlock } from '../../src/sessions/channels/file/managed-block-file.ts';

const [, , root = '', path = '', id = ''] = process.argv;
for (let round = 0; ; round += 1) {
  const body = `${id} ${'x'.repeat((round % 5) * 3000)}`;
  const written = writeBlock(root, path, { id: `fw_${id}`, body, expiresAt: '2026-11-16T10:00:00.000Z' });
  if (written.kind === 'refused' && !written.reason.includes('keeps changing')) throw new Error(written.reason);
  if (round === 0) process.stdout.write('started\n');
}
