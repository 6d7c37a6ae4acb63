// Between an agent and the loopback model: passes everything on, can keep a request waiting first, and knows when each reply began
// and ended. The model replies to side requests (a summary, a title) at once; a service would not.

import { request as ask, createServer } from 'node:http';

/** Answers { url, hold, windows, close }. A window is { from, until } of one request, `until` absent while it runs. */
export async function startSlow(target) {
  const windows = [];
  let holdMs = 0;
  const server = createServer((request, response) => {
    const window = { from: Date.now() };
    if (request.method === 'POST') windows.push(window);
    const end = () => {
      window.until ??= Date.now();
    };
    response.on('close', end);
    const body = [];
    request.on('data', (part) => body.push(part));
    request.on('end', () => {
      setTimeout(() => pass(request, response, Buffer.concat(body)), request.method === 'POST' ? holdMs : 0);
    });
  });
  const pass = ({ method, url, headers }, response, body) => {
    if (response.destroyed) return;
    const onward = ask(new URL(url, target), { method, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 500, reply.headers);
      reply.pipe(response);
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    onward.end(body);
  };
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    hold: (ms) => {
      holdMs = ms;
    },
    windows: () => windows,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
