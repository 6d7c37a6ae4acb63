cp "$EXAMPLES/session/agent.mjs" agent.mjs
