#!/usr/bin/env bash
# Writes libjpeg.wasm and encode.wasm, which the repository holds, from libjpeg-turbo's source. Needs Debian 12's clang-14, lld-14,
# wasi-libc and libclang-rt-14-dev-wasm32, and gives the same bytes with them.
#
#     apt-get source --download-only libjpeg-turbo   (Debian 12: 2.1.5)
#     ./build.sh libjpeg-turbo_2.1.5.orig.tar.gz [FOLDER]
set -euo pipefail
archive=$(realpath "$1")
target=$(realpath -m "${2:-$(dirname "$0")}")
cd "$(dirname "$0")"
echo "254f3642b04e309fee775123133c6464181addc150499561020312ec61c1bf7c  $archive" | sha256sum --check --quiet
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
tar -xf "$archive" -C "$work" --strip-components=1
parts=(jcomapi jdapimin jdapistd jdarith jaricom jdcoefct jdcolor jddctmgr jdhuff jdinput jdmainct jdmarker jdmaster jdmerge jdphuff
  jdpostct jdsample jidctflt jidctfst jidctint jidctred jmemmgr jmemnobs jquant1 jquant2 jutils idct)
encoding=(jcapimin jcapistd jccoefct jccolor jcdctmgr jchuff jcphuff jcinit jcmainct jcmarker jcmaster jcomapi jcparam jcprepct
  jcsample jdatadst jfdctint jfdctfst jfdctflt jmemmgr jmemnobs jutils jsimd_none)
cp ../decoder.h {de,en}code.c idct.c jconfig.h jconfigint.h "$work"
cd "$work"
build() {
  clang-14 --target=wasm32-wasi -msimd128 -mexec-model=reactor -include errno.h -DNO_GETENV -Wno-everything -I. "$@" \
    -Wl,--export=malloc,--export=free,--strip-all,--gc-sections
}
build -O3 decode.c "${parts[@]/%/.c}" -o "$target/libjpeg.wasm"
build -Os -DMEM_SRCDST_SUPPORTED -DUSE_CLZ_INTRINSIC encode.c "${encoding[@]/%/.c}" -o "$target/encode.wasm"
chmod 644 "$target"/{libjpeg,encode}.wasm
