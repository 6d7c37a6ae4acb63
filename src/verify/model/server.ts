// The loopback model: a server on 127.0.0.1 with the protocols of real models. It replies by a script and records every request.
// No key, no network, no cost. `foreword verify` and the tests point real agents at it; the records (record.ts) decide whether
// the context reached the model.
//
// The reply to a main request is the first of: the next step of the script, the directives of its prompt, the standing step.
// Whatever a client sends, the server stays up: a request that it cannot read is refused and recorded.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ForewordError } from '../../kernel/errors.ts';
import { estimateTokens } from '../../kernel/tokens.ts';
import { type Body, readBody } from './body.ts';
import { stepFromDirectives } from './directives.ts';
import { type Fields, textOf } from './json.ts';
import { MODEL_NAME, type ModelPath, modelsAt, placeOf } from './paths.ts';
import { fail, type ModelAnnouncement, play, type ResponseStage, sendJson } from './play.ts';
import type { Reading } from './protocol.ts';
import { holds, type OpenRecord, type RecordedRequest, RequestLog } from './record.ts';
import { isSideRequest, sideAnswer } from './side-requests.ts';
import { type ModelStep, type Played, resolveStep, STANDING_TEXT, standingStep } from './steps.ts';
import { newestTurn } from './turn.ts';

export interface ModelOptions {
  /** 0, the default, lets the system choose. */
  readonly port?: number;
  /** The reply to every main request without another one. */
  readonly standing?: ModelStep;
  /** Whether a prompt may decide its own reply (directives.ts). On by default. */
  readonly directives?: boolean;
  /** How many requests are kept; the oldest are dropped. */
  readonly mostRequests?: number;
  /** Called with every request when it is recorded, before the reply. Must not throw. */
  readonly onRequest?: (request: RecordedRequest) => void;
}

export interface Model {
  /** `http://127.0.0.1:PORT`, without a path. */
  readonly url: string;
  readonly port: number;
  requests(): readonly RecordedRequest[];
  /** How many requests were dropped because there were too many. */
  dropped(): number;
  /** The main requests that gave the model this text. Its own replies do not count. */
  find(text: string): RecordedRequest[];
  /** Adds to the script: one step for each main request, in this order. */
  next(...steps: readonly ModelStep[]): void;
  /** Changes the standing step. */
  standing(step: ModelStep): void;
  /** Token counts and headers of replies from now on, to side requests too. Must not throw. */
  announce(announcing: (request: RecordedRequest) => ModelAnnouncement | undefined): void;
  /** The first request, recorded already or yet to come, for which the predicate holds; `undefined` when the time is
   *  over or the model is closed. */
  waitFor(predicate: (request: RecordedRequest) => boolean, timeoutMs: number): Promise<RecordedRequest | undefined>;
  /** Back to the state after the start: no records, no script, the first standing step. Running replies are finished. */
  reset(): void;
  /** Ends every connection. May be called twice. */
  close(): Promise<void>;
}

/** An agent may keep a connection open between two turns for any time; closing it first would lose the next request. */
const KEEP_ALIVE_MS = 600_000;
const MOST_REQUESTS = 5_000;

export async function startModel(options: ModelOptions = {}): Promise<Model> {
  const firstStanding: ModelStep = options.standing ?? { kind: 'text', text: STANDING_TEXT };
  const log = new RequestLog(options.mostRequests ?? MOST_REQUESTS);
  const closing = new AbortController();
  const waiting = new Set<(request: RecordedRequest) => void>();
  let standing = firstStanding;
  let script: ModelStep[] = [];
  let announcing: Parameters<Model['announce']>[0] = () => undefined;
  let serial = 0;

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => fail(response, error));
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.requestTimeout = 0;
  await listen(options.port ?? 0);
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests: () => log.all(),
    dropped: () => log.dropped,
    find: (text) => log.all().filter((request) => request.isMain && holds(request, text)),
    next: (...steps) => {
      script = [...script, ...steps];
    },
    standing: (step) => {
      standing = step;
    },
    announce: (by) => {
      announcing = by;
    },
    waitFor,
    reset: () => {
      log.clear();
      script = [];
      standing = firstStanding;
    },
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  function listen(wanted: number): Promise<void> {
    return new Promise((resolve, reject) => {
      server.on('error', (cause) => {
        const hint = 'Choose another port, or 0 to use any free one.';
        reject(new ForewordError('bad-usage', `The model cannot listen on port ${wanted}.`, { hint, cause }));
      });
      server.listen(wanted, '127.0.0.1', resolve);
    });
  }

  function waitFor(predicate: (request: RecordedRequest) => boolean, timeoutMs: number) {
    return new Promise<RecordedRequest | undefined>((resolve, reject) => {
      const found = log.all().find(predicate);
      if (found !== undefined || closing.signal.aborted) return resolve(found);
      const end = (settle: () => void) => {
        clearTimeout(timer);
        waiting.delete(look);
        closing.signal.removeEventListener('abort', giveUp);
        settle();
      };
      const look = (request: RecordedRequest) => {
        try {
          if (predicate(request)) end(() => resolve(request));
        } catch (error) {
          end(() => reject(error));
        }
      };
      const giveUp = () => end(() => resolve(undefined));
      const timer = setTimeout(giveUp, Math.min(timeoutMs, 2 ** 31 - 1));
      waiting.add(look);
      closing.signal.addEventListener('abort', giveUp);
    });
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    let recorded: OpenRecord | undefined;
    let isCut = false;
    const stage: ResponseStage = {
      response,
      gone: gone.signal,
      begin(status, headers) {
        if (recorded !== undefined) recorded.status = status;
        response.writeHead(status, headers);
      },
      names(tokens) {
        if (recorded !== undefined) recorded.tokens = tokens;
      },
      cut() {
        isCut = true;
        response.destroy();
      },
    };
    // A client that disconnects, and a write to it, must not end the process.
    request.on('error', () => gone.abort());
    response.on('error', () => gone.abort());
    response.on('close', () => {
      gone.abort();
      if (recorded === undefined) return;
      if (!response.writableFinished && !isCut) recorded.aborted = true;
      if (response.headersSent) recorded.status = response.statusCode;
    });
    const url = new URL(`http://127.0.0.1${request.url ?? '/'}`);
    const place = request.method === 'POST' ? placeOf(url) : undefined;
    const body = await readBody(request);
    const reading = place !== undefined && body.kind === 'fields' ? readingOf(place, body.fields) : undefined;
    recorded = record(request, body, place, reading);
    if (gone.signal.aborted) recorded.aborted = true;
    if (body.kind === 'aborted') return;
    if (place === undefined) return answerOther(stage, request, url);
    if (reading === undefined) return refuse(stage, place, body);
    if (place.wants === 'count') {
      const tokens = reading.texts.reduce((sum, { text }) => sum + estimateTokens(text), 0);
      return sendJson(stage, 200, place.protocol.count?.(Math.max(1, tokens)));
    }
    serial += 1;
    const announced = announcing(recorded);
    await play(stage, chosen(recorded, reading), { protocol: place.protocol, reading, serial, announced });
  }

  function record(request: IncomingMessage, body: Body, place: ModelPath | undefined, reading: Reading | undefined) {
    const recorded = log.add(
      {
        at: Date.now(),
        method: request.method ?? 'GET',
        path: request.url ?? '/',
        protocol: place?.protocol.name ?? 'none',
        isMain: reading !== undefined && place?.wants === 'answer' && !isSideRequest(reading),
        texts: reading?.texts ?? [],
        tools: reading?.tools ?? [],
        ...(body.kind === 'fields' ? { body: body.fields } : {}),
        ...(body.kind === 'aborted' ? { aborted: true } : {}),
        ...(body.kind === 'refused' ? { problem: body.problem } : {}),
      },
      body.kind === 'fields' ? body.bytes : 0,
    );
    for (const look of waiting) look(recorded);
    options.onRequest?.(recorded);
    return recorded;
  }

  function chosen(request: RecordedRequest, reading: Reading): Played {
    if (!request.isMain) return { kind: 'answer', waitMs: 0, pieceMs: 0, ...sideAnswer(reading) };
    const prompt = options.directives === false ? undefined : newestTurn(request.texts).prompt;
    const step =
      script.shift() ??
      (prompt === undefined ? undefined : stepFromDirectives(prompt)) ??
      standingStep(standing, request);
    return resolveStep(step, standing, request);
  }
}

function readingOf(place: ModelPath, fields: Fields): Reading {
  return {
    ...place.protocol.read(fields),
    body: fields,
    model: place.model ?? textOf(fields.model) ?? MODEL_NAME,
    isStreaming: place.isStreaming ?? fields.stream === true,
    isEventStream: place.isEventStream,
  };
}

function answerOther(stage: ResponseStage, request: IncomingMessage, url: URL): void {
  const isProbe = request.method === 'HEAD' && url.pathname === '/';
  const found = isProbe ? {} : request.method === 'GET' ? modelsAt(url.pathname) : undefined;
  const error = { message: `The loopback model does not serve ${url.pathname}.`, type: 'not_found_error', code: 404 };
  sendJson(stage, found === undefined ? 404 : 200, found ?? { error });
}

function refuse(stage: ResponseStage, place: ModelPath, body: Body): void {
  const { status, problem } = body.kind === 'refused' ? body : { status: 400, problem: 'The body is empty.' };
  const asked = { status, isQuota: false, message: problem, retryAfterSeconds: undefined, model: MODEL_NAME };
  sendJson(stage, status, place.protocol.error(asked));
}
