#!/usr/bin/env bash
# Writes giflib.wasm, which the repository holds, from giflib's source; the packages that it needs are those of ../libjpeg/build.sh.
#
#     apt-get source --download-only giflib   (Debian 12: 5.2.1)
#     ./build.sh giflib_5.2.1.orig.tar.gz [WASM]
set -euo pipefail
archive=$(realpath "$1")
target=$(realpath -m "${2:-$(dirname "$0")/giflib.wasm}")
cd "$(dirname "$0")"
echo "31da5562f44c5f15d63340a09a4fd62b48c45620cd302f77a6d9acf0077879bd  $archive" | sha256sum --check --quiet
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
tar -xf "$archive" -C "$work" --strip-components=1
cp ../decoder.h decode.c "$work"
cd "$work"
clang-14 --target=wasm32-wasi -O3 -msimd128 -mexec-model=reactor -D_POSIX_C_SOURCE=200809L -Wno-everything -I. decode.c dgif_lib.c \
  gifalloc.c gif_err.c gif_hash.c openbsd-reallocarray.c -Wl,--export=malloc,--export=free,--strip-all,--gc-sections -o "$target"
chmod 644 "$target"
