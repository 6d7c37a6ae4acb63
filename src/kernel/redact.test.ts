import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeRedactor, REDACTED } from './redact.ts';
import { SECRET_FORMATS } from './redact-formats.ts';

const RUNS = { numRuns: process.env.FOREWORD_TEST_LONG === '1' ? 3000 : 300 };
const redactFormats = makeRedactor([]);

// Put together here, so that no scanner takes this file for a leak.
const letters = (count: number) => 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0z'.repeat(6).slice(0, count);
const upper = (count: number) => letters(count).toUpperCase();
const hex = (count: number) => '0a1b2c3d4e5f60718293a4b5c6d7e8f9'.repeat(6).slice(0, count);
const dashed = (dashes: string) => `-----${dashes}-----`;

/** The text with the secret, and what is left of it. */
const SAMPLES: Record<string, readonly (readonly [string, string])[]> = {
  'AWS access key': [whole(`AKIA${upper(16)}`), whole(`ASIA${upper(16)}`)],
  'AWS secret key': [
    [`AWS_SECRET_ACCESS_KEY=${letters(40)}`, `AWS_SECRET_ACCESS_KEY=${REDACTED}`],
    [`"secretAccessKey": "${letters(40)}"`, `"secretAccessKey": "${REDACTED}"`],
  ],
  'GitHub token': ['p', 'o', 'u', 's', 'r'].map((kind) => whole(`gh${kind}_${letters(36)}`)),
  'GitHub fine-grained token': [whole(`github_pat_${letters(22)}_${letters(59)}`)],
  'GitLab token': [whole(`glpat-${letters(20)}`), whole(`glrt-${letters(20)}`)],
  'Anthropic key': [whole(`sk-ant-api03-${letters(80)}-${letters(12)}AA`)],
  'OpenRouter key': [whole(`sk-or-v1-${hex(64)}`)],
  'OpenAI project key': [whole(`sk-proj-${letters(60)}_${letters(60)}`), whole(`sk-svcacct-${letters(60)}`)],
  'OpenAI key': [whole(`sk-${letters(48)}`)],
  'Google API key': [whole(`AIza${letters(35)}`)],
  'Google OAuth token': [whole(`ya29.${letters(60)}`)],
  'Google client secret': [whole(`GOCSPX-${letters(28)}`)],
  'Slack token': [whole(`xoxb-${'1234567890-'.repeat(2)}${letters(24)}`), whole(`xapp-1-A0-${letters(30)}`)],
  'Slack webhook': [
    [`https://hooks.slack.com/services/T0/B0/${letters(24)}`, `https://hooks.slack.com/services/${REDACTED}`],
  ],
  'Discord webhook': [
    [
      `https://discord.com/api/webhooks/123456789012345678/${letters(68)}`,
      `https://discord.com/api/webhooks/${REDACTED}`,
    ],
  ],
  'Stripe key': [whole(`sk_live_${letters(24)}`), whole(`rk_live_${letters(24)}`), whole(`sk_test_${letters(24)}`)],
  'webhook signing secret': [whole(`whsec_${letters(32)}`)],
  'npm token': [whole(`npm_${letters(36)}`)],
  'PyPI token': [whole(`pypi-AgEIcHlwaS5vcmc${letters(100)}`)],
  'RubyGems key': [whole(`rubygems_${hex(48)}`)],
  'crates.io token': [whole(`cio${letters(32)}`)],
  'Docker token': [whole(`dckr_pat_${letters(27)}`)],
  'SendGrid key': [whole(`SG.${letters(22)}.${letters(43)}`)],
  'Brevo key': [whole(`xkeysib-${hex(64)}-${letters(16)}`)],
  'Mailgun key': [whole(`key-${hex(32)}`)],
  'Mailchimp key': [whole(`${hex(32)}-us14`)],
  'Twilio key': [whole(`SK${hex(32)}`)],
  'Telegram bot token': [whole(`123456789:AA${letters(33)}`)],
  'Discord token': [whole(`MTA${letters(23)}.${letters(6)}.${letters(38)}`)],
  'JSON web token': [whole(`eyJ${letters(30)}.eyJ${letters(60)}.${letters(43)}`)],
  'private key block': [
    whole(`${dashed('BEGIN RSA PRIVATE KEY')}\n${letters(64)}\n${letters(30)}==\n${dashed('END RSA PRIVATE KEY')}`),
    whole(`${dashed('BEGIN PRIVATE KEY')}\\n${letters(64)}\\n${dashed('END PRIVATE KEY')}`),
    whole(
      `${dashed('BEGIN EC PRIVATE KEY')}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${hex(32)}\n\n${letters(64)}\n${dashed('END EC PRIVATE KEY')}`,
    ),
    [`${dashed('BEGIN OPENSSH PRIVATE KEY')}\n${letters(64)}`, REDACTED],
  ],
  'age key': [whole(`AGE-SECRET-KEY-1${upper(58)}`)],
  'Azure connection key': [[`AccountName=a;AccountKey=${letters(86)}==;`, `AccountName=a;AccountKey=${REDACTED};`]],
  'Azure signature': [[`https://a.b/c?sv=1&sig=${letters(43)}%3D`, `https://a.b/c?sv=1&sig=${REDACTED}`]],
  'Azure client secret': [whole(`abC8Q~${letters(34)}`)],
  'connection string password': [
    ['Server=db;User=sa;Password=hunter2hunter2;', `Server=db;User=sa;Password=${REDACTED};`],
  ],
  'DigitalOcean token': [whole(`dop_v1_${hex(64)}`)],
  'Hugging Face token': [whole(`hf_${letters(34)}`)],
  'Databricks token': [whole(`dapi${hex(32)}-2`)],
  'Shopify token': [whole(`shpat_${hex(32)}`), whole(`shpss_${hex(32)}`)],
  'Linear key': [whole(`lin_api_${letters(40)}`)],
  'Notion secret': [whole(`secret_${letters(43)}`), whole(`ntn_${letters(46)}`)],
  'Vault token': [whole(`hvs.${letters(90)}`)],
  'Terraform token': [whole(`${letters(14)}.atlasv1.${letters(60)}`)],
  'Doppler token': [whole(`dp.pt.${letters(43)}`), whole(`dp.st.dev.${letters(43)}`)],
  'Grafana token': [whole(`glsa_${letters(32)}_${hex(8)}`), whole(`glc_${letters(60)}`)],
  'Sentry token': [whole(`sntrys_${letters(60)}=_${letters(43)}`)],
  'New Relic key': [whole(`NRAK-${upper(27)}`)],
  'Postman key': [whole(`PMAK-${hex(24)}-${hex(34)}`)],
  'Atlassian token': [whole(`ATATT3${letters(120)}=${hex(8)}`)],
  'Heroku key': [whole(`HRKU-AA${letters(58)}`)],
  'Netlify token': [whole(`nfp_${letters(36)}`)],
  'Pulumi token': [whole(`pul-${hex(40)}`)],
  'Supabase key': [whole(`sbp_${hex(40)}`), whole(`sb_secret_${letters(31)}`)],
  'PlanetScale token': [whole(`pscale_tkn_${letters(43)}`)],
  'Square token': [whole(`sq0atp-${letters(22)}`), whole(`sq0csp-${letters(43)}`)],
  'Airtable token': [whole(`pat${letters(14)}.${hex(64)}`)],
  'Figma token': [whole(`figd_${letters(40)}`)],
  'Groq key': [whole(`gsk_${letters(52)}`)],
  'xAI key': [whole(`xai-${letters(80)}`)],
  'Perplexity key': [whole(`pplx-${letters(48)}`)],
  'Replicate token': [whole(`r8_${letters(37)}`)],
  'Tailscale key': [whole(`tskey-auth-${letters(12)}-${letters(32)}`)],
  '1Password token': [whole(`ops_eyJ${letters(120)}`)],
  'Artifactory key': [whole(`AKCp${letters(69)}`)],
  'URL with password': [
    ['postgres://admin:s3cr3t-p@ss@db:5432/x', `postgres://${REDACTED}@db:5432/x`],
    ['https://:onlypassword@host/', `https://${REDACTED}@host/`],
  ],
  'Authorization header': [
    ['Authorization: Bearer abcdefgh-ijkl', `Authorization: Bearer ${REDACTED}`],
    [`-H "authorization: Basic ${letters(20)}=="`, `-H "authorization: Basic ${REDACTED}"`],
  ],
  'bearer token': [[`with bearer ${letters(32)}.`, `with bearer ${REDACTED}`]],
};

function whole(secret: string): readonly [string, string] {
  return [secret, REDACTED];
}

describe('formats', () => {
  test('there are many, and each has its samples', () => {
    expect(Object.keys(SAMPLES)).toEqual(expect.arrayContaining(SECRET_FORMATS.map((format) => format.name)));
    expect(Object.keys(SAMPLES).length).toBe(SECRET_FORMATS.length);
    expect(SECRET_FORMATS.length).toBeGreaterThan(30);
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

describe('known values', () => {
  const secret = 'p@ss wörd/"1"+x';

  test.each([
    ['plain', secret],
    ['URL', encodeURIComponent(secret)],
    ['URL in small hex', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ['form', encodeURIComponent(secret).replaceAll('%20', '+')],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64url', Buffer.from(secret).toString('base64url')],
  ])('are found in the form %s', (_name, form) => {
    expect(makeRedactor([secret])(`a ${form} b`)).toBe(`a ${REDACTED} b`);
  });

  test('are found inside a longer encoded text, at each of the three alignments', () => {
    const value = 'hunter2-hunter2-hunter2';
    const redact = makeRedactor([value]);
    for (const before of ['', 'u', 'us', 'use', 'user:']) {
      for (const encoding of ['base64', 'base64url'] as const) {
        const clean = redact(Buffer.from(`${before}${value}>>?after`).toString(encoding));
        expect(clean).toContain(REDACTED);
        const rest = clean.split(REDACTED).flatMap((piece) => [0, 1, 2, 3].map((at) => piece.slice(at)));
        expect(rest.map((piece) => Buffer.from(piece, 'base64').toString('latin1')).join('|')).not.toContain('hunter2');
      }
    }
  });

  test('lines of a long value are found when they are indented', () => {
    const redact = makeRedactor([`first-line-of-the-value\nsecond-line-of-the-value\n`]);
    expect(redact('  first-line-of-the-value\n  second-line-of-the-value')).toBe(`  ${REDACTED}\n  ${REDACTED}`);
  });

  test('overlapping ones are taken out as one', () => {
    const redact = makeRedactor(['abcdefgh12345678', '12345678zzzzzzzz', 'abcdefgh']);
    expect(redact('<abcdefgh12345678zzzzzzzz>')).toBe(`<${REDACTED}>`);
  });

  test('short ones, and parts of the mark, are ignored', () => {
    const redact = makeRedactor(['short12', 'redacted', '[redacted]', '']);
    expect(redact('short12 was redacted: [redacted]')).toBe('short12 was redacted: [redacted]');
  });

  test('no eight characters of a known value are left, in whatever order and form they occur', () => {
    const value = fc.string({ unit: fc.constantFrom(...'ABCDEFGHIJKLMNOP+/ %"é'), minLength: 8, maxLength: 24 });
    const filler = fc.string({ unit: fc.constantFrom(...'abcdefghij .,:\n[]$&'), maxLength: 12 });
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(filler, fc.nat(3), fc.nat(3)), { minLength: 1, maxLength: 6 }),
        (values, parts) => {
          const text = parts
            .map(([before, which, form]) => before + encode(values[which % values.length] ?? '', form))
            .join('');
          const clean = makeRedactor(values)(text);
          for (const each of values) {
            for (let at = 0; at + 8 <= each.length; at += 1) {
              for (let form = 0; form < 4; form += 1) {
                const canary = encode(each.slice(at, at + 8), form);
                if (form !== 2) expect(clean).not.toContain(canary);
              }
            }
          }
        },
      ),
      RUNS,
    );
  });
});

describe('redaction', () => {
  const atom = fc.oneof(
    fc.constantFrom(
      REDACTED,
      '[redac',
      'ted]',
      'ghp_',
      'eyJ',
      '://',
      ':AA',
      '@',
      '.',
      ' ',
      '-us1',
      'Bearer ',
      '\n',
      '-',
    ),
    fc.constantFrom(letters(20), hex(32), letters(40), '123456789', 'cted]abcd', 'x[redacted]y', 'secret12'),
    fc.string({ maxLength: 10 }),
    fc.constantFrom(...Object.values(SAMPLES).flatMap((samples) => samples.map(([text]) => text))),
  );
  const text = fc.array(atom, { maxLength: 12 }).map((atoms) => atoms.join(''));

  test('is idempotent, also for values that overlap the mark', () => {
    const values = fc.subarray(['cted]abcd', 'x[redacted]y', 'secret12', 'redacted', '[redacted', 'secret12x[reda']);
    fc.assert(
      fc.property(values, fc.array(fc.string({ minLength: 8 }), { maxLength: 3 }), text, (fixed, random, each) => {
        const redact = makeRedactor([...fixed, ...random]);
        const once = redact(each);
        expect(redact(once)).toBe(once);
      }),
      RUNS,
    );
  });

  test('takes any text and any values', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.string({ unit: 'binary' }), (values, each) => {
        expect(typeof makeRedactor(['\ud800'.repeat(8), ...values])(each)).toBe('string');
      }),
      RUNS,
    );
  });
});

function encode(value: string, form: number): string {
  if (form === 1) return encodeURIComponent(value);
  if (form === 2) return Buffer.from(value).toString('base64');
  return form === 3 ? JSON.stringify(value).slice(1, -1) : value;
}
