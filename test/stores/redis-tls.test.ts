// rediss://: encrypted, with a password, and only to a server whose certificate is trusted.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { bundle, temporaryFolder } from '../bundle.ts';
import { Child, endChildren } from './child.ts';
import { DURABLE, freePort, HAS_REDIS, RedisServer } from './redis-server.ts';

const PASSWORD = 'a-word-of-this-test';
const HAS_OPENSSL = spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!HAS_REDIS || !HAS_OPENSSL)('a Redis server with TLS', () => {
  let server: RedisServer;
  let worker: string;
  let folder: string;
  let certificate: string;
  let tlsPort: number;
  beforeAll(async () => {
    worker = bundle(join(import.meta.dirname, 'worker.ts'));
    folder = temporaryFolder('tls');
    certificate = join(folder, 'certificate.pem');
    const key = join(folder, 'key.pem');
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
    spawnSync('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject],
      ...['-keyout', key, '-out', certificate],
    ]);
    tlsPort = await freePort();
    const tls = ['--tls-port', String(tlsPort), '--tls-cert-file', certificate, '--tls-key-file', key];
    server = await RedisServer.start([
      ...DURABLE,
      ...tls,
      '--tls-ca-cert-file',
      certificate,
      '--tls-auth-clients',
      'no',
      '--requirepass',
      PASSWORD,
    ]);
  });
  afterEach(endChildren);
  afterAll(async () => {
    await server.end();
    rmSync(folder, { recursive: true });
    rmSync(worker);
  });

  const run = async (trusted: string, password = PASSWORD) => {
    const url = `rediss://:${password}@127.0.0.1:${tlsPort}/0`;
    const child = new Child('env', [`NODE_EXTRA_CA_CERTS=${trusted}`, process.execPath, worker, 'redis', url]);
    return (await child.finish()).join('\n');
  };

  test('is used when its certificate is trusted', async () => {
    expect(await run(certificate)).toBe('number 1');
  });

  test('refuses another password', async () => {
    expect(await run(certificate, 'wrong')).toMatch(/^store-unreachable: .*refuses this user/);
  });

  test('is refused when its certificate is not', async () => {
    expect(await run('')).toMatch(/^store-unreachable: .*self-signed certificate/);
  });
});
