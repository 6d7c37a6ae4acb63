// The name under which this person on this machine writes records.

import { hostname, userInfo } from 'node:os';

/** `anna@desk`: letters, digits and a few signs, so that it is safe everywhere. */
export function writerName(): string {
  return `${plain(userName())}@${plain(hostname())}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // No entry for this user, as in some containers.
    return String(process.getuid?.() ?? 'unknown');
  }
}

function plain(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 40) || 'unknown';
}
