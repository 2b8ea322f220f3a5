/*
 * The inverse cosine transforms as libjpeg-turbo computes them with the vector instructions of an x86 processor, which is where
 * TensorFlow's images are decoded. For coefficients within range they are those of libjpeg-turbo's own C. Where coefficients of damaged
 * or crudely quantized files overflow, they wrap and saturate at 16 bits, as paddw, pmulhw, packssdw and packsswb do, while the C wraps
 * elsewhere. The arithmetic is that of simd/x86_64/jidct{fst,int,red}-*.asm; WebAssembly has each of its instructions.
 */
#define JPEG_INTERNALS
#define jsimd_can_idct_2x2 none_can_idct_2x2
#define jsimd_can_idct_4x4 none_can_idct_4x4
#define jsimd_can_idct_islow none_can_idct_islow
#define jsimd_can_idct_ifast none_can_idct_ifast
#define jsimd_idct_2x2 none_idct_2x2
#define jsimd_idct_4x4 none_idct_4x4
#define jsimd_idct_islow none_idct_islow
#define jsimd_idct_ifast none_idct_ifast
#include "jsimd_none.c"
#undef jsimd_can_idct_2x2
#undef jsimd_can_idct_4x4
#undef jsimd_can_idct_islow
#undef jsimd_can_idct_ifast
#undef jsimd_idct_2x2
#undef jsimd_idct_4x4
#undef jsimd_idct_islow
#undef jsimd_idct_ifast
#include <string.h>
#include <wasm_simd128.h>
#include "jdct.h"

/* int16x8 unless the name of the operation says otherwise. */
typedef v128_t V;
#define add wasm_i16x8_add
#define sub wasm_i16x8_sub
#define add32 wasm_i32x4_add
#define sub32 wasm_i32x4_sub
/* pmaddwd, packssdw, packsswb */
#define dot wasm_i32x4_dot_i16x8
#define narrow32 wasm_i16x8_narrow_i32x4
#define narrow wasm_i8x16_narrow_i16x8
#define low(a, b) wasm_i16x8_shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define high(a, b) wasm_i16x8_shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define low32(a, b) wasm_i32x4_shuffle(a, b, 0, 4, 1, 5)
#define high32(a, b) wasm_i32x4_shuffle(a, b, 2, 6, 3, 7)
#define low64(a, b) wasm_i64x2_shuffle(a, b, 0, 2)
#define high64(a, b) wasm_i64x2_shuffle(a, b, 1, 3)
#define pair(a, b) wasm_i16x8_make(a, b, a, b, a, b, a, b)

/* pmulhw: the upper halves of the products. */
static inline V times(V a, int constant) {
  V b = wasm_i16x8_splat(constant);
  return wasm_i16x8_shuffle(wasm_i32x4_extmul_low_i16x8(a, b), wasm_i32x4_extmul_high_i16x8(a, b), 1, 3, 5, 7, 9, 11, 13, 15);
}

/* One row of coefficients, multiplied by its row of the quantization table. */
static inline V row_of(jpeg_component_info *component, JCOEFPTR block, int row) {
  return wasm_i16x8_mul(wasm_v128_load(block + 8 * row), wasm_v128_load((short *)component->dct_table + 8 * row));
}

static inline int only_first_row(JCOEFPTR block) {
  V any = wasm_v128_load(block + 8);
  for (int row = 2; row < 8; row++) any = wasm_v128_or(any, wasm_v128_load(block + 8 * row));
  return !wasm_v128_any_true(any);
}

static inline void transpose(V rows[8]) {
  V a0 = low(rows[0], rows[1]), a1 = high(rows[0], rows[1]), b0 = low(rows[2], rows[3]), b1 = high(rows[2], rows[3]);
  V c0 = low(rows[4], rows[5]), c1 = high(rows[4], rows[5]), d0 = low(rows[6], rows[7]), d1 = high(rows[6], rows[7]);
  V e0 = low32(a0, b0), e1 = high32(a0, b0), e2 = low32(a1, b1), e3 = high32(a1, b1);
  V f0 = low32(c0, d0), f1 = high32(c0, d0), f2 = low32(c1, d1), f3 = high32(c1, d1);
  rows[0] = low64(e0, f0), rows[1] = high64(e0, f0), rows[2] = low64(e1, f1), rows[3] = high64(e1, f1);
  rows[4] = low64(e2, f2), rows[5] = high64(e2, f2), rows[6] = low64(e3, f3), rows[7] = high64(e3, f3);
}

/* Eight rows of samples around zero, saturated to bytes. */
static inline void store(V rows[8], JSAMPARRAY output, JDIMENSION column) {
  for (int row = 0; row < 8; row += 2) {
    V samples = wasm_i8x16_add(narrow(rows[row], rows[row + 1]), wasm_i8x16_splat((char)CENTERJSAMPLE));
    wasm_v128_store64_lane(output[row] + column, samples, 0);
    wasm_v128_store64_lane(output[row + 1] + column, samples, 1);
  }
}

/* Arai, Agui and Nakajima's transform of eight columns; fixed-point factors have 14 bits, of which pmulhw takes 16 away. */
static inline void fast_pass(V in[8]) {
  V tmp10 = add(in[0], in[4]), tmp11 = sub(in[0], in[4]), tmp13 = add(in[2], in[6]);
  V tmp12 = sub(times(wasm_i16x8_shl(sub(in[2], in[6]), 2), 362 << 6), tmp13);
  V even0 = add(tmp10, tmp13), even3 = sub(tmp10, tmp13), even1 = add(tmp11, tmp12), even2 = sub(tmp11, tmp12);
  V z13 = add(in[5], in[3]), z10 = sub(in[5], in[3]), z11 = add(in[1], in[7]);
  V z12 = wasm_i16x8_shl(sub(in[1], in[7]), 2), z10_scaled = wasm_i16x8_shl(z10, 2);
  V odd7 = add(z11, z13), z5 = times(add(z10_scaled, z12), 473 << 6);
  V odd6 = sub(add(sub(times(z10_scaled, -(669 - 256) * 64), z10), z5), odd7);
  V odd5 = sub(times(wasm_i16x8_shl(sub(z11, z13), 2), 362 << 6), odd6);
  V odd4 = add(sub(times(z12, 277 << 6), z5), odd5);
  in[0] = add(even0, odd7), in[7] = sub(even0, odd7), in[1] = add(even1, odd6), in[6] = sub(even1, odd6);
  in[2] = add(even2, odd5), in[5] = sub(even2, odd5), in[4] = add(even3, odd4), in[3] = sub(even3, odd4);
}

GLOBAL(int) jsimd_can_idct_ifast(void) { return 1; }

GLOBAL(void)
jsimd_idct_ifast(j_decompress_ptr cinfo, jpeg_component_info *component, JCOEFPTR block, JSAMPARRAY output, JDIMENSION column) {
  V rows[8];
  for (int row = 0; row < 8; row++) rows[row] = row_of(component, block, row);
  fast_pass(rows);
  transpose(rows);
  fast_pass(rows);
  for (int row = 0; row < 8; row++) rows[row] = wasm_i16x8_shr(rows[row], 5);
  transpose(rows);
  store(rows, output, column);
}

/* Four of the eight columns that Loeffler, Ligtenberg and Moschytz's transform works on, in 32 bits. */
#define SLOW_HALF(half)                                                                                         \
  V tmp3##half = dot(half(in[2], in[6]), pair(4433 + 6270, 4433)), tmp2##half = dot(half(in[6], in[2]), pair(4433 - 15137, 4433)); \
  V tmp0##half = wasm_i32x4_shr(half(zero, sum), 3), tmp1##half = wasm_i32x4_shr(half(zero, difference), 3);                \
  V z3##half = dot(half(z3, z4), pair(9633 - 16069, 9633)), z4##half = dot(half(z4, z3), pair(9633 - 3196, 9633));          \
  V odd0##half = add32(dot(half(in[7], in[1]), pair(2446 - 7373, -7373)), z3##half);                                        \
  V odd1##half = add32(dot(half(in[5], in[3]), pair(16819 - 20995, -20995)), z4##half);                                     \
  V odd2##half = add32(dot(half(in[5], in[3]), pair(-20995, 25172 - 20995)), z3##half);                                     \
  V odd3##half = add32(dot(half(in[7], in[1]), pair(-7373, 12299 - 7373)), z4##half);                                       \
  V even0##half = add32(tmp0##half, tmp3##half), even3##half = sub32(tmp0##half, tmp3##half);                               \
  V even1##half = add32(tmp1##half, tmp2##half), even2##half = sub32(tmp1##half, tmp2##half);

static inline V descale(V value, int shift) {
  return wasm_i32x4_shr(add32(value, wasm_i32x4_splat(1 << (shift - 1))), shift);
}

static inline void slow_pass(V in[8], int shift) {
  V zero = wasm_i16x8_splat(0), sum = add(in[0], in[4]), difference = sub(in[0], in[4]);
  V z3 = add(in[7], in[3]), z4 = add(in[5], in[1]);
  SLOW_HALF(low)
  SLOW_HALF(high)
#define OUT(index, operation, even, odd) \
  V out##index = narrow32(descale(operation(even##low, odd##low), shift), descale(operation(even##high, odd##high), shift));
  OUT(0, add32, even0, odd3)
  OUT(7, sub32, even0, odd3)
  OUT(1, add32, even1, odd2)
  OUT(6, sub32, even1, odd2)
  OUT(2, add32, even2, odd1)
  OUT(5, sub32, even2, odd1)
  OUT(3, add32, even3, odd0)
  OUT(4, sub32, even3, odd0)
  in[0] = out0, in[1] = out1, in[2] = out2, in[3] = out3, in[4] = out4, in[5] = out5, in[6] = out6, in[7] = out7;
}

GLOBAL(int) jsimd_can_idct_islow(void) { return 1; }

GLOBAL(void)
jsimd_idct_islow(j_decompress_ptr cinfo, jpeg_component_info *component, JCOEFPTR block, JSAMPARRAY output, JDIMENSION column) {
  V rows[8];
  if (only_first_row(block)) {
    rows[0] = wasm_i16x8_shl(row_of(component, block, 0), 2);
    for (int row = 1; row < 8; row++) rows[row] = rows[0];
  } else {
    for (int row = 0; row < 8; row++) rows[row] = row_of(component, block, row);
    slow_pass(rows, 11);
  }
  transpose(rows);
  slow_pass(rows, 18);
  transpose(rows);
  store(rows, output, column);
}

/* The even and odd parts of the transform to four samples, of four columns. */
#define REDUCED_HALF(half)                                                                                        \
  V tmp0##half = wasm_i32x4_shr(half(zero, in[0]), 2), tmp2##half = dot(half(in[2], in[6]), pair(15137, -6270)); \
  V even0##half = add32(tmp0##half, tmp2##half), even1##half = sub32(tmp0##half, tmp2##half);                    \
  V odd0##half = add32(dot(half(in[1], in[3]), pair(20995, 7373)), dot(half(in[5], in[7]), pair(-4926, -4176))); \
  V odd1##half = add32(dot(half(in[1], in[3]), pair(8697, -17799)), dot(half(in[5], in[7]), pair(11893, -1730)));

/* Rows 0 to 3 of the result; row 4 of the input is not looked at. */
static inline void reduced_pass(V in[8], int shift) {
  V zero = wasm_i16x8_splat(0);
  REDUCED_HALF(low)
  REDUCED_HALF(high)
  OUT(0, add32, even0, odd0)
  OUT(3, sub32, even0, odd0)
  OUT(1, add32, even1, odd1)
  OUT(2, sub32, even1, odd1)
  in[0] = out0, in[1] = out1, in[2] = out2, in[3] = out3;
}

GLOBAL(int) jsimd_can_idct_4x4(void) { return 1; }

GLOBAL(void)
jsimd_idct_4x4(j_decompress_ptr cinfo, jpeg_component_info *component, JCOEFPTR block, JSAMPARRAY output, JDIMENSION column) {
  V rows[8], zero = wasm_i16x8_splat(0);
  for (int row = 0; row < 8; row++) rows[row] = row_of(component, block, row);
  V rest = wasm_v128_load(block + 8);
  for (int row = 2; row < 8; row++)
    if (row != 4) rest = wasm_v128_or(rest, wasm_v128_load(block + 8 * row));
  if (wasm_v128_any_true(rest)) reduced_pass(rows, 12);
  else rows[0] = rows[1] = rows[2] = rows[3] = wasm_i16x8_shl(rows[0], 2);
  rows[4] = rows[5] = rows[6] = rows[7] = zero;
  transpose(rows);
  reduced_pass(rows, 19);
  rows[4] = rows[5] = rows[6] = rows[7] = zero;
  transpose(rows);
  V samples = wasm_i8x16_add(narrow(low64(rows[0], rows[1]), low64(rows[2], rows[3])), wasm_i8x16_splat((char)CENTERJSAMPLE));
  wasm_v128_store32_lane(output[0] + column, samples, 0);
  wasm_v128_store32_lane(output[1] + column, samples, 1);
  wasm_v128_store32_lane(output[2] + column, samples, 2);
  wasm_v128_store32_lane(output[3] + column, samples, 3);
}

GLOBAL(int) jsimd_can_idct_2x2(void) { return 1; }

static inline int wrapped(unsigned value) { return (int)value; }
static inline int saturated(int value) { return value > 32767 ? 32767 : value < -32768 ? -32768 : value; }

/* Columns 0, 1, 3, 5 and 7 in 32 bits; of the first one's two results, only pass 2 sees what is beyond 16 bits. */
GLOBAL(void)
jsimd_idct_2x2(j_decompress_ptr cinfo, jpeg_component_info *component, JCOEFPTR block, JSAMPARRAY output, JDIMENSION column) {
  static const int factors[8] = {0, 29692, 0, -10426, 0, 6967, 0, -5906};
  const short *table = component->dct_table;
  int upper[8], lower[8];
  for (int x = 0; x < 8; x += x == 0 ? 1 : 2) {
    unsigned even = (unsigned)(short)(block[x] * table[x]) << 15, odd = 0;
    for (int y = 1; y < 8; y += 2) odd += (unsigned)((short)(block[8 * y + x] * table[8 * y + x]) * factors[y]);
    upper[x] = wrapped(even + odd + (1 << 12)) >> 13;
    lower[x] = wrapped(even - odd + (1 << 12)) >> 13;
  }
  for (int y = 0; y < 2; y++) {
    const int *in = y == 0 ? upper : lower;
    unsigned even = (unsigned)in[0] << 15, odd = 0;
    for (int x = 1; x < 8; x += 2) odd += (unsigned)(saturated(in[x]) * factors[x]);
    int results[2] = {wrapped(even + odd + (1 << 19)) >> 20, wrapped(even - odd + (1 << 19)) >> 20};
    for (int x = 0; x < 2; x++)
      output[y][column + x] = (results[x] > 127 ? 127 : results[x] < -128 ? -128 : results[x]) + CENTERJSAMPLE;
  }
}
