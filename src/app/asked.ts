// Joins the late proof of answers of our MCP server to the journal, its spool and the transcripts of agents.

import { foldSpool } from '../hooks/fold-spool.ts';
import { appendSpool } from '../hooks/spool.ts';
import { openCalls } from '../mcp/open-calls.ts';
import { recorder } from '../mcp/records.ts';
import { settleCalls } from '../mcp/settle-calls.ts';
import { followAgent } from '../sessions/transcripts/follow-agent.ts';
import { openForeignLater } from '../stores/sqlite/foreign-later.ts';
import { environment } from '../system/environment.ts';
import { hookStateFolder } from '../system/files/project-state.ts';
import { newId } from '../system/ids.ts';
import type { Project } from './project.ts';

/** Never rejects for what a transcript lacks. */
export async function settleAsked({ root, clock, readStores }: Project): Promise<void> {
  const env = environment();
  const stateFolder = hookStateFolder(env);
  const { journal } = await readStores();
  const events = (await journal.read()).map(({ value }) => value);
  await settleCalls(openCalls(events, clock.now()), {
    root,
    openTranscript: (agent, startedAt) =>
      followAgent(agent, { cwd: root, env, startedAt, openDatabase: openForeignLater }),
    ...recorder({ newId, now: Date.now, append: (at, entry) => appendSpool(stateFolder, at, entry) }),
  });
  await foldSpool({ stateFolder, root }, async () => journal);
}
