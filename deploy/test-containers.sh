#!/bin/sh
# Tests deploy/compose with a container engine: starts two datacenters from the images, kills one of them under a load, starts it
# again, and lets the auditor judge the result. Without an engine it says so, and passes.
# Usage: deploy/test-containers.sh IMAGE.tar        The archive that deploy/image/build.py makes.
set -eu

repository=$(cd "$(dirname "$0")/.." && pwd)
image=${1:?the archive of images}
image=$(cd "$(dirname "$image")" && pwd)/$(basename "$image")
passed=0

pass() { passed=$((passed + 1)); printf 'ok: %s\n' "$*"; }
fail() {
  printf 'FAILED: %s\n' "$*" >&2
  for container in $(of all -a); do
    printf '== %s\n' "$(docker inspect -f '{{.Name}} {{.State.Status}} {{.State.ExitCode}}' "$container")" >&2
    docker logs --tail 8 "$container" >&2 || true
  done
  exit 1
}

if ! docker info > /dev/null 2>&1; then
  echo "not run: no container engine answers ('docker info')"
  exit 0
fi
if docker compose version > /dev/null 2>&1; then
  compose() { docker compose "$@"; }
elif command -v docker-compose > /dev/null; then
  compose() { docker-compose "$@"; }
else
  echo "not run: the engine has no Compose"
  exit 0
fi

COMPOSE_PROJECT_NAME=photon-test-$$
export COMPOSE_PROJECT_NAME
work=$(mktemp -d)
ours="label=com.docker.compose.project=$COMPOSE_PROJECT_NAME"
cd "$repository/deploy/compose"

# of DATACENTER|all [-a]: its containers that run, or all.
of() {
  if [ "$1" = all ]; then docker ps -q ${2:+"$2"} --filter "$ours"; else docker ps -q ${2:+"$2"} --filter "$ours" --filter "label=photon.datacenter=$1"; fi
}

finish() {
  # shellcheck disable=SC2046
  {
    docker rm -f $(of all -a)
    docker volume rm $(docker volume ls -q --filter "$ours")
    docker network rm $(docker network ls -q --filter "$ours")
  } > /dev/null 2>&1 || true
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

container() { docker ps -aq --filter "$ours" --filter "label=com.docker.compose.service=$1"; }

# Joined lines of a datacenter.
joined() {
  docker cp "$(container "$1-joiner"):/var/lib/photon/output/$1" - 2> /dev/null \
    | tar -xO --wildcards '*/dt=*/*.jsonl' 2> /dev/null | wc -l | tr -d ' '
}

# until_seconds SECONDS WHAT COMMAND...: until it succeeds.
until_seconds() {
  end=$(($(date +%s) + $1))
  what=$2
  shift 2
  until "$@"; do
    [ "$(date +%s)" -lt "$end" ] || fail "$what: not in time"
    sleep 1
  done
}

more_than() { [ "$(joined "$1")" -gt "$2" ]; }
all_serve() {
  for each in $(of all); do
    case "$(docker inspect -f '{{index .Config.Labels "photon.datacenter"}}' "$each")" in
      '') ;;
      *) docker logs "$each" 2>&1 | grep -q 'serves on' || return 1 ;;
    esac
  done
}

docker load -q -i "$image" > /dev/null
began=$(date +%s)
./up > "$work/up" 2>&1 || { cat "$work/up" >&2; fail "up"; }
[ "$(of all | wc -l)" -ge 13 ] || fail "not all containers run"
until_seconds 300 "all daemons serve" all_serve
until_seconds 120 "east joins" more_than east 0
until_seconds 120 "west joins" more_than west 0
pass "two datacenters and five registry servers join after $(($(date +%s) - began)) s"

well() { compose run --rm operator registry status > "$work/status" 2>&1 && grep -q '5 of 5 servers answer' "$work/status"; }
until_seconds 120 "an operator sees five servers" well
pass "an operator sees five servers"

east=$(of east)
# shellcheck disable=SC2086
docker kill -s KILL $east > /dev/null
before=$(joined west)
until_seconds 120 "west joins alone" more_than west $((before + 200))
pass "with all $(echo "$east" | wc -l) containers of east killed, west goes on"

# shellcheck disable=SC2086
docker start $east > /dev/null
before=$(joined east)
until_seconds 300 "east joins again" more_than east "$before"
pass "started again, east joins more"

load=$(container load)
docker stop -t 60 "$load" > /dev/null
docker cp "$load:/var/lib/photon/logs" "$work/logs"
expected=$(sed -n 's/^\(.*[^A-Za-z]\)\{0,1\}"joinable" *: *\([0-9]*\).*/\2/p' "$work/logs/1/answer.json")
all_joined() { [ $(($(joined east) + $(joined west))) -ge "$expected" ]; }
until_seconds 300 "all $expected events are joined" all_joined

# First what makes work, then what does it, then what all of it needs.
for kind in dispatcher joiner verifier eventstore registry; do
  services=$(compose config --services | grep -e "-$kind")
  # shellcheck disable=SC2086
  compose stop -t 120 $services > /dev/null 2>&1
  for service in $services; do
    status=$(docker inspect -f '{{.State.ExitCode}}' "$(container "$service")")
    case "$status" in 0|143) ;; *) fail "$service ended with exit status $status" ;; esac
  done
done
pass "all containers end in good order"

mkdir "$work/state"
docker cp "$(container east-joiner):/var/lib/photon/output" "$work/output"
for place in east west; do docker cp "$(container "$place-dispatcher"):/var/lib/photon/state/$place" "$work/state/$place"; done
cat > "$work/state/pipeline.json" <<END
{
  "pipeline": "containers",
  "datacenters": ["east", "west"],
  "primary": {
    "paths": ["$work/logs/*/primary/*.log*"],
    "format": {"type": "json-lines"},
    "id": {"server": "server", "process": "process", "timestamp": "timestamp"}
  },
  "foreign": {
    "paths": ["$work/logs/*/foreign/*.log*"],
    "format": {"type": "json-lines"},
    "id": {"server": "server", "process": "process", "timestamp": "timestamp"},
    "primaryId": {"server": "primary.server", "process": "primary.process", "timestamp": "primary.timestamp"}
  },
  "adapter": {"type": "merge"},
  "output": {"format": "json-lines", "compression": "none"},
  "outputDirectory": "$work/output",
  "stateDirectory": "$work/state"
}
END
python3 "$repository/docs/audit/audit.py" --output "$work/output" --state "$work/state" > "$work/audit" 2>&1 \
  || { cat "$work/audit" >&2; fail "the auditor does not agree"; }
have=$(cat "$work"/output/*/dt=*/hour=*/*.jsonl | wc -l)
[ "$have" -eq "$expected" ] || fail "$have events are joined instead of $expected"
pass "exactly once: $expected of $expected joined; the auditor agrees"
echo "$passed passed, 0 failed"
