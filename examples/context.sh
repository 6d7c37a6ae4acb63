# What an agent is told on every prompt: repository, queue, rules, next work.
foreword context --task api_health
