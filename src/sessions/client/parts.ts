// What commands need to see and reach sessions; app/sessions.ts joins it.

import type { SessionRecord } from '../../kernel/session.ts';
import type { TranscriptText } from '../../kernel/transcript.ts';
import type { HostRequest } from '../host/request.ts';
import type { SessionPlaces } from '../places.ts';
import type { Owners } from '../presence.ts';
import type { SessionProject } from '../project.ts';
import type { TmuxTerminals } from '../terminals.ts';
import type { HostProcess } from './spawn-host.ts';

export interface ClientParts {
  readonly project: SessionProject;
  readonly owners: SessionOwners;
  readonly places: Pick<SessionPlaces, 'of' | 'isElsewhere'>;
  readonly tmux: Pick<TmuxTerminals, 'end' | 'attachCommand'>;
  readonly spawnHost: (request: HostRequest, cwd: string) => HostProcess;
  /** What the agent of a session wrote down since it began. */
  readonly readTranscript: (record: SessionRecord) => Promise<readonly TranscriptText[]>;
  /** Keeps what a session did that died without reporting it. Never rejects. */
  readonly leaveWork: (record: SessionRecord) => Promise<void>;
  /** Runs a program in the person's terminal until it ends. */
  readonly runInTerminal: (command: readonly string[]) => Promise<void>;
  /** Writes to the person's terminal. */
  readonly show: (text: string) => void;
  /** A line about foreword for the person. */
  readonly note: (text: string) => void;
}

export interface SessionOwners extends Owners {
  /** The name of the machine. */
  readonly hostOf: (owner: string) => string;
}
