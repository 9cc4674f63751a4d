#!/usr/bin/env bash
# Real hosts in miniature: three network namespaces with addresses of their own solve a game together.
# One is slowed, then one is cut off in the middle: the processes end within seconds, and all together
# go on from the last checkpoint to the same table. Called by `./test netns`; needs root and iproute2.
set -eu
cd "$(dirname "$0")/.."
if [ "$(id -u)" != 0 ] || ! command -v ip >/dev/null || ! command -v tc >/dev/null; then
    echo "Skipped: needs root and iproute2."
    exit 0
fi
if ! ip netns add "yose-$$-probe" 2>/dev/null; then
    echo "Skipped: this system lets nobody make network namespaces."
    exit 0
fi
ip netns del "yose-$$-probe"

# The program as the tests of the command line build it, unless another one is named.
if [ -z "${YOSE:-}" ]; then
    # With all crates named as there, nothing is compiled again.
    cargo test -q --locked --workspace --exclude yose-py --test cli --no-run
    YOSE=$PWD/target/debug/yose
fi
work=$(mktemp -d)
bridge=yb$$
hosts=(0 1 2)
started=()

clean() {
    for process in "${started[@]}"; do kill -9 "$process" 2>/dev/null || true; done
    for i in "${hosts[@]}"; do ip netns del "yose-$$-$i" 2>/dev/null || true; done
    ip link del "$bridge" 2>/dev/null || true
    rm -rf "$work"
}
trap clean EXIT

# A switch in the middle, a cable to each host.
ip link add "$bridge" type bridge
ip link set "$bridge" up
for i in "${hosts[@]}"; do
    ip netns add "yose-$$-$i"
    ip link add "yv$$-$i" type veth peer name eth0 netns "yose-$$-$i"
    ip link set "yv$$-$i" master "$bridge" up
    ip -n "yose-$$-$i" link set lo up
    ip -n "yose-$$-$i" address add "10.213.7.$((i + 1))/24" dev eth0
    ip -n "yose-$$-$i" link set eth0 up
    echo "10.213.7.$((i + 1)):7100"
done >"$work/hosts"

# All three, with more arguments; standard output of the leader goes to $work/answer.
start() {
    started=()
    for i in "${hosts[@]}"; do
        ip netns exec "yose-$$-$i" "$YOSE" solve shogi4 --pieces PFR --metric wdl -q -j 1 \
            --hosts "$work/hosts" --process "$i" --scratch "$work/scratch" "$@" \
            >"$work/out-$i" 2>"$work/err-$i" </dev/null &
        started+=($!)
    done
}

# Waits for all three; their exit codes.
ended=
finish() {
    local process code
    ended=
    for process in "${started[@]}"; do
        code=0
        wait "$process" || code=$?
        ended="$ended $code"
    done
    started=()
}

fail() {
    echo "$1" >&2
    tail -n 3 "$work"/err-* >&2
    exit 1
}

"$YOSE" solve shogi4 --pieces PFR --metric wdl -q -o "$work/alone.yose" >"$work/answer"

echo "Host 2 is slowed to 10 Mbit/s."
tc -n "yose-$$-2" qdisc add dev eth0 root tbf rate 10mbit burst 32kbit latency 400ms
begun=$SECONDS
start -o "$work/slow.yose" --checkpoint-every 3600
finish
[ "$ended" = " 0 0 0" ] || fail "slowed: exit codes$ended"
cmp "$work/alone.yose" "$work/slow.yose" || fail "slowed: another table"
tc -n "yose-$$-2" qdisc del dev eth0 root
echo "The same table after $((SECONDS - begun)) s."

echo "Host 1 is cut off after the first checkpoints."
start -o "$work/cut.yose" --checkpoint-every 0
for _ in $(seq 600); do
    # Two plies at least are in a checkpoint.
    [ -e "$work/scratch" ] && [ "$(find "$work/scratch" -name 'log-*' | wc -l)" -gt 40 ] && break
    sleep 0.05
done
ip link set "yv$$-1" down
begun=$SECONDS
finish
lasted=$((SECONDS - begun))
[ "$ended" = " 75 75 75" ] || fail "cut off: exit codes$ended"
[ "$lasted" -le 30 ] || fail "cut off: the last process ended after $lasted s"
[ ! -e "$work/cut.yose" ] || fail "cut off: a table"
echo "All ended after $lasted s: $(head -n 1 "$work/err-0")"

echo "The cable is back."
ip link set "yv$$-1" up
start -o "$work/cut.yose" --resume
finish
[ "$ended" = " 0 0 0" ] || fail "resumed: exit codes$ended"
cmp "$work/alone.yose" "$work/cut.yose" || fail "resumed: another table"
echo "Resumed: the same table."
