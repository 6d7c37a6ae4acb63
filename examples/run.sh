# Two agents, one rate limit, one mistake: what a run makes of it. The agents are scripts (examples/quickstart/agents).
foreword run .foreword/tasks.yaml --only api_health --config ../quickstart.json | sed -E 's/ in [0-9.]+ s//; s/[0-9.]+ s\.$/2.0 s./; s/ until [^ ]+/ until 12:34/'
foreword history api_health --json | grep -c attemptNumber
