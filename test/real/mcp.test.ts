// `foreword mcp` called by the real agents: the answer stands in the next request of the model, and the receipt says so, with nothing
// but the agent's own transcript to go by.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { MCPS } from '../../src/agents/mcps.ts';
import type { LabCall } from '../../src/kernel/agent-lab.ts';
import type { McpFacts } from '../../src/kernel/agent-mcp.ts';
import { AGENTS, COMMAND, calling, RealField, timesGiven, until } from './field.ts';

const LINE = [process.execPath, COMMAND, 'mcp'];

let field: RealField | undefined;
afterEach(async () => {
  await field?.leave();
  field = undefined;
});

test.each(AGENTS.filter((name) => name in MCPS))(
  '%s calls the tools of foreword mcp, and each answer is a receipt that ends as served',
  async (name) => {
    field = await RealField.make(name);
    const facts = MCPS[name] ?? expect.fail();
    await addServer(field, facts);
    field.next(
      calling(tool(facts, 'context')),
      calling(tool(facts, 'save', { summary: 'half way', nextSteps: ['write the route'] })),
      calling(tool(facts, 'search', { words: 'project' })),
      calling(tool(facts, 'history', { file: 'readme.txt' })),
    );
    const ran = await field.oneshot('What is known?', facts.allow);
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);

    const turns = field.turns();
    expect(turns.length).toBe(5);
    const last = turns.at(-1);
    expect(timesGiven(turns[1], 'register the route')).toBe(1);
    expect(timesGiven(last, 'Saved for the next session.')).toBe(1);
    expect(timesGiven(last, 'readme.txt:1: a project')).toBe(1);
    expect(timesGiven(last, 'Nothing is known of readme.txt.')).toBe(1);

    const { receipts } = JSON.parse((await field.must('receipts', '--json')).stdout);
    expect(receipts.map(({ moment, channel, proof, outcome }: Seen) => ({ moment, channel, proof, outcome }))).toEqual(
      Array.from({ length: 4 }, () => ({ moment: 'asked', channel: 'mcp', proof: 'served', outcome: 'delivered' })),
    );
    // The ids of the receipts are those in the request.
    for (const { id } of receipts) expect(timesGiven(last, `[foreword mcp ${id}]`)).toBe(1);
    // By the agent's own name of its session.
    expect(new Set(receipts.map(({ session }: Seen) => session)).size).toBe(1);
    expect(receipts[0].session).not.toMatch(/^mcp_/);
    expect((await field.must('load')).stdout).toContain('write the route');
  },
);

interface Seen {
  readonly moment: string;
  readonly channel: string;
  readonly proof: string;
  readonly outcome: string;
  readonly session: string;
}

function tool(facts: McpFacts, name: string, input: Readonly<Record<string, unknown>> = {}): LabCall {
  return { tool: facts.tool.replace('{tool}', () => name), input };
}

async function addServer(at: RealField, { add, settings }: McpFacts): Promise<void> {
  if (add !== undefined) {
    const ran = await at.started([...add, ...LINE]);
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);
  }
  if (settings === undefined) return;
  const file = join(at.scratch.home, settings.file);
  const entry = Object.fromEntries(
    Object.entries(settings.entry).map(([key, value]) => [key, value === '{line}' ? LINE : value]),
  );
  const value = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...value, [settings.key]: { foreword: entry } }));
}

/** Those that a launch can bring the server to. */
test.each(AGENTS.filter((name) => name === 'claude'))(
  '%s is started with the server, asks for its startup context, and the delivery ends as served',
  async (name) => {
    field = await RealField.make(name);
    const facts = MCPS[name] ?? expect.fail();
    const { id, ran } = await field.startWith(
      [...field.scratch.terminalArgs, ...(facts.allow ?? [])],
      ['--channel', 'mcp'],
    );
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);
    field.next(calling(tool(facts, 'context')));
    await field.must('send', id, 'Go on.', '--wait', 'served');
    const at = field;
    let startup: Seen & { readonly id: string } = expect.anything();
    await until(async () => {
      const { receipts } = JSON.parse((await at.must('receipts', '--json')).stdout);
      startup = receipts.find(({ moment }: Seen) => moment === 'session-start');
      return startup.outcome !== 'open';
    }, 30_000);
    expect(startup).toMatchObject({ channel: 'mcp', proof: 'served', outcome: 'delivered' });
    expect(timesGiven(field.turns().at(-1), `[foreword ${startup.id}]`)).toBe(1);
    expect(timesGiven(field.turns().at(-1), 'register the route')).toBe(1);
  },
);
