#!/bin/sh
# Tests the distribution as a user has it: unpacked somewhere, with a Java runtime and Python, without Maven, and started
# from another directory.
# Usage: deploy/test-distribution.sh [TARBALL]        Without TARBALL: the one in deploy/dist/target.
set -eu

repository=$(cd "$(dirname "$0")/.." && pwd)
tarball=${1:-$(ls "$repository"/deploy/dist/target/photon-*.tar.gz)}
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
passed=0

pass() { passed=$((passed + 1)); printf 'ok: %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

# Runs a command; its exit code has to be the first argument. Leaves its output in $work/out and $work/err.
expect() {
  wanted=$1
  shift
  code=0
  "$@" > "$work/out" 2> "$work/err" || code=$?
  [ "$code" -eq "$wanted" ] || { cat "$work/out" "$work/err" >&2; fail "exit code $code instead of $wanted: $*"; }
}

said() { grep -q -e "$1" "$work/err" "$work/out" || { cat "$work/out" "$work/err" >&2; fail "expected '$1' in the output"; }; }

java=$(command -v "${JAVA_HOME:+$JAVA_HOME/bin/}java")
unset JAVA_HOME

# Directories for PATH: all that PATH has now, but no Maven, no compiler, and then no Java or no Python.
mkdir "$work/no-java"
IFS=:
for directory in $PATH; do
  for file in "$directory"/*; do
    [ -e "$work/no-java/${file##*/}" ] || ln -s "$file" "$work/no-java/" 2>/dev/null || true
  done
done
unset IFS
rm -f "$work/no-java/mvn" "$work/no-java/javac" "$work/no-java/java"
cp -RP "$work/no-java" "$work/no-build-tools"
ln -s "$java" "$work/no-build-tools/java"
cp -RP "$work/no-build-tools" "$work/no-python"
rm -f "$work/no-python/python3"
original_path=$PATH
PATH=$work/no-build-tools
export PATH
export XDG_CACHE_HOME="$work/cache"
mkdir "$work/a place" "$work/elsewhere"
tar -xzf "$tarball" -C "$work/a place"
home=$(ls -d "$work/a place"/photon-*)
photon=$home/bin/photon
cd "$work/elsewhere"

for file in LICENSE NOTICE README.md CHANGELOG.md SECURITY.md THIRD-PARTY.txt bom.json docs/operating.md docs/alerts.md docs/photon.schema.json deploy/local-cluster \
  deploy/monitoring/prometheus/photon-alerts.yml deploy/monitoring/grafana/photon-overview.json \
  deploy/monitoring/grafana/provisioning/dashboards/photon.yml deploy/image/build.py deploy/compose/up deploy/compose/.env \
  deploy/compose/compose.yaml deploy/kubernetes/overlays/east/kustomization.yaml; do
  [ -s "$home/$file" ] || fail "$file is missing"
done
pass "the files of a release are there"

# As an administrator installs it: nothing of it can be written.
chmod -R a-w "$home"

expect 0 "$photon" --version
said "photon"
pass "photon --version: $(head -n 1 "$work/out")"

expect 0 "$photon" version --json
python3 -c 'import json, re, sys; sys.exit(not re.fullmatch("[0-9a-f]{40}(-dirty)?|unknown", json.load(open(sys.argv[1]))["commit"]))' "$work/out" \
  || fail "photon version names no commit: $(cat "$work/out")"
pass "photon version names the commit: $(cat "$work/out")"

expect 2 "$photon" no-such-verb
pass "an unknown verb gives exit code 2"

mkdir "$work/links"
ln -s "$photon" "$work/links/photon"
expect 0 "$work/links/photon" --version
pass "photon starts through a link"

expect 0 "$home/deploy/local-cluster" --help
said "add-replica"
expect 2 "$home/deploy/local-cluster" status
said "no cluster is in"
pass "deploy/local-cluster is there"

join() {
  expect 0 "$photon" local --config "$home/docs/examples/ads/photon.yaml" --output "$work/joined" --state "$work/state" \
    --until-idle 1s --json
  python3 - "$home/docs/examples/ads/ANSWER.json" "$work/out" "$work/joined" <<'PYTHON' || fail "photon local has another answer"
import glob, hashlib, json, sys
answer, books = (json.load(open(name)) for name in sys.argv[1:3])
lines = []
for name in glob.glob(sys.argv[3] + "/*/dt=*/hour=*/*.jsonl"):
    for line in open(name, encoding="utf-8"):
        joined = json.loads(line)
        lines.append(f"{joined['primaryId']}\t{joined['id']}\n".encode())
books["sha256"] = hashlib.sha256(b"".join(sorted(lines))).hexdigest()
wrong = [f"{key}: {books[key]} instead of {value}" for key, value in answer.items() if books[key] != value]
sys.exit("; ".join(wrong) if wrong or len(lines) != answer["joined"] else 0)
PYTHON
}
join
[ -n "$(find "$work/cache/photon" -name '*.jsa' -size +0)" ] || fail "the first start prepared no archive: $(cat "$work/err")"
pass "photon local joins the example as ANSWER.json says, and prepares a fast start"
rm -rf "$work/joined" "$work/state"
join
if grep -q "preparing" "$work/err"; then fail "the second start prepared an archive again"; fi
pass "the second start uses the archive"
rm -rf "$work/joined" "$work/state" "$work/cache"
: > "$work/cache"
join
pass "photon local works without a cache directory"
rm "$work/cache"

expect 0 env PHOTON_JAVA_OPTS=-Xlog:class+path=info "$photon" local --help
said "photon-cli-"
if grep -q -e 'photon-\(simulation\|testbed\|demo\|bench\|tools\)-' "$work/out"; then
  fail "photon local has tools in its class path: $(grep photon-tools "$work/out")"
fi
pass "photon local has no simulator, test bed, demo, benchmark or tools in its class path"

expect 0 env PHOTON_JAVA_OPTS=-Xlog:class+path=info "$photon" config test --config "$home/docs/examples/ads/photon.yaml"
said "sampled foreign events"
if grep -q -e 'photon-\(simulation\|testbed\|demo\|bench\|tools\)-' "$work/out"; then
  fail "photon config has tools in its class path: $(grep photon-tools "$work/out")"
fi
pass "photon config test finds the example right, with the class path of production"

expect 0 "$photon" config schema
cmp "$work/out" "$home/docs/photon.schema.json" || fail "photon config schema prints another schema than docs has"
expect 0 "$photon" plan --events 20000
said "machines"
pass "photon config schema and photon plan work"

if find "$home" -name 'rocksdbjni-*.jar' | grep -q .; then
  fail "the distribution has RocksDB, which only benchmarks of the source tree need"
fi
pass "the distribution has no RocksDB"

expect 0 "$photon" demo --single-process --duration 10s --json
python3 -c 'import json, sys; sys.exit(json.load(open(sys.argv[1]))["audit"] != "agrees")' "$work/out" \
  || fail "the auditor did not agree: $(cat "$work/out" "$work/err")"
pass "photon demo --single-process: the auditor agrees"

PATH=$work/no-python
expect 0 "$photon" demo --single-process --duration 10s --json
PATH=$work/no-build-tools
said "audit skipped: no 'python3' on the PATH"
pass "photon demo says that it does not audit without Python"

PATH=$work/no-java
expect 1 "$photon" --version
said "needs Java 17 or newer: found no 'java'"
pass "without Java the message says so"

for version in 1.8.0_392 11.0.21 16; do
  printf '#!/bin/sh\necho "openjdk version \\"%s\\" 2021-01-01" >&2\n' "$version" > "$work/no-java/java"
  chmod +x "$work/no-java/java"
  expect 1 "$photon" --version
  said "needs Java 17 or newer: 'java' is version $version"
done
pass "with Java 8, 11 or 16 the message says so"
PATH=$original_path

echo "$passed passed, 0 failed"
