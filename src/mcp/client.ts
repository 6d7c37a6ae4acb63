// Which agent a client is, by the name it gives itself. Pure.

import { MCPS } from '../agents/mcps.ts';

export function agentOfClient(client: string): string | undefined {
  return Object.keys(MCPS).find((agent) => {
    const name = MCPS[agent]?.client ?? '';
    return client === name || client.startsWith(`${name}-`);
  });
}
