// The dashboard's server: serves what requests.ts lets through, on loopback, and changes nothing. Everything it sends passes
// the redactor and the sanitiser here, whatever was done before.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { asError, type ErrorCode, ForewordError } from '../kernel/errors.ts';
import { mapStrings } from '../kernel/map-strings.ts';
import { asciiJson, safeText } from '../kernel/safe-text.ts';
import { type ConnectionState, connectionsToClose } from './connections.ts';
import { type DashboardRequest, judge, REFUSALS, type Refusal, type Route, STATUS } from './requests.ts';
import type { Shown, ShownText } from './shown.ts';
import { openWatchers } from './watchers.ts';

/** What the server can serve. Each may throw a ForewordError. */
export interface Backing {
  shown(): Promise<Shown>;
  /** In the text format of Prometheus. */
  metrics(): Promise<string>;
  delivery(id: string): Promise<ShownText>;
  prompt(task: string, attempt: number): Promise<ShownText>;
  redact(text: string): string;
}

/** The page, its script and its style; `{token}` in the page is where the token goes. */
export interface PageFiles {
  readonly html: string;
  readonly script: string;
  readonly style: string;
}

export interface ServerOptions {
  /** 0: any free port. */
  readonly port: number;
  /** Letters and digits. */
  readonly token: string;
  readonly files: PageFiles;
  readonly backing: Backing;
  /** How often the records are read while a page is open. */
  readonly everyMs: number;
}

export interface DashboardServer {
  readonly port: number;
  /** With the token: whoever has the address can read everything. */
  readonly url: string;
  close(): Promise<void>;
}

/** Room for the cookies that other servers of this machine have set: browsers send them here too. */
const MAX_HEADER_BYTES = 16 * 1024;
/** How long a request may take to arrive. */
const REQUEST_MS = 5000;
/** How often Node looks for requests that took longer. */
const CHECKED_EVERY_MS = 1000;

/** `trusted-types` keeps the page from turning text into markup in any way. */
const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
};

const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json';

interface Connection extends ConnectionState {
  readonly socket: Socket;
}

function connectionOf(socket: Socket): Connection {
  const openedAt = performance.now();
  return {
    socket,
    openedAt,
    isKnown: false,
    requests: 0,
    get bytesRead() {
      return socket.bytesRead;
    },
  };
}

interface HttpResponse {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Throws `bad-usage` when it cannot listen on the port. */
export async function startServer(options: ServerOptions): Promise<DashboardServer> {
  const { token, backing, files } = options;
  const clean = (text: string) => safeText(backing.redact(text));
  const jsonOf = (value: unknown) => asciiJson(mapStrings(value, clean));
  const updates = openWatchers({
    everyMs: options.everyMs,
    read: async () => {
      try {
        return { event: 'state', data: jsonOf(await backing.shown()) };
      } catch (error) {
        return { event: 'problem', data: jsonOf(problemOf(error)) };
      }
    },
  });
  const limits = {
    maxHeaderSize: MAX_HEADER_BYTES,
    requestTimeout: REQUEST_MS,
    headersTimeout: REQUEST_MS,
    connectionsCheckingInterval: CHECKED_EVERY_MS,
  };
  const connections = new Map<Socket, Connection>();
  const server = createServer(limits, (request, response) => {
    // A client that goes away in the middle must not end the process.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const connection = connections.get(request.socket);
    if (connection !== undefined) {
      connection.requests += 1;
      response.on('close', () => {
        connection.requests -= 1;
      });
    }
    serve(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    connections.set(socket, connectionOf(socket));
    socket.on('close', () => connections.delete(socket));
    for (const one of connectionsToClose([...connections.values()], performance.now())) one.socket.destroy();
  });
  const port = await listen(options.port);

  return {
    port,
    url: `http://127.0.0.1:${port}/?token=${token}`,
    close: () =>
      new Promise((resolve) => {
        updates.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  function listen(wanted: number): Promise<number> {
    return new Promise((resolve, reject) => {
      server.on('error', (cause) => {
        const hint = 'Choose another port, or leave out --port to use any free one.';
        reject(new ForewordError('bad-usage', `The dashboard cannot listen on port ${wanted}.`, { hint, cause }));
      });
      server.listen(wanted, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = judge(requestOf(request), { port, token });
    if (typeof route === 'string') return send(request, response, refusal(route));
    const connection = connections.get(request.socket);
    if (connection !== undefined) connection.isKnown = true;
    if (route.kind !== 'events') return send(request, response, await respond(route));
    if (updates.isFull()) return send(request, response, refusal('too-many'));
    response.writeHead(200, { ...HEADERS, 'Content-Type': 'text/event-stream' });
    if (request.method === 'HEAD') response.end();
    else updates.add(response);
  }

  async function respond(route: Exclude<Route, { kind: 'events' }>): Promise<HttpResponse> {
    try {
      return await responseTo(route);
    } catch (error) {
      const problem = problemOf(error);
      return { status: STATUS[problem.code], type: JSON_TYPE, body: jsonOf({ error: problem }) };
    }
  }

  async function responseTo(route: Exclude<Route, { kind: 'events' }>): Promise<HttpResponse> {
    switch (route.kind) {
      case 'page':
        return ok(
          'text/html; charset=utf-8',
          files.html.replaceAll('{token}', () => token),
        );
      case 'script':
        return ok('text/javascript; charset=utf-8', files.script);
      case 'style':
        return ok('text/css; charset=utf-8', files.style);
      case 'state':
        return ok(JSON_TYPE, jsonOf(await backing.shown()));
      case 'metrics':
        return ok('text/plain; version=0.0.4; charset=utf-8', clean(await backing.metrics()));
      case 'delivery':
        return ok(JSON_TYPE, jsonOf(await backing.delivery(route.id)));
      case 'prompt':
        return ok(JSON_TYPE, jsonOf(await backing.prompt(route.task, route.attempt)));
    }
  }
}

/** The text of an error that is not ours may hold anything, so it is not sent. */
function problemOf(error: unknown): { readonly code: ErrorCode; readonly message: string; readonly hint?: string } {
  const { code, message, hint } = asError(error);
  if (code === 'internal')
    return { code, message: 'An internal error happened while the records were read. Run foreword doctor.' };
  return { code, message, ...(hint === undefined ? {} : { hint }) };
}

function requestOf(request: IncomingMessage): DashboardRequest {
  const { method = '', url: target = '', headers, rawHeaders } = request;
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  return { method, target, headers, hosts };
}

function ok(type: string, body: string): HttpResponse {
  return { status: 200, type, body };
}

function refusal(kind: Refusal): HttpResponse {
  return { status: STATUS[kind], type: TEXT, body: `${REFUSALS[kind]}\n` };
}

function send(request: IncomingMessage, response: ServerResponse, { status, type, body }: HttpResponse): void {
  const bytes = Buffer.from(body, 'utf8');
  // An unread body would be parsed as the next request.
  const isLast = status !== 200;
  response.writeHead(status, {
    ...HEADERS,
    'Content-Type': type,
    'Content-Length': bytes.length,
    ...(status === STATUS['read-only'] ? { Allow: 'GET, HEAD' } : {}),
    ...(isLast ? { Connection: 'close' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}
