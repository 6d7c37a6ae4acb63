// What the dashboard refuses: every request that does not come from the person who started it, by raw sockets, so that no
// client mends a request on its way. And that none of them, nor any look at it, changes anything.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Board, everything, openBoard, raw } from './field.ts';

let board: Board;
let before = '';
beforeAll(async () => {
  board = await openBoard();
  before = await everything(board);
});
afterAll(() => board.remove());

interface Sent {
  readonly method?: string;
  readonly target?: string;
  /** `null` leaves a header out that is there otherwise. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly version?: string;
  readonly body?: string;
}

/** A request that is answered with 200 unless something in it is changed. */
function request({ method = 'GET', target = '/state', headers = {}, version = '1.1', body = '' }: Sent): string {
  const fixed = { Host: `127.0.0.1:${board.port}`, Authorization: `Bearer ${board.token}`, Connection: 'close' };
  const lines = Object.entries({ ...fixed, ...headers }).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}`],
  );
  const text = [`${method} ${target} HTTP/${version}`, ...lines, '', body].join('\r\n');
  return text.replaceAll('PORT', String(board.port)).replaceAll('TOKEN', board.token);
}

const NO_TOKEN = { Authorization: null };
const PATHS = ['/', '/page.js', '/page.css', '/events', '/state', '/metrics', '/text?delivery=fw_waits', '/nowhere'];

const CASES: readonly (readonly [name: string, status: number, sent: Sent])[] = [
  ...PATHS.map((target) => [`no token at ${target}`, 401, { target, headers: NO_TOKEN }] as const),
  ...PATHS.map(
    (target) => [`HEAD without a token at ${target}`, 401, { method: 'HEAD', target, headers: NO_TOKEN }] as const,
  ),
  ...PATHS.map(
    (target) => [`a wrong token at ${target}`, 401, { target, headers: { Authorization: 'Bearer 0' } }] as const,
  ),
  ...[
    'Bearer',
    'Bearer ',
    'TOKEN',
    'Basic TOKEN',
    'bearer TOKEN',
    'Bearer TOKEN0',
    'Bearer  TOKEN',
    'Bearer TOKEN,TOKEN',
  ].map((value) => [`the header "${value}"`, 401, { headers: { Authorization: value } }] as const),
  ['a token that lacks its end', 401, { target: '/state?token=', headers: NO_TOKEN }],
  ['a token of zeros', 401, { target: `/state?token=${'0'.repeat(64)}`, headers: NO_TOKEN }],
  ['a token in a cookie', 401, { headers: { ...NO_TOKEN, Cookie: 'token=TOKEN' } }],
  ['a token in a header of another name', 401, { headers: { ...NO_TOKEN, 'X-Token': 'TOKEN' } }],
  ['a token in the path', 404, { target: '/TOKEN/state' }],
  ['a token behind a hash', 400, { target: '/state#token=TOKEN', headers: NO_TOKEN }],
  ['the token twice', 400, { target: '/state?token=TOKEN&token=TOKEN', headers: NO_TOKEN }],
  [
    'a right token in the address and a wrong one in the header',
    401,
    { target: '/state?token=TOKEN', headers: { Authorization: 'Bearer 0' } },
  ],
  [
    'a WebSocket without a token',
    401,
    {
      target: '/events',
      headers: {
        ...NO_TOKEN,
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      },
    },
  ],
  [
    'an event stream without a token',
    401,
    { target: '/events', headers: { ...NO_TOKEN, Accept: 'text/event-stream' } },
  ],
  ...[
    'evil.example',
    'evil.example:PORT',
    '127.0.0.1',
    'localhost',
    '127.0.0.1:1',
    '127.0.0.1.evil.example:PORT',
    'localhost.evil.example:PORT',
    'localhost.:PORT',
    'LOCALHOST:PORT',
    '127.0.0.2:PORT',
    '127.1:PORT',
    '0.0.0.0:PORT',
    '[::1]:PORT',
    '2130706433:PORT',
    '0x7f000001:PORT',
    '127.0.0.1:PORT.evil.example',
    'someone@127.0.0.1:PORT',
    '127.0.0.1:PORT, evil.example',
    '127.0.0.1:0PORT',
  ].map((Host) => [`the host "${Host}"`, 421, { headers: { Host } }] as const),
  ['an empty host', 421, { headers: { Host: '' } }],
  ['no host', 400, { headers: { Host: null } }],
  ['no host, in HTTP/1.0', 421, { headers: { Host: null }, version: '1.0' }],
  [
    'a foreign host for the page itself',
    421,
    { target: '/?token=TOKEN', headers: { ...NO_TOKEN, Host: 'evil.example:PORT' } },
  ],
  ['two hosts', 421, { headers: { host: 'evil.example:PORT' } }],
  ...[
    'http://evil.example',
    'https://127.0.0.1:PORT',
    'http://127.0.0.1',
    'http://127.0.0.1:1',
    'http://localhost:PORT',
    'http://127.0.0.1:PORT.evil.example',
    'null',
    'file://',
    'chrome-extension://abcdefgh',
  ].map((Origin) => [`the origin "${Origin}"`, 403, { headers: { Origin } }] as const),
  ...['cross-site', 'same-site', 'anything'].flatMap((site) =>
    ['/?token=TOKEN', '/events', '/state'].map(
      (target) =>
        [`Sec-Fetch-Site ${site} at ${target}`, 403, { target, headers: { 'Sec-Fetch-Site': site } }] as const,
    ),
  ),
  ...['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'MKCOL', 'LOCK'].map(
    (method) => [`the method ${method}`, 405, { method }] as const,
  ),
  ['POST with a body', 405, { method: 'POST', headers: { 'Content-Length': '2' }, body: '{}' }],
  ['POST that calls itself GET', 405, { method: 'POST', headers: { 'X-HTTP-Method-Override': 'GET' } }],
  [
    'what a browser asks before it posts',
    405,
    { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'POST' } },
  ],
  ['a method that is none', 400, { method: 'BREW' }],
  ...[
    '/../../etc/passwd',
    '/..%2f..%2fetc%2fpasswd',
    '/%2e%2e/package.json',
    '/page.js/../state',
    '//',
    '//evil.example/',
    '/state/',
    '/STATE',
    '/state;x',
    '/state%20',
    '/state%00',
    '/%',
    '/%zz',
    '/\\..\\state',
    '/page.html',
    '/page.js.map',
    '/.git/config',
    '/.foreword/foreword.db',
    '/__proto__',
    '/constructor',
  ].map((target) => [`the path ${target}`, 404, { target }] as const),
  ...[
    'http://evil.example/state',
    '*',
    'state',
    '/state?x=1',
    '/state?%zz',
    '/state?token=%e0%a4%a',
    '/state?a?b',
    '/state#x',
    '/text',
    '/text?delivery=a&delivery=b',
    '/text?attempt=1',
    '/text?task=a&attempt=0',
    '/text?task=a&attempt=1e3',
    '/text?task=a&attempt=1&delivery=b',
    '/state\u00e9',
  ].map((target) => [`the address ${target}`, 400, { target }] as const),
  ['a delivery that is not there', 404, { target: '/text?delivery=..%2F..%2Fetc%2Fpasswd' }],
  ['an attempt that is not there', 404, { target: '/text?task=api_health&attempt=9' }],
  ['an address of 3000 characters', 414, { target: `/${'a'.repeat(3000)}` }],
  ['headers of 20 kilobytes', 431, { headers: { 'X-Long': 'a'.repeat(20_000) } }],
  ['a GET with a body', 400, { headers: { 'Content-Length': '2' }, body: '{}' }],
  ['a GET with chunks', 400, { headers: { 'Transfer-Encoding': 'chunked' }, body: '0\r\n\r\n' }],
];

test('the requests that the cases are made from are served, so that each case is refused for its own reason', async () => {
  for (const [target, headers] of [
    ['/state', {}],
    ['/state?token=TOKEN', NO_TOKEN],
    ['/?token=TOKEN', { ...NO_TOKEN, 'Sec-Fetch-Site': 'none' }],
    ['/state', { Host: 'localhost:PORT', Origin: 'http://localhost:PORT', 'Sec-Fetch-Site': 'same-origin' }],
  ] as const) {
    expect((await raw(board.port, request({ target, headers }))).status).toBe(200);
  }
});

test.each(CASES)('%s is refused with %i', async (_name, status, sent) => {
  const answer = await raw(board.port, request(sent));
  // Two hosts are two for Node's parser too, in some versions.
  expect(_name === 'two hosts' ? [400, 421] : [status]).toContain(answer.status);
  expect(answer.head).not.toMatch(/access-control|set-cookie/);
  const refused = answer.head + answer.body;
  for (const secret of [board.token, 's1a2b3c4d', 'api_health', 'secret plan']) expect(refused).not.toContain(secret);
});

test('there are more than 60 of them', () => {
  expect(CASES.length).toBeGreaterThan(60);
});

test('a proxy is not made of it: CONNECT is closed without an answer of ours', async () => {
  const { status, body } = await raw(board.port, request({ method: 'CONNECT', target: 'evil.example:443' }));
  expect([0, 400, 404, 405, 421]).toContain(status);
  expect(body).toBe('');
});

test('it listens on loopback alone', async () => {
  const { networkInterfaces } = await import('node:os');
  const { connect } = await import('node:net');
  const others = Object.values(networkInterfaces()).flatMap((all) => all?.filter((one) => !one.internal) ?? []);
  for (const { address, family } of others.filter((one) => one.family === 'IPv4')) {
    const reached = await new Promise<boolean>((resolve) => {
      const socket = connect({ port: board.port, host: address, family: 4, timeout: 1000 });
      socket.on('connect', () => resolve(true));
      for (const end of ['error', 'timeout']) socket.on(end, () => resolve(false));
      socket.on('close', () => resolve(false));
      socket.on('connect', () => socket.destroy());
      socket.on('timeout', () => socket.destroy());
    });
    expect([family, address, reached]).toEqual([family, address, false]);
  }
});

test('nothing changed by any of this: not the store, not the project, not what is kept for the person', async () => {
  for (const target of PATHS) await raw(board.port, request({ target }), 300);
  expect(await everything(board)).toBe(before);
});
