// A header as text, in the format asked for.

import type { Header } from '../core/header.ts';
import { headerMd } from '../core/header-md.ts';
import { headerYaml } from '../formats/header-yaml.ts';

export function renderHeader(header: Header, format: 'yaml' | 'md'): string {
  return format === 'md' ? headerMd(header) : headerYaml(header);
}
