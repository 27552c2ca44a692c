#!/bin/sh
# Builds what a release consists of twice, from a fresh clone and from what "git archive" packs, in two directories, and compares
# the two builds byte by byte: the tarball, the bill of materials and, where dpkg-deb is there, the Debian package.
# Usage: deploy/reproduce.sh [COMMIT [DIRECTORY]]        With DIRECTORY: leaves the files of the first build there.
# Needs git, JDK 17 and Maven 3.8. Exit code 1: they differ.
set -eu

repository=$(cd "$(dirname "$0")/.." && pwd)
commit=$(git -C "$repository" rev-parse --verify "${1:-HEAD}^{commit}")
directory=${2:-}
[ -z "$directory" ] || directory=$(cd "$directory" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The jars hold the modes of the files in them.
umask 022

# build SIDE TIMEZONE LOCALE: directories with names of unequal length, in another time zone and language.
build() (
  cd "$work/$1"
  export TZ="$2" LC_ALL="$3"
  mvn -q -B -Pdist -Dphoton.quick package
  made=$work/$1.made
  mkdir "$made"
  tarball=$(ls deploy/dist/target/photon-*.tar.gz)
  cp "$tarball" "$made/"
  cp deploy/dist/target/bom.json "$made/$(basename "$tarball" .tar.gz)-bom.json"
  if command -v dpkg-deb > /dev/null; then
    deploy/deb/build.sh "$tarball" "$made" > /dev/null
  fi
)

git clone -q --no-checkout "$repository" "$work/one"
git -C "$work/one" checkout -q "$commit"
mkdir "$work/another-directory"
git -C "$repository" archive "$commit" | tar -x -C "$work/another-directory"

echo "building $commit twice"
build one UTC C
build another-directory Asia/Tokyo C.UTF-8

(cd "$work/one.made" && sha256sum -- *)
if diff -rq "$work/one.made" "$work/another-directory.made"; then
  echo "both builds made the same files"
  [ -z "$directory" ] || cp "$work"/one.made/* "$directory/"
  exit 0
fi
trap - EXIT
echo "the builds differ; both are kept in $work. The files of the tarballs that differ:" >&2
for side in one another-directory; do
  mkdir "$work/$side.unpacked"
  tar -xzf "$work/$side".made/photon-*.tar.gz -C "$work/$side.unpacked"
done
diff -rq "$work/one.unpacked" "$work/another-directory.unpacked" >&2 || true
exit 1
