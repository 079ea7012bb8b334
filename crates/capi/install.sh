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
lib=$prefix/lib
install -d "$prefix/include" "$lib/pkgconfig"
install -m 644 "$here"/include/throng.h "$here"/include/throng.hpp "$prefix/include"
# The shared library under its version, the name that programs look for (build.rs) and that of the linker.
shared() {
    install -m 755 "$built/$1" "$lib/$2"
    ln -sf "$2" "$lib/$3"
    ln -sf "$3" "$lib/$4"
}
case $(uname -s) in
    Darwin) shared libthrong_c.dylib "libthrong.$version.dylib" "libthrong.${version%%.*}.dylib" libthrong.dylib ;;
    MINGW* | MSYS* | CYGWIN*) install -m 755 "$built"/throng_c.dll "$built"/throng_c.dll.lib "$lib" ;;
    *) shared libthrong_c.so "libthrong.so.$version" "libthrong.so.${version%%.*}" libthrong.so ;;
esac
[ ! -e "$built/libthrong_c.a" ] || install -m 644 "$built/libthrong_c.a" "$lib/libthrong.a"
[ ! -e "$built/throng_c.lib" ] || install -m 644 "$built/throng_c.lib" "$lib"
sed "s|@VERSION@|$version|" "$here/throng.pc.in" > "$lib/pkgconfig/throng.pc"
echo "throng $version for C is in $prefix"
