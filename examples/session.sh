# An agent unattended: its startup context with a proof, one more text from outside, and the receipts.
sed "s|EXAMPLE_AGENT|$EXAMPLES/session/agent.mjs|" "$EXAMPLES/session/config.json" > ../session.json
foreword save --task api_health --done "route written" --next "register the route"
session=$(foreword start mini --detach --wait acknowledged --config ../session.json --json | sed -n 's/.*"id": "\(s[0-9a-f]*\)".*/\1/p' | head -1)
foreword send "$session" "The tests are in test/health.test.js" --wait submitted --config ../session.json
foreword sessions
foreword receipts
foreword sessions --stop "$session"
