import { describe, expect, test } from 'vitest';
import { secretsFromEnv } from './environment.ts';

const VALUE = 'a-value-of-some-length';

describe('the value of a variable is a secret when its name says so', () => {
  test.each([
    ...[
      'API_KEY',
      'APIKEY',
      'OPENAI_API_KEY',
      'AWS_ACCESS_KEY_ID',
      'AWS_SECRET_ACCESS_KEY',
      'SSH_PRIVATE_KEY',
      'apiKey',
    ],
    ...[
      'ENCRYPTION_KEY_BASE64',
      'SIGNING_KEYS',
      'LICENSE_KEY',
      'SECRETKEY',
      'STRIPE_KEY_1',
      'KEY',
      'api-key',
      'x.api.key',
    ],
    ...['GITHUB_TOKEN', 'TOKEN', 'NPM_TOKEN_2', 'AUTHTOKEN', 'ACCESS_TOKEN', 'npm_config__authToken', 'githubToken'],
    ...['CLIENT_SECRET', 'SECRET', 'SESSION_SECRET_OLD', 'clientSecret', 'DJANGO_SECRETS'],
    ...['SMTP_PASS', 'DB_PASS', 'DBPASS', 'REDISPASS', 'PASS', 'MYSQL_PWD', 'DBPWD', 'ADMIN_PWD', 'PASSCODE_HASH'],
    ...['PGPASSWORD', 'PASSWORD', 'ROOT_PASSWD', 'KEY_PASSPHRASE', 'passwordForDb', 'POSTGRES_PASSWORD'],
    ...['SENTRY_DSN', 'DATABASE_DSN', 'DSN', 'GOOGLE_CREDENTIALS', 'AWS_CREDS', 'CRED', 'CREDENTIAL_JSON'],
    ...[
      'BASIC_AUTH',
      'AUTH',
      'HTTP_AUTH_VALUE',
      'SESSION_COOKIE',
      'COOKIES',
      'GITHUB_PAT',
      'AZURE_DEVOPS_EXT_PAT',
      'PAT',
    ],
    ...[
      'BEARER',
      'API_BEARER',
      'SLACK_WEBHOOK',
      'SLACK_WEBHOOK_URL',
      'WEBHOOKS',
      'SIGNING',
      'PRIVATE',
      'MY_PRIVATE_VALUE',
    ],
    ...['JWT', 'WALLET_MNEMONIC', 'PASSWORD_SALT', 'STORAGE_CONNECTIONSTRING', 'DB_CONN_STR_SECRET'],
  ])('%s', (name) => {
    expect(secretsFromEnv({ [name]: VALUE })).toEqual([VALUE]);
  });

  test.each([
    ...[
      'PATH',
      'PATTERN',
      'PWD',
      'OLDPWD',
      'AUTHOR',
      'GIT_AUTHOR_NAME',
      'GIT_AUTHOR_EMAIL',
      'KEYBOARD',
      'KEYBOARD_LAYOUT',
    ],
    ...[
      'SSH_AUTH_SOCK',
      'XAUTHORITY',
      'SSH_ASKPASS',
      'GIT_ASKPASS',
      'SUDO_ASKPASS',
      'BYPASS',
      'COMPASS_THEME',
      'MONKEY',
    ],
    ...[
      'HOME',
      'SHELL',
      'TERM_PROGRAM',
      'LS_COLORS',
      'EDITOR',
      'GOPATH',
      'GOPRIVATE',
      'NODE_PATH',
      'MANPATH',
      'CLASSPATH',
    ],
    ...[
      'GOOGLE_APPLICATION_CREDENTIALS_FILE',
      'POSTGRES_PASSWORD_FILE',
      'SSL_KEY_FILE',
      'KEY_PATH',
      'PASSWORD_STORE_DIR',
    ],
    ...[
      'TOKENIZERS_PARALLELISM',
      'AUTH_TYPE',
      'AUTH_METHOD',
      'TOKEN_TTL',
      'COOKIE_PATH',
      'AUTH_HOST',
      'KEYMAP',
      'PATCH',
    ],
    ...[
      'AUTHORITY',
      'UNAUTHENTICATED',
      'DISPATCH',
      'PRIVATEER',
      'COOKIEBOT',
      'SIGN',
      'XDG_SESSION_TYPE',
      'DBUS_SESSION_BUS',
    ],
  ])('but not %s', (name) => {
    expect(secretsFromEnv({ [name]: VALUE })).toEqual([]);
  });
});

test('the password in a URL or a connection string is a secret, whatever the variable is called', () => {
  expect(
    secretsFromEnv({
      DATABASE_URL: 'postgres://admin:s3cr3t%2Fpass@db:5432/x',
      REDIS: 'redis://:only-a-password@h/0',
      AZURE: 'Server=tcp:db;User ID=sa;Password=hunter2hunter2;Encrypt=true',
      STORAGE: `AccountName=a;AccountKey=${'ab12'.repeat(8)};x=y`,
      ODD: 'amqp://me:with@and/in-it@host:1/x',
      PLAIN: 'https://example.org:8080/path@x',
      SHORT: 'postgres://admin:short@db/x',
    }),
  ).toEqual(['ab12'.repeat(8), 'only-a-password', 'hunter2hunter2', 'with@and/in-it', 's3cr3t%2Fpass', 's3cr3t/pass']);
});

test('values of fewer than 8 characters are left out; named variables are taken', () => {
  expect(secretsFromEnv({ API_KEY: '1234567', OTHER: 'something-private', EMPTY: undefined }, ['OTHER'])).toEqual([
    'something-private',
  ]);
});
