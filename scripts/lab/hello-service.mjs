// The one service an agent asks for a sign of life before it shows its first dialog, played on loopback. Its names lead
// here by the hosts file of the namespace (record-screens.mjs), and the certificate is made for this run.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';

export const HELLO_HOSTS = ['api.anthropic.com', 'platform.claude.com'];

/** Answers { certificate, close }; the certificate's path goes into NODE_EXTRA_CA_CERTS. Needs openssl. */
export async function startHello(folder) {
  const key = join(folder, 'hello-key.pem');
  const certificate = join(folder, 'hello-certificate.pem');
  const names = HELLO_HOSTS.map((host) => `DNS:${host}`).join(',');
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', `/CN=${HELLO_HOSTS[0]}`];
  execFileSync('openssl', ['req', ...kind, '-addext', `subjectAltName=${names}`, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"message":"hello"}');
  });
  await new Promise((resolve) => server.listen(443, '127.0.0.1', resolve));
  return {
    certificate,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
