#!/usr/bin/env bash
# Writes libwebp.wasm, which the repository holds, from libwebp's source with Debian's fix of CVE-2023-4863; the packages that it needs
# are those of ../libjpeg/build.sh.
#
#     apt-get source --download-only libwebp   (Debian 12: 1.2.4-0.2+deb12u1)
#     ./build.sh libwebp_1.2.4.orig.tar.gz libwebp_1.2.4-0.2+deb12u1.debian.tar.xz [WASM]
set -euo pipefail
archive=$(realpath "$1")
debian=$(realpath "$2")
target=$(realpath -m "${3:-$(dirname "$0")/libwebp.wasm}")
cd "$(dirname "$0")"
sha256sum --check --quiet <<END
7bf5a8a28cc69bcfa8cb214f2c3095703c6b73ac5fba4d5480c205331d9494df  $archive
69cdba4dfe2e1b34d55fa80c1b29c31cacd40dd183812d6bcca7e508a2f7afcd  $debian
END
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
tar -xf "$archive" -C "$work" --strip-components=1
tar -xf "$debian" -C "$work"
cp ../decoder.h decode.c transform.c "$work"
cd "$work"
patch --quiet -p1 < debian/patches/CVE-2023-4863.patch
parts=(src/dec/*.c src/demux/*.c src/dsp/{alpha_processing,cpu,dec,dec_clip_tables,filters,lossless,rescaler,upsampling,yuv}.c
  src/utils/{bit_reader,color_cache,filters,huffman,quant_levels_dec,rescaler,random,thread}_utils.c src/utils/utils.c)
clang-14 --target=wasm32-wasi -O3 -msimd128 -mexec-model=reactor -DNDEBUG -Wno-everything -I. decode.c transform.c "${parts[@]}" \
  -Wl,--export=malloc,--export=free,--strip-all,--gc-sections -o "$target"
chmod 644 "$target"
