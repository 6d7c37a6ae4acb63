// Writes server.json, by which the registry of MCP servers knows `foreword mcp`, from package.json. The registry takes it only when
// its name is `mcpName` of the published package. The owner of the repository is not decided yet: `OWNER` in `mcpName` of
// package.json is the one place that says so.
// Usage: node scripts/server-json.mjs [--check]

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeOrCheck } from './write-or-check.mjs';

const { name, version, mcpName } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
const server = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: mcpName,
  // At most 100 characters.
  description: 'Context for coding agents: notes, earlier attempts and code search, with proof that it arrived.',
  version,
  packages: [
    {
      registryType: 'npm',
      identifier: name,
      version,
      transport: { type: 'stdio' },
      packageArguments: [{ type: 'positional', value: 'mcp' }],
    },
  ],
};
writeOrCheck({ 'server.json': `${JSON.stringify(server, null, 2)}\n` });
