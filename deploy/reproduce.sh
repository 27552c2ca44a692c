#!/bin/sh
# Builds the distribution twice, from a fresh clone and from what "git archive" packs, in two directories, and compares the two
# tarballs byte by byte.
# Usage: deploy/reproduce.sh [COMMIT]        Needs git, JDK 17 and Maven 3.8. Exit code 1: they differ.
set -eu

repository=$(cd "$(dirname "$0")/.." && pwd)
commit=$(git -C "$repository" rev-parse --verify "${1:-HEAD}^{commit}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The jars hold the modes of the files in them.
umask 022

# Directories with names of unequal length, in another time zone and language.
build() (
  cd "$1"
  TZ=$2 LC_ALL=$3 mvn -q -B -Pdist -Dphoton.quick package
)

git clone -q --no-checkout "$repository" "$work/one"
git -C "$work/one" checkout -q "$commit"
mkdir "$work/another-directory"
git -C "$repository" archive "$commit" | tar -x -C "$work/another-directory"

echo "building $commit twice"
build "$work/one" UTC C
build "$work/another-directory" Asia/Tokyo C.UTF-8

one=$(ls "$work"/one/deploy/dist/target/photon-*.tar.gz)
another=$(ls "$work"/another-directory/deploy/dist/target/photon-*.tar.gz)
(cd "$(dirname "$one")" && sha256sum "$(basename "$one")")
if cmp "$one" "$another"; then
  echo "both builds made the same tarball"
  exit 0
fi
trap - EXIT
echo "the tarballs differ; both builds are kept in $work. The files that differ:" >&2
for side in one another-directory; do
  mkdir "$work/$side.unpacked"
  tar -xzf "$work/$side"/deploy/dist/target/photon-*.tar.gz -C "$work/$side.unpacked"
done
diff -rq "$work/one.unpacked" "$work/another-directory.unpacked" >&2 || true
exit 1
