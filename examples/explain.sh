# Where each part of a prompt came from, and what was left out.
foreword prompt api_health --explain
