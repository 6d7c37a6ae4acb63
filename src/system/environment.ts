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
const SECRET_WORDS = wordSet(
  'AUTH BEARER CONNSTR CONNSTRING CONNECTIONSTRING COOKIE COOKIES CRED CREDS DSN JWT KEY KEYS MNEMONIC',
  'PASS PASSCODE PAT PRIVATE PWD SALT SIGNING WEBHOOK WEBHOOKS',
);
/** For names that are written as one word: MYTOKEN, PGPASSWORD. */
const SECRET_PARTS = ['TOKEN', 'SECRET', 'PASSW', 'PASSPHRASE', 'CREDENTIAL'];
/** These need one of the words below before them: APIKEY and DBPASS, but not MONKEY or BYPASS. */
const SECRET_ENDS = ['KEY', 'KEYS', 'PASS', 'PWD', 'DSN'];
const BEFORE_THE_END = wordSet(
  'API ACCESS AUTH CLIENT ENC ENCRYPTION GPG MASTER PRIV PRIVATE SIGN SSH',
  'DB DATABASE KEY MAIL MONGO MYSQL PG POSTGRES REDIS SENTRY SMTP USER',
);
/** What is about a secret, or where it is. */
const HARMLESS_LAST = wordSet(
  'ADDR ADDRESS ALGORITHM ALG COUNT DIR DIRECTORY ENABLED FILE FOLDER HEADER HOST LENGTH LIMIT METHOD MODE PATH PID PORT',
  'SIZE SOCK SOCKET TIMEOUT TTL TYPE USER USERNAME VERSION',
);

function wordSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '));
}

function isSecretName(name: string): boolean {
  if (name === 'PWD' || name === 'OLDPWD') return false;
  const words = wordsOf(name);
  return words.some(isSecretWord) && !HARMLESS_LAST.has(words.at(-1) ?? '');
}

/** No large pattern: compiling one takes longer than all names of an environment, and hooks wait for it. */
function isSecretWord(word: string): boolean {
  if (SECRET_WORDS.has(word)) return true;
  if (SECRET_PARTS.some((part) => word.includes(part))) return !word.startsWith('TOKENIZ');
  return SECRET_ENDS.some((end) => word.endsWith(end) && BEFORE_THE_END.has(word.slice(0, -end.length)));
}

/** `apiKey`, `API_KEY` and `api-key2` are API and KEY. */
function wordsOf(name: string): readonly string[] {
  if (!/[^A-Z_]/.test(name)) return name.split('_');
  const apart = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
  return apart.split(/[^A-Z]+/).filter((word) => word !== '');
}

/** As they are written, and decoded. */
function passwordsIn(value: string): readonly string[] {
  const found: string[] = [];
  if (value.includes('://') && value.includes('@')) {
    for (const pattern of URL_PASSWORDS)
      for (const [, password = ''] of value.matchAll(pattern)) found.push(password, decoded(password));
  }
  if (value.includes('=') && CONNECTION_NAMES.some((name) => value.includes(name))) {
    for (const [, password = ''] of value.matchAll(CONNECTION_PASSWORD)) found.push(password);
  }
  return found;
}

/** Up to the first `@`, and up to the last for a password that has `@` or `/` in it; not a port. */
const URL_PASSWORDS = [/:\/\/[^\s/:@]{0,200}:([^\s/@]{1,500})@/g, /:\/\/[^\s/:@]{0,200}:(?!\d{1,5}\/)(\S{1,500})@/g];

const CONNECTION_NAMES = ['assword', 'ASSWORD', 'wd=', 'WD=', 'ccountKey=', 'ccessKey=', 'haredSecret='];
const CONNECTION_PASSWORD =
  /(?:^|[;\s])(?:password|pwd|accountkey|sharedaccesskey|sharedsecret)\s{0,4}=\s{0,4}([^;\s]{1,500})/gi;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
