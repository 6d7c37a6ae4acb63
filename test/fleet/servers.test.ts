// Workers on other kinds of servers: with TLS and a password, and a Redis Cluster.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../bundle.ts';
import { foreword } from '../foreword.ts';
import { DURABLE, freePort, HAS_REDIS, RedisServer } from '../stores/redis-server.ts';
import { fleetTask, type Ground, makeGround, until } from './ground.ts';

const HAS_OPENSSL = spawnSync('openssl', ['version']).status === 0;
const QUICK = { worker: { lockMs: 6_000, stalledMs: 1_000 } };
const PASSWORD = 'a-word-of-this-test';

let ground: Ground | undefined;
afterEach(() => ground?.remove());

describe.skipIf(!HAS_REDIS || !HAS_OPENSSL)('a server with TLS and a password', () => {
  test('carries store and queue, and a worker that does not trust it is refused', async () => {
    const folder = temporaryFolder('fleet-tls');
    try {
      const [certificate, key, port] = [join(folder, 'certificate.pem'), join(folder, 'key.pem'), await freePort()];
      const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
      const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject];
      spawnSync('openssl', [...made, '-keyout', key, '-out', certificate]);
      const tls = ['--tls-port', String(port), '--tls-cert-file', certificate, '--tls-key-file', key];
      ground = await makeGround({
        agents: { first: ['works'] },
        tasks: [fleetTask('a'), fleetTask('b', { depends_on: ['a'] })],
        settings: QUICK,
        server: [
          ...DURABLE,
          ...tls,
          '--tls-ca-cert-file',
          certificate,
          '--tls-auth-clients',
          'no',
          '--requirepass',
          PASSWORD,
        ],
        store: `rediss://:${PASSWORD}@127.0.0.1:${port}/0`,
        env: { NODE_EXTRA_CA_CERTS: certificate },
      });
      const one = ground.machine('one');
      const enqueued = await one.command('enqueue', 'tasks.json', '--remote', 'origin', '--yes', '--json');
      const { fleet } = JSON.parse(enqueued.stdout);
      const worker = ground.machine('two').worker(fleet, '--until-done');
      expect([await worker.ended, worker.output()]).toEqual([0, expect.stringContaining('b: completed')]);
      expect(ground.ledger()).toEqual(['a', 'b']);
      const words = ['worker', '--fleet', fleet, '--store', ground.store, '--config', ground.config];
      const { status, stderr } = await foreword(words, { cwd: one.clone.root, env: { HOME: one.home } });
      expect([status, stderr]).toEqual([3, expect.stringContaining('self-signed certificate')]);
      expect(stderr).not.toContain(PASSWORD);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 120_000);
});

describe.skipIf(!HAS_REDIS)('a Redis Cluster', () => {
  test('of three masters is refused with the reason; a node that holds all slots is a server like any other', async () => {
    const nodes = await Promise.all([1, 2, 3].map(() => RedisServer.start([...DURABLE, '--cluster-enabled', 'yes'])));
    const clients = nodes.map(({ port }) => new Redis(port, '127.0.0.1'));
    try {
      const [first, ...others] = clients as [Redis, Redis, Redis];
      await first.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16383);
      await untilOk(first);
      ground = await makeGround({
        agents: { first: ['works'] },
        tasks: [fleetTask('a')],
        settings: QUICK,
        store: nodes[0]?.url,
      });
      const one = ground.machine('one');
      const words = ['enqueue', 'tasks.json', '--remote', 'origin', '--yes'];
      const { fleet } = JSON.parse((await one.command(...words, '--json')).stdout);
      const worker = one.worker(fleet, '--until-done');
      expect([await worker.ended, worker.output()]).toEqual([0, expect.stringContaining('a: completed')]);

      await first.call('CLUSTER', 'FLUSHSLOTS').catch(() => undefined);
      await first.flushall();
      await first.call('CLUSTER', 'RESET', 'HARD');
      const shares = [0, 5461, 10923, 16384];
      for (const [index, client] of clients.entries())
        await client.call('CLUSTER', 'ADDSLOTSRANGE', shares[index] ?? 0, (shares[index + 1] ?? 0) - 1);
      for (const [index] of others.entries())
        await first.call('CLUSTER', 'MEET', '127.0.0.1', nodes[index + 1]?.port ?? 0);
      for (const client of clients) await untilOk(client);
      const refused = await ground.machine('two').command(...words);
      expect([refused.status, refused.stderr]).toEqual([
        3,
        expect.stringContaining('is one of 3 nodes of a Redis Cluster'),
      ]);
      expect(refused.stderr).toContain('Use a server of its own');
      expect(await Promise.all(clients.map((client) => client.dbsize()))).toEqual([0, 0, 0]);
    } finally {
      for (const client of clients) client.disconnect();
      for (const node of nodes) await node.end();
    }
  }, 120_000);
});

async function untilOk(client: Redis): Promise<void> {
  let info = '';
  const look = async () => {
    info = String(await client.call('CLUSTER', 'INFO'));
  };
  await look();
  await until(() => {
    void look();
    return info.includes('cluster_state:ok');
  });
}
