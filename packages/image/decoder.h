/* What the decoders that are compiled to WebAssembly have in common; web-assembly-decoder.ts is their other half. */
#include <stdint.h>

/*
 * Throws in JavaScript, and never returns: the memory of this instance is given up with it. The message is that of the error, with %d,
 * %u or %x where the numbers belong.
 */
__attribute__((import_module("host"), import_name("fail"))) _Noreturn void host_fail(const char *message, int first, int second);

#define TOO_MANY_PIXELS "%dx%d pixels are too many"
#define NO_MEMORY "no memory for %dx%d pixels"

/* What a decoder leaves for JavaScript, which frees the pixels: frames, and rows of each from top to bottom. */
typedef struct {
  int frames, width, height, channels;
  unsigned char *pixels;
} Image;
