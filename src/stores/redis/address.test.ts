import { expect, test } from 'vitest';
import { assertSafe, isLoopback, parseAddress, serverOf } from './address.ts';

const check = (url: string, allowPlain = false) => assertSafe(parseAddress(url), { allowPlain });

test.each(['127.0.0.1', '127.8.9.10', '::1', 'localhost'])('%s is this machine', (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each([
  '127.1',
  '127.0.0.1.example.com',
  '0.0.0.0',
  '10.0.0.1',
  '::',
  '::2',
  'localhost.example.com',
  'my-localhost',
  'db',
  '',
])('%s may be another machine', (host) => {
  expect(isLoopback(host)).toBe(false);
});

test.each([
  'redis://127.0.0.1:6379/0',
  'redis://LOCALHOST',
  'redis://[::1]:7000/3',
  'rediss://127.9.9.9',
  'rediss://:word@db.example.com',
  'rediss://anna:word@10.0.0.7:6380/2',
])('%s needs nothing more', (url) => {
  expect(() => check(url)).not.toThrow();
});

test.each([
  [
    'redis://db.example.com',
    'redis://db.example.com:6379/0 is on another machine, and the address has no TLS and no password.',
  ],
  ['redis://anna:word@10.0.0.7', 'redis://10.0.0.7:6379/0 is on another machine, and the address has no TLS.'],
  ['rediss://10.0.0.7', 'rediss://10.0.0.7:6379/0 is on another machine, and the address has no password.'],
  ['rediss://anna@10.0.0.7', 'rediss://10.0.0.7:6379/0 is on another machine, and the address has no password.'],
  ['redis://127.0.0.1@db', 'redis://db:6379/0 is on another machine, and the address has no TLS and no password.'],
])('%s is refused with the cure, unless a person allows it', (url, message) => {
  const hint = expect.stringMatching(
    /^Use rediss:\/\/ with a user and a password before .* --allow-plain-redis goes on without /,
  );
  expect(() => check(url)).toThrow(expect.objectContaining({ code: 'bad-config', message, hint }));
  expect(() => check(url, true)).not.toThrow();
});

test('a server has one name, whatever user, password and name of this machine an address has', () => {
  const nameOf = (url: string) => serverOf(parseAddress(url));
  expect(nameOf('redis://a:b@127.0.0.1')).toBe('localhost:6379/0');
  expect(nameOf('rediss://[::1]:6379/0')).toBe('localhost:6379/0');
  expect(nameOf('rediss://u:p@DB.example.com:7000/2')).toBe('db.example.com:7000/2');
});
