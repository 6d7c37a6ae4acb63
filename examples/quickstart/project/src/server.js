import { createServer } from 'node:http';
import { totalOf } from './cart.js';

/** Routes by path; each answers a status and a value. */
export const routes = {
  '/api/total': (query) => ({ status: 200, body: { total: totalOf(JSON.parse(query.get('items') ?? '[]')) } }),
};

export function startServer(port = 0) {
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost');
    const route = routes[url.pathname];
    const { status, body } = route ? route(url.searchParams) : { status: 404, body: { error: 'not found' } };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}
