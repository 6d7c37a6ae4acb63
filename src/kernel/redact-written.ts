// Secrets known by what is written around them: key blocks, URLs, headers, settings, assignments (redact-formats.ts has the
// rules). With care: what they match must not be ordinary code.

import type { SecretFormat } from './redact-formats.ts';

/** Names of what is secret, as code and settings write them; mostly without the first letter, which may
 *  be a capital. */
const SECRET_NAMES = [
  ...['assword', 'ASSWORD', 'asswd', 'ASSWD', 'assphrase', 'ASSPHRASE', 'ecret', 'ECRET'],
  ...['api_key', 'apikey', 'apiKey', 'ApiKey', 'API_KEY', 'APIKEY', 'api-key', 'rivate_key', 'rivateKey', 'RIVATE_KEY'],
  ...['ccess_token', 'ccessToken', 'CCESS_TOKEN', 'uth_token', 'uthToken', 'UTH_TOKEN'],
];

export const WRITTEN_SECRETS: readonly SecretFormat[] = [
  {
    name: 'AWS secret key',
    needles: ['aws_secret_access_key', 'AWS_SECRET_ACCESS_KEY', 'secretAccessKey', 'SecretAccessKey'],
    pattern:
      /((?:aws_secret_access_key|AWS_SECRET_ACCESS_KEY|[sS]ecretAccessKey)["']?\s{0,4}[:=]\s{0,4}["']?)[A-Za-z0-9/+]{40,}/y,
    isLoose: true,
  },
  {
    // Output is often cut, so the end may be missing. Everything after the first line is optional: nothing can fail
    // there, so nothing is tried twice.
    name: 'private key block',
    needles: ['-----BEGIN '],
    isBlock: true,
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:\s*(?:Proc-Type|DEK-Info|Version|Comment):[^\n]{0,200})*(?:(?:\\[nrt]|[\s"',+])*[A-Za-z0-9+/=]{20,})*(?:(?:(?:\\[nrt]|[\s"',+])*[A-Za-z0-9+/=]{1,19}){0,2}(?:\\[nrt]|[\s"',+])*-----END [A-Z0-9 ]{0,40}KEY(?: BLOCK)?-----)?/y,
  },
  {
    name: 'connection string password',
    needles: [';Password=', ';password=', ';Pwd=', ';pwd=', ';PWD='],
    pattern: /(;[A-Za-z]+=)[^\s;"'<>{}$]{4,}/y,
    isLoose: true,
  },
  {
    // The user's name goes too: for tokens it is often the secret. Placeholders of code are left alone.
    name: 'URL with password',
    needles: ['://'],
    isLoose: true,
    pattern: /(:\/\/)[^\s/:@?#"'`<>[\]{}$]{0,100}:(?![$<{%*])[^\s/"'`<>]{3,200}(?=@)/y,
  },
  {
    name: 'Authorization header',
    needles: ['uthorization', 'UTHORIZATION'],
    isLoose: true,
    pattern:
      /((?:uthorization|UTHORIZATION)["']?\s{0,4}[:=]\s{0,4}["']?(?:[Bb]earer|[Bb]asic|[Tt]oken|BEARER|BASIC)\s{1,4})[\w.~+/=-]{8,}/y,
  },
  {
    name: 'bearer token',
    needles: ['earer '],
    isLoose: true,
    pattern: /(earer {1,4})(?=[A-Za-z._~+/=-]{0,40}\d)[\w.~+/=-]{20,}/y,
  },
  {
    name: 'PuTTY private key',
    needles: ['Private-Lines: '],
    pattern: /(Private-Lines: \d{1,3}\s{1,2})[A-Za-z0-9+/=]{20,}(?:\s{1,2}[A-Za-z0-9+/=]{20,})*/y,
    isBlock: true,
  },
  {
    name: 'WireGuard private key',
    needles: ['PrivateKey'],
    pattern: /(PrivateKey\s{0,4}=\s{0,4})[A-Za-z0-9+/]{43}=/y,
    isLoose: true,
  },
  {
    name: 'client key of a kubeconfig',
    needles: ['client-key-data:'],
    pattern: /(client-key-data:\s{0,4})[A-Za-z0-9+/]{40,}={0,2}/y,
    isLoose: true,
  },
  {
    name: 'password of a package registry',
    needles: ['_authToken=', '_auth=', '_password='],
    pattern: /(_(?:authToken|auth|password)=["']?)(?!\$)[\w+/=.-]{8,}/y,
    isLoose: true,
  },
  {
    name: 'password of a container registry',
    needles: ['"auth"', '"identitytoken"'],
    pattern: /("(?:auth|identitytoken)"\s{0,4}:\s{0,4}")[\w+/=.-]{12,}/y,
    isLoose: true,
  },
  {
    name: 'password in a netrc file',
    needles: [' login ', '\tlogin '],
    pattern: /(\slogin\s{1,8}\S{1,100}\s{1,8}password\s{1,8})[^\s<>$"'`]{4,}/y,
    isLoose: true,
  },
  {
    name: 'cookie of a session',
    needles: ['et-cookie:', 'et-Cookie:', 'Cookie: ', 'cookie: '],
    pattern: /((?:[Ss]et-)?[a-z-]{0,4}[Cc]ookie:\s{1,4}[\w.-]{0,60}(?:sess|token|auth|sid)[\w.-]{0,40}=)[^\s;"']{12,}/y,
    isLoose: true,
  },
  {
    // A quoted value; or one with no blank on either side, as in an .env file, an argument or a query. With a letter and a
    // digit, since words stand there in code, and without what placeholders and paths have.
    name: 'assignment',
    needles: SECRET_NAMES,
    isLoose: true,
    pattern:
      /((?:ass(?:word|wd|phrase)|ecret|api[_-]?key|(?:ccess|uth)_?token|rivate_?key)(?:[_-]?(?:key|token|value))?\d{0,2}(?:\\?["'\]]){0,2}\s{0,4}(?::=|=>|[:=])\s{0,4}\\?["'`])(?=[^\s"'`\\]{0,100}\d)(?=[^\s"'`\\]{0,100}[a-z])(?![./~])[^\s"'`$<>{}()\\]{8,200}(?=\\?["'`])|((?:ass(?:word|wd|phrase)|ecret|api[_-]?key|(?:ccess|uth)_?token|rivate_?key)(?:[_-]?(?:key|token|value))?\d{0,2}=)(?=[^\s"'`&\\]{0,100}\d)(?=[^\s"'`&\\]{0,100}[a-z])(?![./~])[^\s"'`$<>{}()[\]\\;,&|]{8,200}(?=[\s"'`&\\]|$)/iy,
  },
];
