#!/usr/bin/env bash
# Writes libjpeg.wasm, which the repository holds, from libjpeg-turbo's source. Needs Debian 12's clang-14, lld-14, wasi-libc and
# libclang-rt-14-dev-wasm32, and gives the same bytes with them.
#
#     apt-get source --download-only libjpeg-turbo   (Debian 12: 2.1.5)
#     ./build.sh libjpeg-turbo_2.1.5.orig.tar.gz [WASM]
set -euo pipefail
archive=$(realpath "$1")
target=$(realpath -m "${2:-$(dirname "$0")/libjpeg.wasm}")
cd "$(dirname "$0")"
echo "254f3642b04e309fee775123133c6464181addc150499561020312ec61c1bf7c  $archive" | sha256sum --check --quiet
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
tar -xf "$archive" -C "$work" --strip-components=1
parts=(jcomapi jdapimin jdapistd jdarith jaricom jdcoefct jdcolor jddctmgr jdhuff jdinput jdmainct jdmarker jdmaster jdmerge jdphuff
  jdpostct jdsample jidctflt jidctfst jidctint jidctred jmemmgr jmemnobs jquant1 jquant2 jutils idct)
cp ../decoder.h decode.c idct.c jconfig.h jconfigint.h "$work"
cd "$work"
clang-14 --target=wasm32-wasi -O3 -msimd128 -mexec-model=reactor -include errno.h -DNO_GETENV -Wno-everything -I. decode.c \
  "${parts[@]/%/.c}" -Wl,--export=malloc,--export=free,--strip-all,--gc-sections -o "$target"
chmod 644 "$target"
