# An agent unattended: its startup context with a proof, one more text, and the receipts.
foreword save --task api_health --done "route written" --next "register the route"
session=$(foreword start mini --detach --wait acknowledged --config ../session.json | cut -d: -f1)
foreword send "${session:?}" "The tests are in test/health.test.js" --wait submitted --config ../session.json
foreword sessions
foreword receipts
foreword sessions --stop "${session:?}"
