// Plays a reply: writes its bytes at the right time. Every function ends, without an error, when the client disconnects or the
// model is closed: `gone` is then aborted.

import type { ServerResponse } from 'node:http';
import { type Answer, type Protocol, type Reading, usageOf } from './protocol.ts';
import type { ModelTokens } from './record.ts';
import type { Played } from './steps.ts';

/** A response with the facts that its record needs. */
export interface ResponseStage {
  readonly response: ServerResponse;
  readonly gone: AbortSignal;
  /** Replaces the response's `writeHead`. */
  begin(status: number, headers: Readonly<Record<string, string>>): void;
  /** Before the reply: the tokens that it names. */
  names(tokens: ModelTokens): void;
  /** Cuts the connection on purpose. */
  cut(): void;
}

export interface ModelRequest {
  readonly protocol: Protocol;
  readonly reading: Reading;
  readonly serial: number;
  readonly announced?: ModelAnnouncement | undefined;
}

/** What the service names besides the reply itself. */
export interface ModelAnnouncement {
  readonly tokens?: ModelTokens;
  /** Of the response: limits of the account, for example. */
  readonly headers?: Readonly<Record<string, string>>;
}

export async function play(stage: ResponseStage, played: Played, asked: ModelRequest): Promise<void> {
  await pause(played.waitMs, stage.gone);
  if (stage.gone.aborted) return;
  if (played.kind === 'answer') {
    const { tokens } = asked.announced ?? {};
    const said = { serial: asked.serial, pieces: played.pieces, calls: played.calls };
    const answer: Answer = tokens === undefined ? said : { ...said, tokens };
    stage.names(usageOf(answer, asked.reading));
    return asked.reading.isStreaming
      ? playFrames(stage, played, answer, asked)
      : playWhole(stage, played, answer, asked);
  }
  const { status, retryAfterSeconds } = played;
  const body = asked.protocol.error({ ...played, model: asked.reading.model });
  sendJson(stage, status, body, retryAfterSeconds === undefined ? {} : { 'retry-after': `${retryAfterSeconds}` });
}

type Spoken = Extract<Played, { kind: 'answer' }>;

async function playFrames(
  stage: ResponseStage,
  played: Spoken,
  answer: Answer,
  { protocol, reading, announced }: ModelRequest,
): Promise<void> {
  const frames = protocol.frames(answer, reading);
  stage.begin(200, {
    'content-type': reading.isEventStream ? 'text/event-stream; charset=utf-8' : JSON_TYPE,
    'cache-control': 'no-cache',
    ...announced?.headers,
  });
  stage.response.flushHeaders();
  if (frames.opening !== '') await write(stage, frames.opening);
  for (const piece of frames.pieces.slice(0, played.cutAfter)) {
    await pause(played.pieceMs, stage.gone);
    if (stage.gone.aborted) return;
    await write(stage, piece);
  }
  if (played.cutAfter === undefined) stage.response.end(frames.closing);
  else stage.cut();
}

async function playWhole(
  stage: ResponseStage,
  played: Spoken,
  answer: Answer,
  { protocol, reading, announced }: ModelRequest,
): Promise<void> {
  const body = JSON.stringify(protocol.whole(answer, reading));
  await pause(played.pieceMs * played.pieces.length, stage.gone);
  if (stage.gone.aborted) return;
  if (played.cutAfter === undefined) return sendText(stage, 200, body, announced?.headers);
  stage.begin(200, headersFor(body));
  await write(stage, body.slice(0, Math.floor(body.length / 2)));
  stage.cut();
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function sendJson(
  stage: ResponseStage,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendText(stage, status, JSON.stringify(body), headers);
}

function sendText(
  stage: ResponseStage,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  stage.begin(status, { ...headersFor(body), ...headers });
  stage.response.end(body);
}

function headersFor(body: string): Record<string, string> {
  return { 'content-type': JSON_TYPE, 'content-length': `${Buffer.byteLength(body)}` };
}

/** The last resort, when making the reply itself failed: a value too deep to serialise, a script that throws. */
export function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const message = error instanceof Error ? error.message : String(error);
  response.writeHead(500, { 'content-type': JSON_TYPE });
  response.end(JSON.stringify({ error: { message: `The loopback model failed: ${message}`, type: 'api_error' } }));
}

/** Resolves when the bytes are written, or the connection is gone. */
function write(stage: ResponseStage, text: string): Promise<void> {
  return new Promise((resolve) => {
    stage.response.write(text, () => resolve());
  });
}

function pause(ms: number, gone: AbortSignal): Promise<void> {
  if (ms <= 0 || gone.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      gone.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    gone.addEventListener('abort', end);
  });
}
