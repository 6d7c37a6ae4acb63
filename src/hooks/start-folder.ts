// Where the claims on the startup context of a session are.

import { join } from 'node:path';
import { epochOf } from './epochs.ts';

export function startFolder(session: string, epoch = epochOf(session)): string {
  return join(session, String(epoch), 'start');
}
