#!/usr/bin/env bash
# One job of a pipeline: goes on where the job before it stopped, and leaves a file for the next one.
#
#   foreword-ci.sh          all steps; ends with the exit code of foreword run
#   foreword-ci.sh STEP     one of import, run, export, summary: for pipelines with steps that run after a failure
#
# Set by variables: FW_TASKS (the task file), FW_AGENTS, FW_MAX_COST, FW_MAX_TIME, FW_REVIEW, FW_BASE, FW_CONFIG, FW_ARGS (more
# flags of foreword run, separated by spaces), FW_WORK (foreword-work.tar), FW_REPORT (foreword-report.md), FW_COMMAND (foreword).
set -euo pipefail

work=${FW_WORK:-foreword-work.tar}
report=${FW_REPORT:-foreword-report.md}
read -ra foreword <<<"${FW_COMMAND:-foreword}"
config=()
if [ -n "${FW_CONFIG:-}" ]; then config=(--config "$FW_CONFIG"); fi

call() {
  "${foreword[@]}" "$@" ${config[@]+"${config[@]}"}
}

# The files of this script are not work of the project: foreword would name them as uncommitted.
hide() {
  local list file
  list=$(git rev-parse --git-path info/exclude 2>/dev/null) || return 0
  mkdir -p "$(dirname "$list")"
  for file in "$(basename "$work")" "$(basename "$report")"; do
    grep -qxF -- "$file" "$list" 2>/dev/null || printf '%s\n' "$file" >>"$list"
  done
}

import_work() {
  if [ -s "$work" ]; then call import "$work"; else echo "No $work: a new run begins."; fi
}

# A runner that cancels a job signals this shell alone. foreword ends its agents, and the next job goes on.
run_tasks() {
  local words=("${FW_TASKS:-}") more=()
  if [ -z "${words[0]}" ]; then
    echo 'foreword-ci.sh: set FW_TASKS to the task file' >&2
    return 2
  fi
  if [ -n "${FW_AGENTS:-}" ]; then words+=(--agents "$FW_AGENTS"); fi
  if [ -n "${FW_BASE:-}" ]; then words+=(--base "$FW_BASE"); fi
  if [ -n "${FW_MAX_COST:-}" ]; then words+=(--max-cost "$FW_MAX_COST"); fi
  if [ -n "${FW_MAX_TIME:-}" ]; then words+=(--max-time "$FW_MAX_TIME"); fi
  if [ -n "${FW_REVIEW:-}" ]; then words+=(--review "$FW_REVIEW"); fi
  read -ra more <<<"${FW_ARGS:-}" || true
  words+=(${more[@]+"${more[@]}"})
  # Not by a function: the signal would end a shell around it.
  "${foreword[@]}" run "${words[@]}" ${config[@]+"${config[@]}"} &
  local pid=$! code=0
  trap 'kill -TERM "$pid" 2>/dev/null || true' INT TERM HUP
  wait "$pid" || code=$?
  while kill -0 "$pid" 2>/dev/null; do
    code=0
    wait "$pid" || code=$?
  done
  trap - INT TERM HUP
  outputs "$code"
  return "$code"
}

# Outputs of the step, for GitHub.
outputs() {
  if [ -z "${GITHUB_OUTPUT:-}" ]; then return; fi
  local names=([0]=completed [1]=unfinished [2]=wrong-input [3]=missing-program [130]=stopped [141]=stopped)
  local branch
  branch=$(call status --json | node -e '
    const { runs } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
    console.log(runs.at(-1)?.branch ?? "");')
  {
    echo "status=${names[$1]:-unfinished}"
    echo "branch=$branch"
    echo "report=$report"
  } >>"$GITHUB_OUTPUT"
}

export_work() {
  call export --work "$work"
}

summary() {
  {
    call report 2>/dev/null || { printf '## foreword\n\n```\n' && call status && printf '```\n'; }
    echo
    call receipts --markdown
  } >"$report"
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat "$report" >>"$GITHUB_STEP_SUMMARY"; fi
  echo "Report: $report"
}

hide
case "${1:-all}" in
  import) import_work ;;
  run) run_tasks ;;
  export) export_work ;;
  summary) summary ;;
  all)
    import_work
    code=0
    run_tasks || code=$?
    export_work
    summary
    exit "$code"
    ;;
  *)
    echo "foreword-ci.sh: unknown step $1; one of import, run, export, summary" >&2
    exit 2
    ;;
esac
