#!/bin/sh
# Tests the Debian package and the systemd units as far as that goes without installing them here.
# Usage: deploy/test-deb.sh [TARBALL]        Without TARBALL: the one in deploy/dist/target. Needs dpkg-deb.
set -eu

repository=$(cd "$(dirname "$0")/.." && pwd)
tarball=${1:-$(ls "$repository"/deploy/dist/target/photon-*.tar.gz)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0

pass() { passed=$((passed + 1)); printf 'ok: %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

mkdir "$work/one" "$work/another"
package=$("$repository/deploy/deb/build.sh" "$tarball" "$work/one")
another=$(TZ=Asia/Tokyo LC_ALL=C.UTF-8 "$repository/deploy/deb/build.sh" "$tarball" "$work/another")
cmp "$package" "$another" || fail "two builds differ"
pass "two builds make the same $(basename "$package")"

if command -v lintian > /dev/null; then
  # The package is not in an archive, and nobody answers mails about it.
  lintian --allow-root --fail-on error --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog "$package" > "$work/lintian" 2>&1 \
    || { cat "$work/lintian" >&2; fail "lintian finds errors"; }
  pass "lintian finds no error"
else
  echo "not run: lintian is not there"
fi

root=$work/root
dpkg-deb -x "$package" "$root"
dpkg-deb -e "$package" "$work/control"
for script in postinst prerm postrm; do
  sh -n "$work/control/$script" || fail "$script is no script"
done
[ "$(cat "$work/control/conffiles")" = /etc/photon/photon.env ] || fail "another list of conffiles"
(cd "$root" && md5sum --quiet -c "$work/control/md5sums") || fail "md5sums do not agree"
XDG_CACHE_HOME=$work/cache "$root/usr/bin/photon" --version > "$work/version" || fail "photon does not start from the package"
pass "photon starts from the package: $(head -n 1 "$work/version")"
"$root/usr/lib/photon/deploy/local-cluster" --help > /dev/null || fail "local-cluster does not start from the package"

units=$(cd "$root/usr/lib/systemd/system" && ls)
[ "$(echo "$units" | tr '\n' ' ')" = "photon-backup.service photon-backup.timer photon-dispatcher@.service photon-eventstore@.service photon-joiner@.service photon-registry@.service photon-verifier@.service " ] \
  || fail "other units than one for each role, and the backup's: $units"
services=$(echo "$units" | grep -e '\.service$')
for unit in $services; do
  # What the unit starts is understood by the launcher: a file that is not there is the only trouble, with status 2.
  command=$(sed -n 's/^ExecStart=.usr.bin.photon //p' "$root/usr/lib/systemd/system/$unit" | sed "s|%i|none|; s|/etc/photon|$work/none|")
  status=0
  # shellcheck disable=SC2086
  PHOTON_CONFIG=$work/none/none.yaml "$root/usr/bin/photon" $command > "$work/out" 2>&1 || status=$?
  if [ "$status" -ne 2 ] || ! grep -q "none.yaml" "$work/out"; then
    cat "$work/out" >&2
    fail "$unit starts something else: photon $command"
  fi
done
pass "each unit's command is one that photon knows"

if command -v systemd-analyze > /dev/null; then
  # In a root of its own: the program, and the targets that systemd brings.
  cp -R /usr/lib/systemd/system/*.target "$root/usr/lib/systemd/system/" 2> /dev/null || true
  for unit in $units; do
    instance=$(echo "$unit" | sed 's/@/@one/')
    [ "$instance" = "$unit" ] || ln -s "$unit" "$root/usr/lib/systemd/system/$instance"
    systemd-analyze verify --man=no --recursive-errors=no --root="$root" "$instance" > "$work/verify" 2>&1 || fail "systemd-analyze verify $unit: $(cat "$work/verify")"
    ! grep -e "photon-" "$work/verify" || fail "systemd-analyze verify has remarks on $unit"
    if [ "$unit" != "${unit%.service}" ] && systemd-analyze security --help 2> /dev/null | grep -q -e --offline; then
      # The level is ten times the exposure: 0 is the safest. A Java VM and its network need what is left.
      systemd-analyze security --offline=true --threshold=20 --no-pager "$root/usr/lib/systemd/system/$unit" > "$work/security" 2>&1 \
        || { tail -n 3 "$work/security" >&2; fail "$unit is less hardened than it was"; }
      tail -n 1 "$work/security"
    fi
  done
  pass "systemd-analyze finds the units right and hardened"
else
  echo "not run: systemd-analyze is not there"
fi

echo "$passed passed, 0 failed"
