// What a host is started for, in a variable of its environment: the command line can be read by everybody on the machine,
// and a store's address may hold a password. Pure, and small: it is loaded before anything else of the host.

const VARIABLE = 'FOREWORD_HOST';

export interface HostRequest {
  /** `new`: its starter prepares the session and sends it; `take-over`: a session whose host died. */
  readonly kind: 'new' | 'take-over';
  readonly session: string;
  readonly agent: string;
  /** Instead of what the settings name: a path, relative to the folder the host is started in, or an address. */
  readonly store?: string | undefined;
  /** How that store is used, as the person said in flags. */
  readonly fleet?: string | undefined;
  readonly allowVolatile?: boolean | undefined;
  readonly allowPlainRedis?: boolean | undefined;
  readonly isFresh?: boolean | undefined;
  /** The configuration file that a person named. */
  readonly config?: string | undefined;
}

/** What a person says of a session's host. */
export type HostChoices = Omit<HostRequest, 'kind' | 'session'>;

type Variables = Readonly<Record<string, string | undefined>>;

/** `undefined` in a process that was not started as a host. */
export function readHostRequest(env: Variables): HostRequest | undefined {
  try {
    return JSON.parse(env[VARIABLE] ?? '') as HostRequest;
  } catch {
    return undefined;
  }
}

export function withHostRequest(env: Variables, request: HostRequest): Variables {
  return { ...env, [VARIABLE]: JSON.stringify(request) };
}

/** For programs that the host starts. */
export function withoutHostRequest<T>({ [VARIABLE]: _, ...env }: Readonly<Record<string, T>>): Record<string, T> {
  return env;
}
