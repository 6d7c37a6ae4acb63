import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hex, letters, SAMPLES, upper, uuid } from '../../test/secrets/samples.ts';
import { makeRedactor, REDACTED } from './redact.ts';
import { SECRET_FORMATS } from './redact-formats.ts';

const redactFormats = makeRedactor([]);

describe('formats', () => {
  test('there are many, and each has its samples', () => {
    expect(Object.keys(SAMPLES)).toEqual(expect.arrayContaining(SECRET_FORMATS.map((format) => format.name)));
    expect(Object.keys(SAMPLES).length).toBe(SECRET_FORMATS.length);
    expect(SECRET_FORMATS.length).toBeGreaterThan(120);
  });

  test.each(SECRET_FORMATS.map((format) => format.name))('a sample of %s is removed wherever it is', (name) => {
    for (const [text, left] of SAMPLES[name] ?? []) {
      for (const [before, after] of [
        ['', ''],
        ['see ', ' there'],
        ['x="', '"'],
        ['a:\n', '\nb'],
      ] as const) {
        expect(redactFormats(before + text + after)).toBe(before + left + after);
      }
    }
  });

  test('two secrets side by side are both taken out', () => {
    const first = `AKIA${upper(16)}`;
    expect(redactFormats(`${first}ghp_${letters(36)}`)).not.toContain(letters(8));
    expect(redactFormats(`${first},${first} ${first}`)).toBe(`${REDACTED},${REDACTED} ${REDACTED}`);
  });

  test.each([
    'https://example.org:8080/a@b',
    ['redis://$', '{user}:$', '{password}@$', '{host}/0'].join(''),
    'postgres://<user>:<password>@host',
    'task-management-in-a-very-long-kebab-case-identifier',
    'the disk-0123456789 and a key-value pair',
    'Authorization: Bearer <token>',
    'bearer authentication-is-described-below',
    'sha512-9Uq0xw2H1c5v6mGq1Zr3nY1b8bX0pD7uQ==',
    'commit 57507e3f0a1b2c3d4e5f60718293a4b5c6d7e8f9',
    'import { something } from "./somewhere-else.ts";',
    '-----BEGIN CERTIFICATE-----',
    `sha256:${hex(64)}  ${hex(64)}  file.txt`,
    `${hex(32)}  md5.txt\n${hex(40)}  sha1.txt\n${hex(64)}  sha256.txt\n${hex(128)}  sha512.txt`,
    `"integrity": "sha512-${letters(86)}=="`,
    `"resolved": "https://example.org/a/-/a-1.2.3.tgz#${hex(40)}"`,
    `id ${uuid()} and ${uuid().toUpperCase()}`,
    `data:image/png;base64,iVBORw0KGgo${letters(180)}${letters(180)}+/${letters(60)}==`,
    `url(data:font/woff2;base64,${'d09GMgABAAAAA'}${letters(186)})`,
    'src/kernel/redact-service-tokens.test.ts:120:12',
    '/home/me/projects/a-long-name/node_modules/.pnpm/some-package@1.2.3_peer@4.5.6/node_modules/some-package/index.js',
    'test/fixtures/2024-01-02T03-04-05_run_0001_of_a_task.json',
    'password: string; secret: Uint8Array; apiKey?: Sha256Hash',
    'const token = base64url; const secret = sha256(x1); password = hash512;',
    'if (password === "" || secret !== null) throw new Error("password-is-required");',
    'apiKey: process.env.API_KEY2, password: config.database1.password',
    'the password = "the-one-you-chose" and secret: "see-the-manual"',
    ['PASSWORD=$', '{DB_PASSWORD_1} SECRET=$', '(cat /run/secrets/one1) API_KEY=<your-key-1>'].join(''),
    'POSTGRES_PASSWORD=/run/secrets/password1 secret="./keys/1.pem"',
    'eyJ is how a JSON object begins in base64',
    'git commit -m "patch: access-production-docs and sk-learn-0.24.1"',
    'npm_config_registry npm_lifecycle_event npm_package_version',
    'the class SKAction and the constant SK_MAX, glc_ and hf_ prefixes',
    'from https://user@example.org/repo.git to ssh://git@example.org:22/repo.git',
    'at Object.<anonymous> (/app/dist/token-1234567890abcdef.js:1:2345)',
    'ABSKIP and AKIDS and LTAINT and EZAKOPANE',
    '@types/node@20.1.2, react@18.2.0-rc.1, lodash-es@4.17.21',
  ])('ordinary text is left alone: %s', (text) => {
    expect(redactFormats(text)).toBe(text);
  });

  test('at most one line in a thousand of ordinary code is touched', () => {
    const types = dirname(createRequire(import.meta.url).resolve('@types/node/package.json'));
    const files = [join(import.meta.dirname, '..'), types].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && !file.includes('redact'))
        .map((file) => join(folder, file)),
    );
    const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n'));
    const touched = lines.filter((line) => redactFormats(line) !== line);
    expect(lines.length).toBeGreaterThan(10_000);
    expect(touched.length / lines.length).toBeLessThanOrEqual(0.001);
  });

  test('at most one line in a thousand is touched when whole files are read, line breaks left out', () => {
    const folder = join(import.meta.dirname, '..');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.includes('redact'))
      .map((file) => readFileSync(join(folder, file), 'utf8'));
    const lines = files.reduce((sum, text) => sum + text.split('\n').length, 0);
    const marks = files.reduce(
      (sum, text) => sum + redactFormats(text).split(REDACTED).length - text.split(REDACTED).length,
      0,
    );
    expect(marks / lines).toBeLessThanOrEqual(0.001);
  });

  test('the time grows with the length only, whatever the text repeats', () => {
    const beginnings = SECRET_FORMATS.flatMap((format) => [...format.needles.slice(0, 3), `${format.needles[0]}a1.`]);
    for (const beginning of [...beginnings, '-----BEGIN PRIVATE KEY-----\n', 'eyJaaaaaaaa.', '://a:b', '0', ' ']) {
      const started = performance.now();
      redactFormats(beginning.repeat(Math.ceil(200_000 / beginning.length)));
      // Quadratic work on 200 kB would be minutes; a busy machine may be slow, but not that slow.
      expect({ beginning, isSlow: performance.now() - started > 1000 }).toEqual({ beginning, isSlow: false });
    }
  });
});
