export function changelogFaults(text: string, options?: { readonly mayBeEmpty?: boolean }): readonly string[];
export function releasedChangelog(text: string, version: string, date: string): string;
export function isNewer(version: string, than: string): boolean;
export function releasedVersions(text: string): readonly string[];
