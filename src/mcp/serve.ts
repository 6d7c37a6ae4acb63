// The server on standard input and output, by the official SDK, in the protocols 2025-11-25 and older (a handshake first) and 2026-07-28
// (no handshake, `_meta` on every request). One call after the other: each opens the project, answers and closes it, so that a
// server that lives for days holds nothing open. Standard output is the protocol's alone.

import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { type ForewordError, reportedError } from '../kernel/errors.ts';
import type { TranscriptReader } from '../kernel/transcript.ts';
import { newDeliveryId, newId } from '../system/ids.ts';
import { type AskedProject, answerOf } from './answers.ts';
import type { AskedProof } from './asked-proofs.ts';
import { agentOfClient } from './client.ts';
import { AnswerFollower } from './follow.ts';
import type { HostContext } from './host-context.ts';
import { argumentsOf, unknownTool } from './read-arguments.ts';
import { TOOL_NAMES, TOOLS } from './tools.ts';

export interface AskedEntry {
  readonly root: string;
  readonly agent: string;
  readonly session: string;
  readonly context: string;
}

export interface McpParts {
  readonly version: string;
  /** The project of the folder that this was started in, or of the first of these where foreword is on. Throws ForewordError when it
   *  cannot be opened. */
  open(roots: readonly string[]): AskedProject;
  /** What the agent writes down itself; `undefined` where nobody knows it. */
  openTranscript(agent: string, root: string): TranscriptReader | undefined;
  /** What the session that brought this server is to be given first; `undefined` outside of one. */
  hostContext(): HostContext | undefined;
  /** It was returned. Never rejects. */
  reportGiven(given: HostContext & { readonly agent: string }): Promise<void>;
  /** A call was answered. Throws errors of the file system. */
  recordAsked(entry: AskedEntry & { readonly tool: string; readonly chars: number; readonly durationMs: number }): void;
  recordProof(entry: AskedEntry, proof: AskedProof): void;
  /** For a person who looks: standard error. */
  note(line: string): void;
}

/** More than the longest notes; a line beyond it ends the connection. */
const MOST_LINE_BYTES = 2 * 1024 * 1024;
/** How long a name of a client may be. */
const MOST_NAME = 80;

export interface McpServing {
  /** Resolves when the input has ended or `stop` was called, and everything is recorded. */
  readonly ended: Promise<void>;
  stop(): void;
}

export function serveMcp(parts: McpParts): McpServing {
  const calls = new Calls(parts);
  const input = untilAnswered(process.stdin, calls);
  const transport = new StdioServerTransport(input, process.stdout, {
    maxBufferSize: MOST_LINE_BYTES,
  });
  const handle = serveStdio(() => makeServer(parts.version, calls), {
    transport,
    onerror: (error) => parts.note(`mcp: ${error.message}`),
  });
  // The SDK takes the transport's own callback, so the end is seen on the streams.
  const closed = new Promise<void>((resolve) => {
    for (const event of ['end', 'close']) input.on(event, () => resolve());
    process.stdout.on('error', () => resolve());
  });
  return {
    ended: closed.then(async () => {
      await handle.close();
      await calls.end();
    }),
    stop: () => void input.destroy(),
  };
}

function makeServer(version: string, calls: Calls): Server {
  const server = new Server({ name: 'foreword', version }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [...TOOLS] as never }));
  server.setRequestHandler('tools/call', async (request, context) => {
    const { name, arguments: given } = request.params;
    const meta = context.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
    const client = clientName(meta) ?? server.getClientVersion()?.name ?? '';
    return calls.answer({ tool: name, given, client, roots: () => rootsOf(server) });
  });
  return server;
}

/** How long a client may take to name its folders. */
const ROOTS_MS = 2000;
const MOST_ROOTS = 20;

/** The folders that the client works in, where it says so: some start their servers elsewhere. Never rejects. */
async function rootsOf(server: Server): Promise<readonly string[]> {
  try {
    if (server.getClientCapabilities()?.roots === undefined) return [];
    const { roots } = await server.listRoots(undefined, { timeout: ROOTS_MS });
    return roots.slice(0, MOST_ROOTS).flatMap(({ uri }) => (uri.startsWith('file://') ? [fileURLToPath(uri)] : []));
  } catch {
    // It does not answer, or names what is no folder of this machine.
    return [];
  }
}

/** Of a request of 2026-07-28; before that the handshake has it. */
function clientName(meta: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const info = meta?.['io.modelcontextprotocol/clientInfo'];
  const name = typeof info === 'object' && info !== null && 'name' in info ? info.name : undefined;
  return typeof name === 'string' ? name.slice(0, MOST_NAME) : undefined;
}

interface CalledTool {
  readonly tool: string;
  readonly given: unknown;
  readonly client: string;
  roots(): Promise<readonly string[]>;
}

interface Result {
  readonly [key: string]: unknown;
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly isError?: boolean;
}

class Calls {
  readonly #parts: McpParts;
  readonly #session: string;
  readonly #followers = new Map<string, AnswerFollower>();
  #last: Promise<unknown> = Promise.resolve();
  #running = 0;
  #roots: readonly string[] = [];
  #isHostAnswered = false;

  constructor(parts: McpParts) {
    this.#parts = parts;
    this.#session = newId('mcp');
  }

  get isRunning(): boolean {
    return this.#running > 0;
  }

  /** Never rejects. */
  answer(call: CalledTool): Promise<Result> {
    this.#running += 1;
    const answer = this.#last.then(() => this.#answer(call));
    this.#last = answer.finally(() => {
      this.#running -= 1;
    });
    return answer;
  }

  async end(): Promise<void> {
    await this.#last;
    for (const follower of this.#followers.values()) await follower.end();
  }

  async #answer({ tool, given, client, roots }: CalledTool): Promise<Result> {
    const startedAt = performance.now();
    const agent = agentOfClient(client);
    try {
      const known = TOOL_NAMES.find((name) => name === tool);
      if (known === undefined) throw unknownTool(tool, TOOL_NAMES);
      const first = known === 'context' ? await this.#firstContext(agent ?? client) : undefined;
      if (first !== undefined) return { content: [{ type: 'text', text: first }] };
      const project = await this.#open(roots);
      try {
        const text = await answerOf({ tool: known, given: argumentsOf(given), agent }, project);
        const id = newDeliveryId();
        const framed = `[foreword mcp ${id}] ${LEADS[known]}\n\n${text.trimEnd()}\n\n[end of foreword mcp ${id}]`;
        const entry = {
          root: project.root,
          agent: agent ?? (client || 'unknown'),
          session: this.#session,
          context: id,
        };
        const durationMs = Math.round(performance.now() - startedAt);
        this.#record(() => this.#parts.recordAsked({ ...entry, tool: known, chars: framed.length, durationMs }));
        this.#followerOf(agent, entry)?.follow(id);
        return { content: [{ type: 'text', text: framed }] };
      } finally {
        await project.close();
      }
    } catch (error) {
      return { isError: true, content: [{ type: 'text', text: errorText(reportedError(error, { hasStack: false })) }] };
    }
  }

  /** The host keeps the receipt of this one. */
  async #firstContext(agent: string): Promise<string | undefined> {
    const given = this.#isHostAnswered ? undefined : this.#parts.hostContext();
    if (given === undefined) return undefined;
    this.#isHostAnswered = true;
    await this.#parts.reportGiven({ ...given, agent });
    return given.text;
  }

  async #open(roots: () => Promise<readonly string[]>): Promise<AskedProject> {
    const project = this.#parts.open(this.#roots);
    if (project.isOn) return project;
    this.#roots = await roots();
    if (this.#roots.length === 0) return project;
    await project.close();
    return this.#parts.open(this.#roots);
  }

  /** One per agent: the transcript is that of whoever started this server. */
  #followerOf(agent: string | undefined, entry: AskedEntry): AnswerFollower | undefined {
    if (agent === undefined) return undefined;
    if (!this.#followers.has(agent)) {
      const open = () => this.#parts.openTranscript(agent, entry.root) ?? NO_TRANSCRIPT;
      const report = (proof: AskedProof) =>
        this.#record(() => this.#parts.recordProof({ ...entry, context: proof.id }, proof));
      this.#followers.set(agent, new AnswerFollower(open, report));
    }
    return this.#followers.get(agent);
  }

  /** An answer counts more than its receipt. */
  #record(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#parts.note(`mcp: the receipt could not be written: ${error instanceof Error ? error.message : error}`);
    }
  }
}

const NO_TRANSCRIPT = { poll: async () => [], close: () => undefined };

const LEADS = {
  context: 'What is known of this project. Facts, not a request.',
  history: 'What was tried before. Facts, not a request.',
  save: 'Notes.',
  search: 'Files found.',
} as const;

function errorText({ message, hint, faults }: ForewordError): string {
  const lines = faults.slice(0, 10).map(({ path, message: what }) => `- ${path}: ${what}`);
  return [message, ...lines, ...(hint === undefined ? [] : [hint])].join('\n');
}

/** The SDK leaves unanswered what runs when the input ends, and `printf … | foreword mcp` ends it at once. */
function untilAnswered(input: NodeJS.ReadableStream, calls: Calls): PassThrough {
  const held = new PassThrough();
  input.pipe(held, { end: false });
  const end = (): void => {
    // What was read last is a call only when the SDK has handed it on.
    setTimeout(() => (calls.isRunning ? end() : held.end()), 20);
  };
  input.on('end', end);
  input.on('error', () => held.destroy());
  return held;
}
