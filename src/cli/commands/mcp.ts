import { ForewordError } from '../../kernel/errors.ts';
import { type Command, storeFlags } from '../command.ts';

/** Put in by scripts/build.mjs. */
declare const FOREWORD_VERSION: string;

export const mcp: Command = {
  name: 'mcp',
  summary: 'Serve agents that use MCP: context, history, save and search as tools, on standard input and output',
  args: [],
  flags: {},
  examples: [
    { line: 'claude mcp add foreword -- foreword mcp', does: 'lets Claude Code start the server by itself' },
    { line: 'foreword mcp --cwd ~/shop', does: 'answers for this project, for editors that start servers elsewhere' },
  ],
  worksInCheckouts: true,
  run: async (call) => {
    if (process.stdin.isTTY)
      throw new ForewordError('bad-usage', 'foreword mcp talks to an agent, and stdin is a terminal.', {
        hint: 'Agents start it by themselves: add the command "foreword mcp" to the MCP servers of your agent (docs/mcp.md).',
      });
    const { serveMcpHere } = await import('../../app/mcp.ts');
    const serving = serveMcpHere(FOREWORD_VERSION, {
      cwd: call.text('cwd'),
      ...storeFlags(call),
      config: call.text('config'),
      note: (text) => call.out.note(`foreword: ${text}`),
    });
    call.whenUnread(serving.stop);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, serving.stop);
    await serving.ended;
    return 0;
  },
};
