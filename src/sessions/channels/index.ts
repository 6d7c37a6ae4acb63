// The channels: a file and a word below for each. How to add one: CONTRIBUTING.md, "Add a channel". index.test.ts checks that
// no file is forgotten.

import type { Channel } from '../../kernel/receipt.ts';
import type { ChannelRules } from './channel.ts';
import { file } from './file.ts';
import { flag } from './flag.ts';
import { hook } from './hook.ts';
import { mcp } from './mcp.ts';
import { notice } from './notice.ts';
import { typed } from './typed.ts';

export const CHANNELS = { hook, mcp, flag, typed, file, notice } as const satisfies Record<Channel, ChannelRules>;

export function channelRules(channel: Channel): ChannelRules {
  return CHANNELS[channel];
}

/** Those that only the start of an agent can carry. */
export type LaunchedChannel = {
  [Name in Channel]: (typeof CHANNELS)[Name]['placedBy'] extends 'launch' ? Name : never;
}[Channel];

export function isLaunched(channel: Channel): channel is LaunchedChannel {
  return CHANNELS[channel].placedBy === 'launch';
}
