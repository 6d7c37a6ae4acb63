// The only reader of the process's environment. Small, because every start of the command loads it.

export type Environment = Readonly<Record<string, string | undefined>>;

/** For callers that read a setting from it, or pass PATH and the like to a child. */
export function environment(): Environment {
  return process.env;
}

/** PATH, where programs are searched for; empty when it is not set. */
export function searchPath(env: Environment): string {
  return env.PATH ?? '';
}

/** The variables that are set, as a child process gets them. */
export function definedOnly(env: Environment): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Values that must never be shown: of variables with a name that looks secret, and of `extraNames`; and the password in
 *  a URL or connection string, whatever the variable's name. Values of fewer than 8 characters are not included:
 *  replacing "true" or "1" everywhere would spoil every text. Longest first. */
export function secretsFromEnv(env: Environment, extraNames: readonly string[] = []): string[] {
  const named = new Set(extraNames);
  const values = Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined || value.length < MIN_LENGTH) return [];
    return named.has(name) || isSecretName(name) ? [value, ...passwordsIn(value)] : passwordsIn(value);
  });
  return [...new Set(values)].filter((value) => value.length >= MIN_LENGTH).sort((a, b) => b.length - a.length);
}

const MIN_LENGTH = 8;

/** Whole words, as gitleaks, detect-secrets and the services themselves name what is secret. */
const SECRET_WORD =
  /^(?:AUTH|BEARER|CONN(?:ECTION)?STR(?:ING)?|COOKIES?|CREDS?|DSN|JWT|KEYS?|MNEMONIC|PASS|PASSCODE|PAT|PRIVATE|PWD|SALT|SIGNING|WEBHOOKS?)$/;
/** Parts of words, for names that are written as one: APIKEY, PGPASSWORD, DBPASS. */
const SECRET_PART =
  /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|(?:API|ACCESS|AUTH|CLIENT|ENC|ENCRYPTION|GPG|MASTER|PRIV|PRIVATE|SECRET|SIGN|SSH)KEYS?$|(?:DB|DATABASE|KEY|MAIL|MONGO|MYSQL|PG|POSTGRES|REDIS|SMTP|USER)(?:PASS|PWD)$|(?:DATABASE|SENTRY)DSN$/;
/** What is about a secret, or where it is. */
const HARMLESS_LAST =
  /^(?:ADDR|ADDRESS|ALGORITHM|ALG|COUNT|DIR|DIRECTORY|ENABLED|FILE|FOLDER|HEADER|HOST|LENGTH|LIMIT|METHOD|MODE|PATH|PID|PORT|SIZE|SOCK|SOCKET|TIMEOUT|TTL|TYPE|USER|USERNAME|VERSION)$/;
const HARMLESS_PART = /^(?:TOKENIZ|ASKPASS|KEYBOARD|PASSWORDLESS)/;
const HARMLESS_NAMES = new Set(['PWD', 'OLDPWD', 'INIT_CWD', 'SSH_AUTH_SOCK', 'XAUTHORITY']);

function isSecretName(name: string): boolean {
  if (HARMLESS_NAMES.has(name)) return false;
  const words = wordsOf(name);
  if (HARMLESS_LAST.test(words.at(-1) ?? '')) return false;
  return words.some((word) => !HARMLESS_PART.test(word) && (SECRET_WORD.test(word) || SECRET_PART.test(word)));
}

/** `apiKey`, `API_KEY` and `api-key` are API and KEY. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split(/[^A-Z]+/)
    .filter((word) => word !== '');
}

/** As they are written, and decoded. */
function passwordsIn(value: string): readonly string[] {
  const found: string[] = [];
  if (value.includes('://')) {
    for (const pattern of URL_PASSWORDS)
      for (const [, password = ''] of value.matchAll(pattern)) found.push(password, decoded(password));
  }
  if (value.includes('=')) {
    for (const [, password = ''] of value.matchAll(CONNECTION_PASSWORD)) found.push(password);
  }
  return found;
}

/** Up to the first `@`, and up to the last for a password that has `@` or `/` in it; not a port. */
const URL_PASSWORDS = [/:\/\/[^\s/:@]{0,200}:([^\s/@]{1,500})@/g, /:\/\/[^\s/:@]{0,200}:(?!\d{1,5}\/)(\S{1,500})@/g];

const CONNECTION_PASSWORD =
  /(?:^|[;\s])(?:password|pwd|accountkey|sharedaccesskey|sharedsecret)\s{0,4}=\s{0,4}([^;\s]{1,500})/gi;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
