#!/bin/sh
# foreword-hook EVENT AGENT: what an agent runs at a hook. The payload comes as JSON on standard input.
# Before every tool call it has to be quick, so what is usual is decided here, without Node: one read of at most 4096
# bytes, the ids cut out of them, a look at a marker, the end. Everything else is in foreword-speak.sh beside it, which is not
# even read then, and starts Node.
# Always ends with 0: some agents refuse the tool otherwise. Runs in dash, bash and busybox sh. The names of markers are
# those of claims.ts and epochs.ts in src/hooks, the places in $state those of src/system/files/project-state.ts.

[ "${FOREWORD_HOOKS-}" != off ] || exit 0
[ -n "${FOREWORD_DEBUG-}" ] || exec 2>/dev/null
export LC_ALL=C
# A PATH may begin with a folder of the repository, which can have a dd of its own.
path=${PATH-} PATH=/usr/bin:/bin:${PATH-}
trap 'exit 0' 0
event=${1-} agent=${2-} claim=- own= gate=

case ${XDG_STATE_HOME-} in
/*) state=$XDG_STATE_HOME/foreword ;;
*)
  case ${HOME-} in
  /*) state=$HOME/.local/state/foreword ;;
  *) state= ;;
  esac
  ;;
esac
# In a run the prompt holds the context, and the run takes what hooks keep from a folder of its own.
case ${FOREWORD_STATE-} in
/*)
  [ "$event" != prompt ] || exit 0
  state=$FOREWORD_STATE
  ;;
esac

# Whether the project of a folder is on, and its root. As in src/system/files/project.ts: the nearest parent with one of the
# three, else the folder itself. The folder's path has no links.
is_on() {
  root=$1
  while :; do
    if [ -d "$root/.foreword" ] || [ -d "$root/.context" ]; then return 0; fi
    if [ -e "$root/.git/HEAD" ] || [ -f "$root/.git" ]; then break; fi
    case $root in
    /*) root=${root%/*} ;;
    *)
      root=$1
      break
      ;;
    esac
  done
  [ -n "$state" ] && [ -e "$state/roots$root/.fw/on" ]
}

# The same for a path that may lead through links. A project that is not on changes nothing.
is_on_by() {
  before=$root
  if cd -P "$1" && there=$PWD && cd -P "$start" && is_on "$there"; then return 0; fi
  root=$before
  return 1
}

cd -P .
start=$PWD
if ! is_on "$start"; then
  # Some agents run the hooks of a person in a folder of their own.
  # The build puts their variables here (PROJECT_VARIABLES in dialects.ts).
  for place in "PROJECT_VARIABLES" -; do
    case $place in
    -) [ -n "${FOREWORD_SESSION-}" ] || exit 0 ;;
    "$start") ;;
    /*) if is_on_by "$place"; then break; fi ;;
    esac
  done
fi

# The report that dd prints at the end keeps the line ends before it, and its count shows whether the shell dropped a NUL.
# A prompt may well be long.
most=4096
[ "$event" != prompt ] || most=32768
input=$(dd bs=$most count=1 2>&1)
head=${input%[01]+[01] records in*}
if [ -z "$head" ] || [ "$head" = "$input" ]; then exit 0; fi

# The second script is beside this one, or beside its target when this one is called by a link. `readlink -f` is there since
# macOS 12.3.
start_node() {
  case $0 in
  */*) here=${0%/*} ;;
  *) here=. ;;
  esac
  if [ ! -f "$here/foreword-speak" ]; then
    real=$(readlink -f "$0") || real=$here/${0##*/}
    while [ -L "$real" ]; do
      next=$(readlink "$real")
      case $next in
      /*) real=$next ;;
      *) real=${real%/*}/$next ;;
      esac
    done
    here=${real%/*}
  fi
  . "$here/foreword-speak"
}

# Ids count only before the tool's own input.
case $event:$head in
pre-tool:*'"tool_input":'* | post-tool:*'"tool_input":'* | after-tool:*'"tool_input":'*) top=${head%%'"tool_input":'*} ;;
pre-tool:*'"toolArgs":'* | post-tool:*'"toolArgs":'* | after-tool:*'"toolArgs":'*) top=${head%%'"toolArgs":'*} ;;
# One agent sends this after every tool.
prompt:*'"prompt":""'*) exit 0 ;;
prompt:*) top=$head ;;
*) start_node ;;
esac
case $event:$input in
prompt:* | *' records out'?"${#head} byte"*) ;;
*' records out'?[0-9]*)
  claim=nul
  start_node
  ;;
esac

# The session's id, and the sub-agent's: `key`. A quote inside a JSON string has a backslash before it, so these are always
# keys; they count only where no second object was opened before them. What is not plainly there is left to Node. To cut off
# a long beginning takes a shell long, so what most agents send has a line of its own, here and below.
before='{'
case $top in
'{"session_id":"'*) key=${top#'{"session_id":"'} ;;
*'"session_id":"'*) before=${top%%'"session_id":"'*} key=${top#"$before"'"session_id":"'} ;;
*'"sessionId":"'*) before=${top%%'"sessionId":"'*} key=${top#"$before"'"sessionId":"'} ;;
*) start_node ;;
esac
case $before in
'{'*'{'*) start_node ;;
'{'*) ;;
*) start_node ;;
esac
key=${key%%'"'*}
case $key in
'' | *[!A-Za-z0-9_-]*) start_node ;;
esac
[ ${#key} -le 80 ] || start_node
case $top in
*'"agent'[_I]*)
  case $top in
  *'"agent_id":"'*)
    before=${top%%'"agent_id":"'*} one=${top#"$before"'"agent_id":"'}
    one=${one%%'"'*}
    case $before in
    '{'*'{'*) start_node ;;
    esac
    case $one in
    '' | *[!A-Za-z0-9_-]*) start_node ;;
    esac
    [ ${#one} -le 80 ] || start_node
    key=$key.$one
    ;;
  *'"agent_id":null'*) ;;
  *'"agent_id"'* | *'"agentId"'*) start_node ;;
  esac
  ;;
esac

# The project: the folder that the payload names counts before that of the process.
case $top in
'{'*'{'*"\"cwd\":\"$start\""*) start_node ;;
*"\"cwd\":\"$start\""*) ;;
*'"cwd"'* | *'"workspace_roots"'* | *'"working_dir"'*)
  case $top in
  *'"cwd":"'*) before=${top%%'"cwd":"'*} place=${top#"$before"'"cwd":"'} ;;
  *'"workspace_roots":["'*) before=${top%%'"workspace_roots":["'*} place=${top#"$before"'"workspace_roots":["'} ;;
  *) start_node ;;
  esac
  place=${place%%'"'*}
  case $before in
  '{'*'{'*) start_node ;;
  esac
  case $place in
  *\\*) start_node ;;
  /*) is_on_by "$place" ;;
  esac
  ;;
esac

# A folder of ours in the path of the project would lie among the markers of another, so nothing is kept there.
[ -n "$state" ] || start_node
case $root/ in
[!/]* | */.fw/*) start_node ;;
# A checkout of a run: without the folder of the run nothing is kept for it.
*/p[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]/*/tree/*)
  [ -n "${FOREWORD_STATE-}" ] || exit 0
  ;;
esac
own=$state/roots$root/.fw
[ "$event" != prompt ] || start_node

epoch=0
if [ -O "$own" ]; then
  if [ -L "$own" ] || [ -L "$state" ] || [ ! -O "$state" ]; then start_node; fi
  if [ -f "$own/hooks/$key/epoch" ]; then read -r epoch <"$own/hooks/$key/epoch"; fi
  case $epoch in
  '' | *[!0-9]*) start_node ;;
  esac
  if [ -O "$own/gate/$key@$epoch/done" ]; then exit 0; fi
elif [ -e "$own" ] || [ -L "$own" ] || [ -L "$state" ]; then
  start_node
elif [ -e "$state" ] && [ ! -O "$state" ]; then
  start_node
fi
gate=$own/gate/$key@$epoch
start_node
