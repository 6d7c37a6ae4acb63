npm ci && npm test
