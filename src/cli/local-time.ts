// Times as the person's clock shows them, in the zone of this process.

const two = (value: number) => String(value).padStart(2, '0');

/** `23:59:59` */
export function localClock(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
}

/** `23:59` */
export function localTime(at: number): string {
  return localClock(at).slice(0, 5);
}

/** `2026-11-16` */
export function localDate(at: number): string {
  const date = new Date(at);
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** `2026-11-16 23:59`; a text that is no time stays as it is. */
export function localMinute(iso: string): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? iso : `${localDate(at)} ${localTime(at)}`;
}
