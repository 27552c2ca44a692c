#!/bin/sh
# Upgrades a cluster under load from one distribution to another, process by process, back, and forth again, finalizes the upgrade,
# and has the result audited: each event joined once, none lost. docs/upgrade.md describes what it shows.
# Usage: deploy/test-upgrade.sh OLD.tar.gz NEW.tar.gz
set -eu

[ $# -eq 2 ] || { echo "usage: deploy/test-upgrade.sh OLD.tar.gz NEW.tar.gz" >&2; exit 2; }
for tarball in "$@"; do
  [ -f "$tarball" ] || { echo "test-upgrade: no such file: $tarball" >&2; exit 2; }
done
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
watcher=
finish() {
  [ -z "$watcher" ] || kill "$watcher" 2>/dev/null || true
  if [ -f "$work/cluster/cluster" ]; then
    for place in east west witness; do "$here/local-cluster" kill "$place" --folder "$work/cluster" > /dev/null 2>&1 || true; done
    "$here/local-cluster" stop --folder "$work/cluster" > /dev/null 2>&1 || true
  fi
  rm -rf "$work"
}
trap finish EXIT
trap "exit 1" HUP INT TERM

pass() { printf 'ok: %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

mkdir "$work/old" "$work/new"
tar -xzf "$1" -C "$work/old"
tar -xzf "$2" -C "$work/new"
old=$(echo "$work"/old/photon-*/bin/photon)
new=$(echo "$work"/new/photon-*/bin/photon)

cluster() {
  PHOTON=$1
  export PHOTON
  shift
  "$here/local-cluster" "$@" --folder "$work/cluster" > "$work/said" 2>&1 || { cat "$work/said" >&2; fail "local-cluster $*"; }
}

upgrade() {
  PHOTON_CERTIFICATE=$work/cluster/certs/you.pem PHOTON_KEY=$work/cluster/certs/you.key PHOTON_TRUST=$work/cluster/certs/ca.pem \
    "$new" upgrade "$@" --config "$work/cluster/east.yaml"
}

# What "phase" is now; it may take a moment until the servers have told what they understand.
phase() { upgrade status --json 2>/dev/null | sed -n 's/.*"phase":"\([a-z-]*\)".*/\1/p'; }

joined() { cat "$work"/cluster/out/*/dt=*/hour=*/*.jsonl 2>/dev/null | wc -l; }

# Keeps the longest time in which neither datacenter has published a joined event.
watch() {
  before=-1
  longest=0
  at=$(date +%s%N)
  while sleep 0.1; do
    now=$(date +%s%N)
    have=$(joined)
    if [ "$have" -ne "$before" ]; then
      gap=$(((now - at) / 1000000))
      if [ "$gap" -gt "$longest" ]; then longest=$gap; echo "$longest" > "$work/longest.new"; mv "$work/longest.new" "$work/longest"; fi
      before=$have
      at=$now
    fi
  done
}

cluster "$old" start --replicas 3 --rate 200
pass "a cluster of $("$old" --version | head -n 1) serves"
until [ "$(joined)" -gt 50 ]; do sleep 0.5; done
watch &
watcher=$!
began=$(date +%s)
cluster "$new" roll
pass "every process runs $("$new" --version | head -n 1) now: $(grep -c '^restarted' "$work/said") restarts in $(($(date +%s) - began)) s"
tries=60
until now=$(phase) && { [ "$now" = done ] || [ "$now" = to-be-finalized ]; }; do
  tries=$((tries - 1))
  [ "$tries" -gt 0 ] || { upgrade status >&2 || true; fail "the servers do not tell what they understand"; }
  sleep 1
done
if [ "$now" = to-be-finalized ]; then
  cluster "$old" roll
  pass "every process went back to the version before"
  cluster "$new" roll
  pass "and forth again"
  tries=60
  until [ "$(phase)" = to-be-finalized ]; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || fail "the servers do not tell what they understand"
    sleep 1
  done
  upgrade finalize --yes
  [ "$(phase)" = done ] || fail "the upgrade is not finalized"
  pass "the upgrade is finalized"
else
  echo "not tested: the way back, since these versions understand the same feature level, or the servers have raised it by themselves"
fi
kill "$watcher"
watcher=
cluster "$new" check
tail -n 1 "$work/said"
cluster "$new" stop
pass "exactly once through all of it; the longest time without a joined event was $(cat "$work/longest") ms"
