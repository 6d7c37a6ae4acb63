# The hand-over that goes before attempt 3, when another agent takes over.
foreword prompt api_health --attempt 3 --agent claude | head -8
