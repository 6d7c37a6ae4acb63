# The part of foreword-hook that starts Node: read by it, with what it found in its variables, and never returns. Node gets
# the bytes that were read on descriptor 3 and the rest of standard input as it is.

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

# Options that a person set for Node, and certificates that it would read first, are not for this; only a store behind TLS
# needs those. A second process ends Node after 1.5 seconds, when it hangs or the machine is that busy. It runs beside Node:
# a parent of Node would cost time at each start. It ends Node only while this shell lives (a Node that nobody waits for has
# no shell to check): later the process id may belong to another process. Sets `status`; 124 is a timeout.
run_node() {
  case ${FOREWORD_STORE-} in
  rediss:*) certificates=${NODE_EXTRA_CA_CERTS-} ;;
  *) certificates= ;;
  esac
  NODE_OPTIONS='' NODE_EXTRA_CA_CERTS=$certificates "$node" "$here/hook.cjs" "$event" "$agent" "$claim" <&4 4<&- 3<<END_OF_HEAD &
$head
END_OF_HEAD
  running=$!
  {
    trap 'kill $nap; wait $nap; exit 0' TERM
    sleep 1.5 &
    nap=$!
    if ! wait $nap; then
      sleep 1 &
      nap=$!
      wait $nap || exit 0
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

# Which Node: the one that is named, the one that init ran with, or the first on PATH.
node=${FOREWORD_NODE-}
noted=$here/node-path
if [ ! -x "$node" ] && [ -f "$noted" ]; then read -r node <"$noted"; fi
noted=$state/node-path
if [ ! -x "$node" ] && [ -O "$state" ] && [ ! -L "$state" ] && [ -O "$noted" ]; then read -r node <"$noted"; fi
[ -x "$node" ] || node=node
report_to_node() {
  run_node
  case $node:$status in
  node:*) ;;
  *:126 | *:127)
    complain "$node cannot be run, so the one on PATH is tried"
    node=node
    run_node
    ;;
  esac
  case $status in
  0) ;;
  124)
    complain 'given up after 1500 ms'
    # The next call has the turn, without waiting until the claim counts as lost.
    [ -z "$gate" ] || [ -d "$gate/done" ] || [ "$claim" = - ] || touch -t 200001010000 "$gate"
    ;;
  126 | 127) complain "$node cannot be run" ;;
  *) complain "$node ended with $status" ;;
  esac
}

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
