// Which requests are served. A request is checked in this order: its Host, the method, the page it comes from, its size and
// shape, the token, the path. Pure, except that the comparison of tokens takes the same time for every token.
//
// Who is refused: a foreign page in the person's browser (Origin, Sec-Fetch-Site; there is no cookie), a foreign host name
// that points to this machine (Host), other users and agents on this machine (they do not know the token of 256 bits).

import { createHash, timingSafeEqual } from 'node:crypto';
import type { ErrorCode } from '../kernel/errors.ts';

export interface DashboardRequest {
  readonly method: string;
  /** The request target, as in the first line of the request. */
  readonly target: string;
  /** Names in lower case; headers that came twice are joined by a comma. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The number of Host headers: with two, two readers may use different ones. */
  readonly hosts: number;
}

export type Route =
  | { readonly kind: 'page' | 'script' | 'style' | 'state' | 'metrics' }
  | { readonly kind: 'events' }
  | { readonly kind: 'delivery'; readonly id: string }
  | { readonly kind: 'prompt'; readonly task: string; readonly attempt: number };

export type Refusal =
  | 'foreign-host'
  | 'read-only'
  | 'foreign-page'
  | 'too-long'
  | 'malformed'
  | 'no-token'
  | 'not-found'
  | 'too-many';

/** The HTTP status of every response that is not a 200: by refusal, or by the error's code. */
export const STATUS: Readonly<Record<Refusal | ErrorCode, number>> = {
  'foreign-host': 421,
  'read-only': 405,
  'foreign-page': 403,
  'too-long': 414,
  malformed: 400,
  'no-token': 401,
  'not-found': 404,
  'too-many': 503,
  'bad-usage': 400,
  'bad-input': 500,
  'bad-config': 500,
  'unknown-task': 404,
  'unknown-session': 404,
  'session-gone': 404,
  'missing-program': 503,
  'not-prepared': 500,
  'store-unreachable': 503,
  'store-damaged': 503,
  'disk-full': 503,
  'not-typed': 500,
  'stale-owner': 409,
  conflict: 409,
  internal: 500,
};

/** The text of a refusal, for the person at the browser. */
export const REFUSALS: Readonly<Record<Refusal, string>> = {
  'foreign-host': 'The dashboard does not serve this host name. Open the address that foreword dashboard printed.',
  'read-only': 'The dashboard is read-only. Use GET or HEAD.',
  'foreign-page': 'The request came from another page. Open the address itself.',
  'too-long': 'The address is too long.',
  malformed: 'The request is malformed.',
  'no-token': 'The token is missing or wrong. Open the whole address that foreword dashboard printed.',
  'not-found': 'There is no such page.',
  'too-many': 'Too many pages of this dashboard are open. Close one and reload.',
};

const MOST_TARGET = 2048;
const SCHEME = 'Bearer ';

export function judge(
  request: DashboardRequest,
  own: { readonly port: number; readonly token: string },
): Route | Refusal {
  const host = textOf(request.headers.host);
  if (host === undefined || request.hosts !== 1 || !hostsOf(own.port).includes(host)) return 'foreign-host';
  if (request.method !== 'GET' && request.method !== 'HEAD') return 'read-only';
  if (isForeign(request, host)) return 'foreign-page';
  if (request.target.length > MOST_TARGET) return 'too-long';
  if (hasBody(request) || !/^\/[\x21-\x7e]*$/.test(request.target) || request.target.includes('#')) return 'malformed';
  const [path = '', ...rest] = request.target.split('?');
  const query = rest.length > 1 ? undefined : queryOf(rest[0] ?? '');
  if (query === undefined) return 'malformed';
  if (!hasToken(request, query, own.token)) return 'no-token';
  return routeOf(path, query);
}

/** By IP address or as localhost; browsers leave out port 80. */
function hostsOf(port: number): readonly string[] {
  const names = ['127.0.0.1', 'localhost'];
  return [...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : [])];
}

/** `same-site` is foreign too: every port of localhost is one site. Other programs than browsers send neither header. */
function isForeign({ headers }: DashboardRequest, host: string): boolean {
  const origin = headers.origin;
  if (origin !== undefined && origin !== `http://${host}`) return true;
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

function hasBody({ headers }: DashboardRequest): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Each name once, and nothing that cannot be decoded; `undefined` otherwise. */
function queryOf(text: string): ReadonlyMap<string, string> | undefined {
  const query = new Map<string, string>();
  for (const pair of text === '' ? [] : text.split('&')) {
    const at = pair.indexOf('=');
    try {
      const name = decodeURIComponent(at === -1 ? pair : pair.slice(0, at));
      if (query.has(name)) return undefined;
      query.set(name, at === -1 ? '' : decodeURIComponent(pair.slice(at + 1)));
    } catch {
      return undefined;
    }
  }
  return query;
}

/** In the header, where programs and the page's script put it, or in the address, for the page and its two files. With a
 *  wrong token in the header, a right one in the address does not count. */
function hasToken({ headers }: DashboardRequest, query: ReadonlyMap<string, string>, token: string): boolean {
  const header = textOf(headers.authorization);
  if (headers.authorization !== undefined) {
    return header?.startsWith(SCHEME) === true && isSame(header.slice(SCHEME.length), token);
  }
  return isSame(query.get('token') ?? '', token);
}

function isSame(given: string, token: string): boolean {
  const [one, other] = [given, token].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

/** A table of names: no path leads to a file. */
const PLACES = {
  '/': 'page',
  '/page.js': 'script',
  '/page.css': 'style',
  '/events': 'events',
  '/state': 'state',
  '/metrics': 'metrics',
} as const;

function routeOf(path: string, query: ReadonlyMap<string, string>): Route | Refusal {
  const names = [...query.keys()].filter((name) => name !== 'token');
  if (path === '/text') return textRoute(names, query);
  if (!Object.hasOwn(PLACES, path)) return 'not-found';
  return names.length === 0 ? { kind: PLACES[path as keyof typeof PLACES] } : 'malformed';
}

function textRoute(names: readonly string[], query: ReadonlyMap<string, string>): Route | Refusal {
  const [id, task, attempt] = ['delivery', 'task', 'attempt'].map((name) => query.get(name));
  if (names.length === 1 && id !== undefined) return { kind: 'delivery', id };
  if (names.length !== 2 || task === undefined || !/^[1-9]\d{0,5}$/.test(attempt ?? '')) return 'malformed';
  return { kind: 'prompt', task, attempt: Number(attempt) };
}

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
