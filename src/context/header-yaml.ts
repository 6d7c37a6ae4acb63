// The header as YAML: what agents read and what `foreword context` prints.

import { compactYaml } from '../system/formats/compact-yaml.ts';
import type { Header } from './header.ts';

/** All of it, or some of its sections. */
export function headerYaml(header: Partial<Header>): string {
  return compactYaml('agent_context', header);
}
