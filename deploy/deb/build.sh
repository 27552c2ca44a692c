#!/bin/sh
# Makes a Debian package of the tarball of the distribution. The same tarball gives the same bytes.
# Usage: deploy/deb/build.sh [TARBALL [DIRECTORY]]        Without TARBALL: the one in deploy/dist/target, and there goes the package.
# Needs dpkg-deb. Prints the package's name.
set -eu

repository=$(cd "$(dirname "$0")/../.." && pwd)
tarball=${1:-$(ls "$repository"/deploy/dist/target/photon-*.tar.gz)}
[ -f "$tarball" ] || { echo "no tarball $tarball: 'mvn -Pdist package' makes it" >&2; exit 2; }
command -v dpkg-deb > /dev/null || { echo "needs dpkg-deb" >&2; exit 2; }
to=$(cd "${2:-$(dirname "$tarball")}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

tar -xzf "$tarball" -C "$work"
unpacked=$(ls -d "$work"/photon-*)
# A version with a tilde comes before the one without.
version=$(basename "$unpacked" | sed -e 's/^photon-//' -e 's/-SNAPSHOT$/~snapshot/' -e 's/-/~/g')
# The tarball's own time, which its build has fixed.
SOURCE_DATE_EPOCH=$(stat -c %Y "$unpacked/README.md")
export SOURCE_DATE_EPOCH

root=$work/root
doc=$root/usr/share/doc/photon
mkdir -p "$root/DEBIAN" "$root/usr/bin" "$root/usr/lib/photon" "$root/usr/lib/systemd/system" "$root/etc/photon" "$doc"
mv "$unpacked/bin" "$unpacked/lib" "$unpacked/bom.json" "$root/usr/lib/photon/"
ln -s ../lib/photon/bin/photon "$root/usr/bin/photon"
# The launcher's home is /usr/lib/photon: the example and the auditor are looked for there.
mv "$unpacked/docs" "$doc/docs"
ln -s ../../share/doc/photon/docs "$root/usr/lib/photon/docs"
mv "$unpacked"/*.md "$unpacked/NOTICE" "$unpacked/THIRD-PARTY.txt" "$unpacked/LICENSES-OF-LIBRARIES.txt" "$doc/"
mkdir "$root/usr/lib/photon/deploy"
mv "$unpacked/deploy/local-cluster" "$root/usr/lib/photon/deploy/"
cp "$repository"/deploy/systemd/*.service "$repository"/deploy/systemd/*.timer "$root/usr/lib/systemd/system/"
cp "$repository/deploy/systemd/photon.env" "$root/etc/photon/photon.env"
{
  echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
  echo 'Upstream-Name: photon'
  echo
  echo 'Files: *'
  echo 'Copyright: the authors of Photon, and those of the libraries that THIRD-PARTY.txt lists'
  echo 'License: Apache-2.0'
  echo ' On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.'
  echo ' LICENSES-OF-LIBRARIES.txt beside this file has the licenses of libraries.'
} > "$doc/copyright"
printf 'photon (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- Photon <photon@localhost>  %s\n' \
  "$version" "$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n > "$doc/changelog.gz"

find "$root" -type d -exec chmod 0755 {} +
find "$root" -type f -exec chmod 0644 {} +
chmod 0755 "$root/usr/lib/photon/bin/photon" "$root/usr/lib/photon/deploy/local-cluster"

size=$(cd "$root" && find etc usr -type f -printf '%s\n' | awk '{ bytes += $1 } END { print int((bytes + 1023) / 1024) }')
sed -e "s/@VERSION@/$version/" -e "s/@SIZE@/$size/" "$repository/deploy/deb/control" > "$root/DEBIAN/control"
echo /etc/photon/photon.env > "$root/DEBIAN/conffiles"
for script in postinst prerm postrm; do
  cp "$repository/deploy/deb/$script" "$root/DEBIAN/$script"
  chmod 0755 "$root/DEBIAN/$script"
done
(cd "$root" && find usr -type f | LC_ALL=C sort | xargs -d '\n' md5sum) > "$root/DEBIAN/md5sums"
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +

package=$to/photon_${version}_all.deb
# Jars are compressed already, and gzip gives the same bytes with any number of processors.
dpkg-deb --root-owner-group --uniform-compression -Zgzip -z1 --build "$root" "$package" > /dev/null
echo "$package"
