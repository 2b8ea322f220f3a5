/* libjpeg-turbo's build settings, which its own build writes by CMake. */
#define JPEG_LIB_VERSION 62
#define LIBJPEG_TURBO_VERSION 2.1.5
#define LIBJPEG_TURBO_VERSION_NUMBER 2001005
#define D_ARITH_CODING_SUPPORTED 1
#define BITS_IN_JSAMPLE 8
/* Quantization tables of 16 bits, and the transforms of idct.c. */
#define WITH_SIMD 1
