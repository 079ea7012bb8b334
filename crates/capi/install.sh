#!/usr/bin/env bash
# Builds throng for C and copies header, libraries and pkg-config file below a folder: install.sh [PREFIX].
set -euo pipefail
prefix=$(mkdir -p "${1:-/usr/local}" && cd "${1:-/usr/local}" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
# By the same line as the wheel's build where both are made: the engine is built once then.
# shellcheck disable=SC2086
cargo build --release ${THRONG_PACKAGES:--p throng-capi}
built=${CARGO_TARGET_DIR:-target}/release
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/Cargo.toml" | head -1)
install -d "$prefix/include" "$prefix/lib/pkgconfig"
install -m 644 "$here"/include/throng.h "$here"/include/throng.hpp "$prefix/include"
for library in "$built"/libthrong_c.{so,dylib,a} "$built"/throng_c.{dll,dll.lib,lib}; do
    if [ -e "$library" ]; then
        install -m 755 "$library" "$prefix/lib"
    fi
done
sed -e "s|@PREFIX@|$prefix|" -e "s|@VERSION@|$version|" "$here/throng.pc.in" > "$prefix/lib/pkgconfig/throng.pc"
echo "throng $version for C is in $prefix"
