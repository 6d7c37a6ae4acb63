// A header as text, in the requested format.

import { demand } from '../kernel/demand.ts';
import type { Header } from './header.ts';
import { headerMd } from './header-md.ts';
import { headerYaml } from './header-yaml.ts';

export function renderHeader(header: Header, format: 'yaml' | 'md'): string {
  demand(header, "renderHeader(context.header, 'yaml')", { repo: 'map', next_work: 'list' });
  return format === 'md' ? headerMd(header) : headerYaml(header);
}
