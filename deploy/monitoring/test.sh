#!/bin/sh
# Checks the alerting rules, their unit tests, the example configuration and the dashboards' queries with promtool.
# Needs promtool (apt-get install prometheus, on Debian) and Python 3. The service of that package need not run.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
for tool in promtool python3; do
  command -v "$tool" >/dev/null 2>&1 || {
    echo "needs $tool: run 'apt-get install --no-install-recommends prometheus python3' on Debian, and then this script again" >&2
    exit 1
  }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

promtool check rules "$here/prometheus/photon-alerts.yml"
promtool check config "$here/prometheus/prometheus.yml"
promtool test rules "$here/prometheus/photon-alerts-test.yml"

# Each query of a dashboard becomes a rule, since promtool checks queries in rules only.
python3 - "$here"/grafana/*.json > "$work/queries.yml" <<'PYTHON'
import json, sys
rules = []
for name in sys.argv[1:]:
    for panel in json.load(open(name, encoding="utf-8"))["panels"]:
        for target in panel["targets"]:
            rules.append({"record": "query", "expr": target["expr"], "labels": {"number": str(len(rules))}})
print(json.dumps({"groups": [{"name": "queries", "rules": rules}]}))
PYTHON
promtool check rules "$work/queries.yml"
