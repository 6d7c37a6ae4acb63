foreword run .foreword/tasks.yaml --only api_health --config ../quickstart.json > /dev/null
