// Picks the format of a file by the ending of its name.

import { type Format, formatOf } from '../../system/formats/index.ts';
import type { Checked } from './document.ts';

type Parse<T> = (format: Format, text: string, where: string) => Checked<T>;

/** The same parser for a file of any format; an unknown ending is a fault. */
export function byName<T>(
  parse: Parse<T>,
  formats: readonly Format[] = ['yaml', 'json', 'edn'],
): (text: string, where: string) => Checked<T> {
  return (text, where) => {
    const format = formatOf(where);
    if (format !== undefined && formats.includes(format)) return parse(format, text, where);
    const endings = formats.flatMap((one) => (one === 'yaml' ? ['.yaml', '.yml'] : [`.${one}`])).join(', ');
    return {
      ok: false,
      faults: [{ where, path: '', message: `The file name has no known ending; expected ${endings}.` }],
    };
  };
}
