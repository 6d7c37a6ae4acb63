#!/bin/sh
# foreword-hook EVENT AGENT: what an agent runs at a hook. The payload comes as JSON on standard input.
# Before every tool call it has to be quick, so what is usual is decided here, without Node: one read of at most 4096
# bytes, the ids cut out of them, a look at a marker, the end. Everything else goes to Node, which foreword-speak.sh
# beside it starts.
# Always ends with 0: some agents refuse the tool otherwise. Runs in dash, bash and busybox sh. The names of markers are
# those of claims.ts and epochs.ts in src/hooks, the places in $state those of src/system/files/project-state.ts.

[ "${FOREWORD_HOOKS-}" != off ] || exit 0
[ -n "${FOREWORD_DEBUG-}" ] || exec 2>/dev/null
LC_ALL=C
export LC_ALL
umask 077
trap 'exit 0' 0
event=${1-} agent=${2-} claim=- head= gate= quiet=
case $0 in
*/*) here=${0%/*} ;;
*) here=. ;;
esac

# As in src/system/files/project.ts: the nearest parent with one of the three is the root, and it is ours with one of two.
is_ours() {
  folder=$1
  while :; do
    if [ -d "$folder/.foreword" ] || [ -d "$folder/.context" ]; then return 0; fi
    if [ -e "$folder/.git" ]; then return 1; fi
    case $folder in
    /*) folder=${folder%/*} ;;
    *) return 1 ;;
    esac
  done
}

# Follows links without `readlink -f`, which macOS has since 12.3.
one_by_one() {
  real=$1
  while [ -L "$real" ]; do
    next=$(readlink "$real")
    case $next in
    /*) real=$next ;;
    *) real=${real%/*}/$next ;;
    esac
  done
}

# The second script is not read when there is nothing to print. Called by a link, it is beside the link's target.
start_node() {
  if [ ! -f "$here/foreword-speak" ]; then
    real=$(readlink -f "$0") || one_by_one "$here/${0##*/}"
    here=${real%/*}
  fi
  . "$here/foreword-speak"
}

cd -P .
if [ -z "${FOREWORD_SESSION-}" ] && ! is_ours "$PWD"; then
  # Some agents run the hooks of a person in a folder of their own.
  # The build puts their variables here (PROJECT_VARIABLES in dialects.ts).
  for place in "PROJECT_VARIABLES" -; do
    case $place in
    -) exit 0 ;;
    /*) if is_ours "$place"; then break; fi ;;
    esac
  done
fi

case ${XDG_STATE_HOME-} in
/*) state=$XDG_STATE_HOME/foreword ;;
*)
  case ${HOME-} in
  /*) state=$HOME/.local/state/foreword ;;
  *) state= ;;
  esac
  ;;
esac

# Finds the session's id in a text, and the sub-agent's: `key`. Fails where they are not plainly there. A quote inside a JSON
# string has a backslash before it, so these are always keys; they count only where no second object was opened before them.
find_key() {
  case $1 in
  *'"session_id":"'*) before=${1%%'"session_id":"'*} key=${1#"$before"'"session_id":"'} ;;
  *'"sessionId":"'*) before=${1%%'"sessionId":"'*} key=${1#"$before"'"sessionId":"'} ;;
  *) return 1 ;;
  esac
  case $before in
  '{'*'{'*) return 1 ;;
  '{'*) ;;
  *) return 1 ;;
  esac
  key=${key%%'"'*}
  case $key in
  '' | *[!A-Za-z0-9_-]*) return 1 ;;
  esac
  [ ${#key} -le 80 ] || return 1
  case $1 in
  *'"agent_id":"'*)
    before=${1%%'"agent_id":"'*} one=${1#"$before"'"agent_id":"'}
    one=${one%%'"'*}
    case $before in
    '{'*'{'*) return 1 ;;
    esac
    case $one in
    '' | *[!A-Za-z0-9_-]*) return 1 ;;
    esac
    [ ${#one} -le 80 ] || return 1
    key=$key.$one
    ;;
  *'"agent_id":null'*) ;;
  *'"agent_id"'* | *'"agentId"'*) return 1 ;;
  esac
}

# A session of ours that gets its startup context by another channel: nothing is printed at its start, nor at its first
# prompt. They are only reported, by a Node that the agent does not wait for. With half a payload the agent waits.
is_only_reported() {
  [ -n "${FOREWORD_SESSION-}" ] && [ -z "${FOREWORD_CONTEXT_FILE-}" ] && [ -n "$state" ] || return 1
  case $head in
  *[}] | *[}]?) ;;
  *) return 1 ;;
  esac
  case $event:$head in
  session-start:*'"source":"startup"'*) return 0 ;;
  prompt:*) find_key "$head" && [ ! -e "$state/hooks/$key/told.json" ] && [ ! -e "$state/hooks/$key/epoch" ] ;;
  *) return 1 ;;
  esac
}

# The report that dd prints at the end keeps the line ends before it, and its count shows whether the shell dropped a NUL.
# A prompt may well be long.
most=4096
[ "$event" != prompt ] || most=32768
input=$(dd bs=$most count=1 2>&1)
head=${input%[01]+[01] records in*}
if [ -z "$head" ] || [ "$head" = "$input" ]; then exit 0; fi

case $event in
pre-tool | post-tool | after-tool) ;;
prompt | session-start)
  # One agent sends this after every tool.
  case $event:$head in
  prompt:*'"prompt":""'*) exit 0 ;;
  esac
  if is_only_reported; then quiet=1 claim=quiet; fi
  start_node
  ;;
*) start_node ;;
esac

case $input in
*' records out'?"${#head} byte"*) ;;
*' records out'?[0-9]*)
  claim=nul
  start_node
  ;;
esac

# Ids count only before the tool's own input.
top=${head%%'"tool_input":'*}
[ "$top" != "$head" ] || top=${head%%'"toolArgs":'*}
[ "$top" != "$head" ] || start_node
find_key "$top" || start_node

epoch=0
[ -n "$state" ] || start_node
if [ -d "$state" ]; then
  if [ -L "$state" ] || [ ! -O "$state" ]; then start_node; fi
  if [ -f "$state/hooks/$key/epoch" ]; then read -r epoch <"$state/hooks/$key/epoch"; fi
  case $epoch in
  '' | *[!0-9]*) start_node ;;
  esac
fi
gate=$state/gate/$key@$epoch
if [ -O "$gate/done" ]; then exit 0; fi

# The call that makes the folder prints. Another call that finds it ends, unless the folder is so old that its maker must
# be dead (a minute when three were lost). hook.cjs decides whether it is old enough and who takes its place.
if mkdir "$gate" || { [ ! -d "$gate" ] && mkdir -p "$state/gate" && mkdir "$gate"; }; then
  claim=$key/$epoch
elif [ -d "$gate" ]; then
  if [ -O "$gate/done" ]; then exit 0; fi
  # On macOS `date -r` takes seconds and no file.
  now=$(date +%s) young=1
  then=$(date -r "$gate" +%s) || then=$(stat -f %m "$gate")
  case $then in
  *[!0-9]*) then= ;;
  esac
  [ ! -d "$gate/3" ] || young=59
  # Touched in the second after the one that was asked for: younger than young.
  age=$((now - then))
  if [ $age -ge -1 ] && [ $age -le $young ]; then exit 0; fi
fi
start_node
