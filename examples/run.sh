# Two agents, one rate limit, one mistake: what a run makes of it. The agents are scripts (examples/quickstart/agents).
foreword run .foreword/tasks.yaml --only api_health --config ../quickstart.json
