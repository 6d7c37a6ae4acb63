// Everything decided before an agent is started: what to run, with which environment, and the startup context it is given.

import type { Agent, Interactive } from '../kernel/agent.ts';
import type { Channel, Proof } from '../kernel/receipt.ts';
import type { SessionPlace } from '../kernel/session.ts';
import type { ChosenChannels } from './choose-channels.ts';
import type { KnownVersion } from './rest.ts';

/** An agent that can be started in a terminal. */
export type InteractiveAgent = Agent & { readonly interactive: Interactive };

/** What a person asked for. */
export interface StartRequest {
  readonly agent: string;
  /** The person's own arguments for the agent. */
  readonly args: readonly string[];
  readonly channel?: Channel | undefined;
  readonly hasContext: boolean;
  /** The proof the command waits for, if more than usual. */
  readonly wait?: Proof | undefined;
  /** Nobody is there to give a first prompt: the channel must not depend on one. */
  readonly isUnattended: boolean;
  /** The configuration file, as the person named it. */
  readonly config: string | undefined;
  /** It goes on where another session is. */
  readonly from?: SwitchFrom;
}

/** The startup context as the launch was planned for it. */
export interface SessionStartup extends ChosenChannels {
  readonly id: string;
  readonly text: string;
  readonly code: string;
}

/** What a session takes over from the one that it is shown beside. */
export interface SwitchFrom {
  readonly session: string;
  /** Goes before everything else that it is given. */
  readonly text: string;
  /** The person's last prompt: for its composer. */
  readonly prompt?: string;
}

export interface PreparedSession {
  readonly id: string;
  readonly place: SessionPlace;
  readonly agent: InteractiveAgent;
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** Absent with --no-context. */
  readonly startup?: SessionStartup;
  readonly required: Proof;
  readonly from?: SwitchFrom;
  /** Absent: nothing is known of it. */
  readonly version?: KnownVersion;
  /** Our hooks run in it: they came with the launch, or are installed. */
  readonly hasHooks?: boolean;
  /** The launch gives the agent nothing to work on. */
  readonly isUnused?: boolean;
  /** In its startup context, for commands that only its screen shows (in-band.ts). */
  readonly commandWord?: string;
}
