// What sessions need of an opened project. app/project.ts fits it; tests hand in their own.

import type { Config } from '../config/load.ts';
import type { StoreSetting } from '../config/project-config.ts';
import type { Clock } from '../kernel/clock.ts';
import type { NewEvent } from '../kernel/events.ts';
import type { Stores } from '../kernel/stores.ts';

export interface SessionProject {
  readonly root: string;
  readonly cwd: string;
  readonly config: SessionConfig;
  readonly clock: Clock;
  redact(text: string): string;
  newId(prefix: string): string;
  readStores(): Promise<Stores>;
  writeStores(): Promise<Stores>;
  emit(event: NewEvent): Promise<void>;
}

export type SessionConfig = Pick<Config, 'agents' | 'injection' | 'lineup' | 'session' | 'sessions' | StoreSetting>;
