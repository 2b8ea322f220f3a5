#define BUILD ""
#define INLINE __inline__ __attribute__((always_inline))
#define THREAD_LOCAL
#define PACKAGE_NAME "libjpeg-turbo"
#define VERSION "2.1.5"
#define SIZEOF_SIZE_T 4
#define HAVE_BUILTIN_CTZL
#define FALLTHROUGH __attribute__((fallthrough));
/* The Huffman decoder of 64-bit machines for 32-bit addresses: how far it reads ahead decides where a cut-off file ends. */
#define __x86_64__ 1
#define __ILP32__ 1
