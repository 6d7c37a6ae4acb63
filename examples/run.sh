# Two agents, one rate limit, one mistake: how a run handles them. The agents are scripts (examples/quickstart/agents).
foreword run .foreword/tasks.yaml --only api_health --config ../quickstart.json
