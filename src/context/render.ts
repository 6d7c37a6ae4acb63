// A header as text, in the requested format.

import type { Header } from './header.ts';
import { headerMd } from './header-md.ts';
import { headerYaml } from './header-yaml.ts';

export function renderHeader(header: Header, format: 'yaml' | 'md'): string {
  return format === 'md' ? headerMd(header) : headerYaml(header);
}
