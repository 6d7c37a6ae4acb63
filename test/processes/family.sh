#!/bin/sh
# A program with relatives: one that obeys, one that ignores TERM and starts others, one that leaves the group by a
# double fork into a session of its own. Usage: family.sh [stay|leave]
sleep 300 &
sh -c 'trap "" TERM; while :; do sleep 0.5; done' &
(setsid sleep 301 &)
echo started
[ "$1" = leave ] && exit 0
wait
