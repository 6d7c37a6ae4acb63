// What a person names: a file, by a path from some folder, or an address (`redis://…`).

import { resolve } from 'node:path';

export function isUrl(named: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(named);
}

/** The absolute path, as seen from `folder`; a URL as it is. */
export function locate(named: string, folder: string): string {
  return isUrl(named) ? named : resolve(folder, named);
}
