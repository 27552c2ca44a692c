#!/bin/sh
# Renders README.md and docs/ as a web site in target/site, for reading without a network.
# Needs MkDocs: apt-get install mkdocs (Debian 12 or newer), or any other installation of MkDocs 1.4 or newer.
set -eu

repository=$(cd "$(dirname "$0")/../.." && pwd)
command -v mkdocs >/dev/null 2>&1 || {
  echo "needs MkDocs: run 'apt-get install mkdocs' on Debian, and then this script again" >&2
  exit 1
}

# The pages are copied with their places, so that the links between them hold as they are.
work=$repository/target/site-source
rm -rf "$work" "$repository/target/site"
mkdir -p "$work/pages"
cp "$repository"/*.md "$work/pages/"
cp "$repository/LICENSE" "$repository/NOTICE" "$work/pages/"
cp -R "$repository/docs" "$work/pages/docs"
for module in "$repository"/*/README.md; do
  directory=$(basename "$(dirname "$module")")
  mkdir -p "$work/pages/$directory"
  cp "$module" "$work/pages/$directory/"
done
cp "$repository/deploy/site/mkdocs.yml" "$repository/deploy/site/hooks.py" "$work/"
printf 'docs_dir: pages\nsite_dir: %s\n' "$repository/target/site" >> "$work/mkdocs.yml"
mkdocs build --quiet --strict --config-file "$work/mkdocs.yml"
echo "$repository/target/site/index.html"
