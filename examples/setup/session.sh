# A configuration that names the scripted agent by its path.
sed "s|EXAMPLE_AGENT|$EXAMPLES/session/agent.mjs|" "$EXAMPLES/session/config.json" > ../session.json
