npm ci && npm run quickstart
