// What a shared run left on a remote.

export interface RemoteLeftover {
  readonly run: string;
  readonly refs: number;
  /** Why it stays. */
  readonly kept?: string;
}
