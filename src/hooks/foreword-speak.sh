# The part of foreword-hook that starts Node: read by it, with what it found in its variables, and never returns. Node gets
# the bytes that were read on descriptor 3 and the rest of standard input as it is.

umask 077

# Writes to the log that Node writes to, which is replaced at a megabyte. Its path is defined in
# src/system/files/project-state.ts, like every other path in $state.
complain() {
  [ -n "$state" ] || return
  log=$state/hook.log
  [ -d "$state" ] || mkdir -p "$state"
  if [ -L "$state" ] || [ ! -O "$state" ]; then return; fi
  if [ -f "$log" ] && [ "$(wc -c <"$log")" -gt 1048576 ]; then mv -f "$log" "$log.1"; fi
  printf '%s %s %s: %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$event" "$agent" "$1" >>"$log"
}

# A session of ours that gets its startup context by another channel: nothing is printed at its start, nor at the first
# prompt of its first conversation (first-conversation.ts). They are only reported, by a Node that the agent does not wait for.
# With half a payload the agent waits.
is_only_reported() {
  [ -n "${FOREWORD_SESSION-}" ] && [ -z "${FOREWORD_CONTEXT_FILE-}" ] && [ -n "$state" ] || return 1
  # What its host wants to be said with the next prompt (live.ts).
  [ ! -e "${FOREWORD_SOCKET%/*}/meanwhile.json" ] || return 1
  case $head in
  *[}] | *[}]?) ;;
  *) return 1 ;;
  esac
  case $event:$head in
  session-start:*'"source":"startup"'*) return 0 ;;
  prompt:*)
    [ -n "$own" ] && [ ! -e "$own/hooks/$key/told.json" ] && [ ! -e "$own/hooks/$key/epoch" ] &&
      { [ ! -e "$own/hooks/$FOREWORD_SESSION" ] || [ -e "$own/hooks/$FOREWORD_SESSION/$key" ]; }
    ;;
  *) return 1 ;;
  esac
}

# The newest claim on the gate: its number and its folder.
find_newest() {
  last=0 newest=$gate
  while [ -d "$gate/$((last + 1))" ]; do
    last=$((last + 1))
    newest=$gate/$last
  done
}

# Which call prints, as claims.ts has it: the call that makes the gate's folder. Another call that finds it ends, unless the
# folder is so old that its maker must be dead (a minute when three were lost); then the one that makes the next number in it.
# Ages are known in whole seconds, so in the last one hook.cjs decides. Where nothing can be written it prints every time.
claim_gate() {
  if mkdir "$gate" || { [ ! -d "$gate" ] && mkdir -p "$own/gate" && mkdir "$gate"; }; then
    claim=$key/$epoch/0
    return
  fi
  [ -d "$gate" ] || return
  if [ -O "$gate/done" ]; then exit 0; fi
  find_newest
  young=1
  [ $last -lt 2 ] || young=59
  # On macOS `date -r` takes seconds and no file.
  then=$(date -r "$newest" +%s) || then=$(stat -f %m "$newest")
  case $then in
  '' | *[!0-9]*) return ;;
  esac
  age=$(($(date +%s) - then))
  age=${age#-}
  if [ $age -le $young ] || [ $last -ge 1000 ]; then exit 0; fi
  if [ $age -eq $((young + 1)) ]; then return; fi
  if mkdir "$gate/$((last + 1))"; then
    claim=$key/$epoch/$((last + 1))
  elif [ -d "$gate/$((last + 1))" ]; then
    exit 0
  fi
}

# Node failed: the next call may try at once, and after three only in a minute. A Node that runs does the same by itself.
lose_claim() {
  if [ -z "$gate" ] || [ ! -d "$gate" ] || [ -d "$gate/done" ]; then return; fi
  known=${last-0}
  find_newest
  if [ "$claim" = - ] && [ "$last" = "$known" ]; then mkdir "$gate/$((last + 1))" && find_newest; fi
  [ $last -ge 2 ] || touch -t 200001010000 "$newest"
}

# Options that a person set for Node, and certificates that it would read first, are not for this; only a store behind TLS
# needs those. A second process ends Node after 1.5 seconds, when it hangs or the machine is that busy. It runs beside Node:
# a parent of Node would cost time at each start. It ends Node only while this shell lives (a Node that nobody waits for has
# no shell to check): later the process id may belong to another process. Sets `status`; 124 is a timeout.
run_node() {
  case ${FOREWORD_STORE-} in
  rediss:*) certificates=${NODE_EXTRA_CA_CERTS-} ;;
  *) certificates= ;;
  esac
  PATH=$path NODE_OPTIONS='' NODE_EXTRA_CA_CERTS=$certificates "$node" "$here/hook.cjs" "$event" "$agent" "$claim" "${root:-/}" "$PPID" <&4 4<&- 3<<END_OF_HEAD &
$head
END_OF_HEAD
  running=$!
  {
    # Node may have ended before there is a sleep to end: $! is Node's until then. Not TERM for the sleep: the shell that is
    # about to become it would take that for its own.
    trap '[ $! = $running ] || { kill -9 $!; wait $!; }; exit 0' TERM
    sleep 1.5 &
    if ! wait $!; then
      sleep 1 &
      wait $! || exit 0
    fi
    trap '' TERM
    { [ -n "$quiet" ] || kill -0 $$; } && kill -9 $running
    exit 124
  } </dev/null >/dev/null 4<&- &
  watching=$!
  wait $running
  status=$?
  kill $watching
  wait $watching
  case $status:$? in
  137:124) status=124 ;;
  esac
}

# The top of the repository that holds $1, by its .git: the project may be a folder in it. Sets `top`; empty when there is none.
find_top() {
  top=$1
  while [ -n "$top" ] && [ ! -e "$top/.git" ]; do top=${top%/*}; done
}

# Whether $1 lies in the project, in its repository, or in the one that the hook was started in. One that holds the home is
# the person's own.
is_foreign() {
  for one in "$root" "$root_top" "$start_top"; do
    [ -n "$one" ] || continue
    case ${HOME-}/ in
    "$one"/*) continue ;;
    esac
    case $1/ in
    "$one"/*) return 0 ;;
    esac
  done
  return 1
}

# The first on PATH that is not the repository's, as in src/system/processes/find-program.ts: relative entries do not count, and
# links are followed.
find_node() {
  find_top "$root"
  root_top=$top
  find_top "$start"
  start_top=$top
  rest=$path path= searched=1
  while [ -n "$rest" ]; do
    entry=${rest%%:*}
    rest=${rest#"$entry"}
    rest=${rest#:}
    case $entry in
    /*) cd -P "$entry" || continue ;;
    *) continue ;;
    esac
    is_foreign "$PWD" || path=$path${path:+:}$entry
  done
  cd -P "$start"
  path=${path:-/usr/bin:/bin}
  node=node
}

report_to_node() {
  run_node
  case ${searched-}:$status in
  1:*) ;;
  *:126 | *:127)
    complain "$node cannot be run, so the one on PATH is tried"
    find_node
    run_node
    ;;
  esac
  case $status in
  0) return ;;
  124) complain 'given up after 1500 ms' ;;
  126 | 127) complain "$node cannot be run" ;;
  *) complain "$node ended with $status" ;;
  esac
  lose_claim
}

case ${FOREWORD_STATE:+$event}:$head in
session-start:*'"source":"startup"'*) exit 0 ;;
esac
quiet=
[ -z "$gate" ] || claim_gate
if is_only_reported; then quiet=1 claim=quiet; fi

# Which Node: the one that is named, the one that init ran with, or the first on PATH.
node=${FOREWORD_NODE-}
noted=$here/node-path
if [ ! -x "$node" ] && [ -f "$noted" ]; then read -r node <"$noted"; fi
noted=$state/node-path
if [ ! -x "$node" ] && [ -O "$state" ] && [ ! -L "$state" ] && [ -O "$noted" ]; then read -r node <"$noted"; fi
[ -x "$node" ] || find_node

exec 4<&0
if [ -z "$quiet" ]; then
  report_to_node
else
  # The agent waits until nobody has its output open; dash would keep it for after a mere redirection.
  {
    exec >/dev/null 2>&1
    report_to_node
  } &
fi
exit 0
