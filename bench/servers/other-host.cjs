// Loaded before a worker's own code (node --require): it believes to be on the machine that OTHER_HOST names, so that workers of other
// machines cannot see whether its process is there.

const os = require('node:os');
const { syncBuiltinESMExports } = require('node:module');

os.hostname = () => process.env.OTHER_HOST;
syncBuiltinESMExports();
