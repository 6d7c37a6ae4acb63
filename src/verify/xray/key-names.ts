// Files that hold keys, by their names. Pure.

/** Each line names a variable, a key or a host with its value. */
const WITH_PAIRS = /^\.env(\.|$)|^\.envrc$|^[._]?(npmrc|netrc)$|^\.pypirc$|\.(env|ya?ml|ini|conf|cfg|properties)$/i;

const BY_NAME = [
  /^\.env(\.|$)|^\.envrc$|^[._]?(npmrc|netrc)$|^\.(pypirc|pgpass|dockercfg|git-credentials|vault-token)$/i,
  /^id_(rsa|dsa|ecdsa|ed25519)|^client_secret|\.(env|pem|key|p12|pfx|jks|kdbx|keystore|ppk)$|^hosts\.ya?ml$/i,
  /^\.?(auth|oauth2?([-_](creds|tokens?))?|tokens?|cookies)(\.(json|ya?ml|toml|ini|txt|db|sqlite))?$/i,
  /^\.?([\w.-]*[-_.])?((api|access|private|auth)[-_]?(keys?|tokens?)|credentials?|creds|secrets?|service[-_]account)(\.(json|ya?ml|toml|ini|txt|db|sqlite))?$/i,
];

export function hasPairs(name: string): boolean {
  return WITH_PAIRS.test(name);
}

/** As tools name files of keys. A program may have such a name too. */
export function isKeyName(name: string): boolean {
  return BY_NAME.some((pattern) => pattern.test(name));
}
