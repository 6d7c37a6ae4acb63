# Where each part of a prompt came from, and what was left out.
foreword import .foreword/history.jsonl
foreword prompt api_health --explain
