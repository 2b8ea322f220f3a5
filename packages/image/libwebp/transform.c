/*
 * VP8's inverse transform as libwebp computes it with the vector instructions of an x86 processor, which is where TensorFlow's images are
 * decoded: coefficients of damaged files wrap at 16 bits there, and not in libwebp's C. The arithmetic is that of src/dsp/dec_sse2.c.
 */
#include <string.h>
#include <wasm_simd128.h>
#include "src/dsp/dsp.h"

#define add wasm_i16x8_add
#define sub wasm_i16x8_sub

/* pmulhw: the upper halves of the products. */
static inline v128_t times(v128_t a, int constant) {
  v128_t b = wasm_i16x8_splat(constant);
  return wasm_i16x8_shuffle(wasm_i32x4_extmul_low_i16x8(a, b), wasm_i32x4_extmul_high_i16x8(a, b), 1, 3, 5, 7, 9, 11, 13, 15);
}

/* Rows 0 and 1 in `upper`, 2 and 3 in `lower`, become columns. */
static inline void transpose(v128_t *upper, v128_t *lower) {
  v128_t first = wasm_i16x8_shuffle(*upper, *lower, 0, 4, 8, 12, 1, 5, 9, 13);
  *lower = wasm_i16x8_shuffle(*upper, *lower, 2, 6, 10, 14, 3, 7, 11, 15);
  *upper = first;
}

/* Four columns. The factors are sqrt(2) * cos(pi / 8) - 1 and sqrt(2) * sin(pi / 8) - 1, of 16 bits. */
static inline void pass(v128_t *upper, v128_t *lower, int rounding) {
  v128_t in0 = add(*upper, wasm_i16x8_make(rounding, rounding, rounding, rounding, 0, 0, 0, 0));
  v128_t in1 = wasm_i64x2_shuffle(*upper, *upper, 1, 0), in2 = *lower, in3 = wasm_i64x2_shuffle(*lower, *lower, 1, 0);
  v128_t a = add(in0, in2), b = sub(in0, in2);
  v128_t c = add(sub(in1, in3), sub(times(in1, -30068), times(in3, 20091)));
  v128_t d = add(add(in1, in3), add(times(in1, 20091), times(in3, -30068)));
  *upper = wasm_i64x2_shuffle(add(a, d), add(b, c), 0, 2);
  *lower = wasm_i64x2_shuffle(sub(b, c), sub(a, d), 0, 2);
}

static void transform_block(const int16_t *in, uint8_t *target) {
  v128_t upper = wasm_v128_load(in), lower = wasm_v128_load(in + 8);
  pass(&upper, &lower, 0);
  transpose(&upper, &lower);
  pass(&upper, &lower, 4);
  upper = wasm_i16x8_shr(upper, 3);
  lower = wasm_i16x8_shr(lower, 3);
  transpose(&upper, &lower);
  uint32_t rows[4];
  for (int row = 0; row < 4; row++) memcpy(rows + row, target + row * BPS, 4);
  v128_t samples = wasm_v128_load(rows);
  upper = add(upper, wasm_u16x8_extend_low_u8x16(samples));
  lower = add(lower, wasm_u16x8_extend_high_u8x16(samples));
  wasm_v128_store(rows, wasm_u8x16_narrow_i16x8(upper, lower));
  for (int row = 0; row < 4; row++) memcpy(target + row * BPS, rows + row, 4);
}

static void transform(const int16_t *in, uint8_t *target, int do_two) {
  transform_block(in, target);
  if (do_two) transform_block(in + 16, target + 4);
}

void use_transform_of_x86(void) {
  VP8DspInit();
  VP8Transform = transform;
}
