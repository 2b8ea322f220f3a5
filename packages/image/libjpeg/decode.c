/* One function for JavaScript: a JPEG in memory becomes pixels with the settings that TensorFlow's decoders have. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include "decoder.h"
#include "jpeglib.h"

#define JVERSION ""
#define JCOPYRIGHT_SHORT ""
#define JMESSAGE(code, text) text,
static const char *const messages[] = {
#include "jerror.h"
};

typedef struct {
  struct jpeg_source_mgr pub;
  const JOCTET *data;
  size_t size;
  int recover;
  size_t read_again;
} Source;

/*
 * TensorFlow reads the last bytes of a cut-off file again, or adds end markers, until the image is full, which with some files never
 * happens. Bytes, and what a marker counts for: half a second here.
 */
#define MAX_READ_AGAIN (1 << 25)
#define MARKER_COST 64

/* Pixels that the scans of a file may go over, all together: the ten of a usual progressive file, of the largest image. */
#define MAX_SCANNED (1LL << 31)

typedef struct {
  struct jpeg_progress_mgr pub;
  long long scanned;
} Progress;

static void error_exit(j_common_ptr cinfo) {
  host_fail(messages[cinfo->err->msg_code], cinfo->err->msg_parm.i[0], cinfo->err->msg_parm.i[1]);
}
static void emit_message(j_common_ptr cinfo, int level) {
  if (level < 0) cinfo->err->num_warnings++;
}
static void say_nothing(j_common_ptr cinfo) {}
static void format_nothing(j_common_ptr cinfo, char *buffer) { buffer[0] = 0; }

/* libjpeg's own would print to the standard output. */
GLOBAL(struct jpeg_error_mgr *) jpeg_std_error(struct jpeg_error_mgr *err) {
  memset(err, 0, sizeof(*err));
  err->error_exit = error_exit;
  err->emit_message = emit_message;
  err->output_message = say_nothing;
  err->format_message = format_nothing;
  err->reset_error_mgr = say_nothing;
  return err;
}

static void init_source(j_decompress_ptr cinfo) {
  Source *source = (Source *)cinfo->src;
  source->pub.next_input_byte = source->data;
  source->pub.bytes_in_buffer = source->size;
}

static void count_again(Source *source, size_t bytes) {
  source->read_again += bytes;
  if (source->read_again > MAX_READ_AGAIN) host_fail("cut off, and never complete with the bytes that are there", 0, 0);
}

/*
 * The file is over. libjpeg keeps a position of its own while it decodes, and the source's is that of its last row of blocks: if bytes
 * are left there, they are read again, as TensorFlow does. Otherwise an end-of-image marker takes the place of what is missing.
 */
static boolean fill_input_buffer(j_decompress_ptr cinfo) {
  static const JOCTET end_of_image[2] = {0xff, JPEG_EOI};
  Source *source = (Source *)cinfo->src;
  if (source->pub.bytes_in_buffer > 0) {
    count_again(source, source->pub.bytes_in_buffer);
    return source->recover ? TRUE : FALSE;
  }
  if (!source->recover || source->pub.next_input_byte == end_of_image) host_fail("cut off", 0, 0);
  count_again(source, MARKER_COST);
  source->pub.next_input_byte = end_of_image;
  source->pub.bytes_in_buffer = 2;
  return TRUE;
}

static void skip_input_data(j_decompress_ptr cinfo, long count) {
  Source *source = (Source *)cinfo->src;
  if (count < 0) return;
  if ((size_t)count > source->pub.bytes_in_buffer) {
    source->pub.bytes_in_buffer = 0;
    fill_input_buffer(cinfo);
    return;
  }
  source->pub.next_input_byte += count;
  source->pub.bytes_in_buffer -= count;
}

static void end_source(j_decompress_ptr cinfo) {}

/* libjpeg calls it for each row of blocks of each scan, where it reads all scans before it gives out pixels. */
static void count_row(j_common_ptr common) {
  j_decompress_ptr cinfo = (j_decompress_ptr)common;
  Progress *progress = (Progress *)cinfo->progress;
  progress->scanned += (long long)cinfo->image_width * cinfo->max_v_samp_factor * DCTSIZE;
  if (progress->scanned > MAX_SCANNED) host_fail("too many scans of %dx%d pixels", cinfo->image_width, cinfo->image_height);
}

/* In Adobe's files 255 is no ink, in others 0 is. */
static void to_rgb(const JSAMPLE *cmyk, JSAMPLE *rgb, int width, int inverted) {
  for (int x = 0; x < width; x++, cmyk += 4, rgb += 3)
    for (int channel = 0; channel < 3; channel++)
      rgb[channel] = inverted ? cmyk[3] * cmyk[channel] / 255 : (255 - cmyk[3]) * (255 - cmyk[channel]) / 255;
}

__attribute__((export_name("decode"))) void decode(const JOCTET *data, size_t size, int channels, int ratio, int accurate,
                                                   int fancy, int recover, float acceptable_fraction, int max_pixels, Image *image) {
  struct jpeg_decompress_struct cinfo;
  struct jpeg_error_mgr errors;
  Source source = {{0}};
  Progress progress = {{count_row}};
  cinfo.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&cinfo);
  source.pub.init_source = init_source;
  source.pub.fill_input_buffer = fill_input_buffer;
  source.pub.skip_input_data = skip_input_data;
  source.pub.resync_to_restart = jpeg_resync_to_restart;
  source.pub.term_source = end_source;
  source.data = data;
  source.size = size;
  source.recover = recover;
  cinfo.src = &source.pub;
  cinfo.progress = &progress.pub;
  if (jpeg_read_header(&cinfo, TRUE) != JPEG_HEADER_OK) host_fail("cut off", 0, 0);

  if (channels == 0) channels = cinfo.num_components < 3 ? cinfo.num_components : 3;
  if (channels == 2) host_fail("2 channels, which TensorFlow does not decode", 0, 0);
  int cmyk = channels == 3 && (cinfo.jpeg_color_space == JCS_CMYK || cinfo.jpeg_color_space == JCS_YCCK);
  cinfo.out_color_space = channels == 1 ? JCS_GRAYSCALE : cmyk ? JCS_CMYK : JCS_RGB;
  cinfo.do_fancy_upsampling = fancy;
  cinfo.scale_num = 1;
  cinfo.scale_denom = ratio;
  cinfo.dct_method = accurate ? JDCT_ISLOW : JDCT_IFAST;
  jpeg_calc_output_dimensions(&cinfo);
  int width = cinfo.output_width, height = cinfo.output_height;
  long long pixels = (long long)width * height;
  if (pixels > max_pixels || pixels * cinfo.num_components >= 1LL << 29) host_fail(TOO_MANY_PIXELS, width, height);
  jpeg_start_decompress(&cinfo);
  cinfo.progress = NULL;

  size_t stride = (size_t)width * channels;
  image->pixels = malloc(stride * height);
  JSAMPLE *row = cmyk ? malloc((size_t)width * 4) : NULL;
  if (image->pixels == NULL || (cmyk && row == NULL)) host_fail(NO_MEMORY, width, height);
  int is_whole = 1;
  while ((int)cinfo.output_scanline < height) {
    int y = cinfo.output_scanline;
    JSAMPLE *target = image->pixels + stride * y;
    if (jpeg_read_scanlines(&cinfo, cmyk ? &row : &target, 1) == 1) {
      if (cmyk) to_rgb(row, target, width, cinfo.saw_Adobe_marker);
      continue;
    }
    /* What is missing is black, or repeats the last row that came. */
    if (!recover && (float)y / height < (acceptable_fraction < 1 ? acceptable_fraction : 1)) host_fail("cut off", 0, 0);
    is_whole = recover;
    for (; y < height; y++) {
      if (y == 0 || !recover) memset(image->pixels + stride * y, 0, stride);
      else memcpy(image->pixels + stride * y, image->pixels + stride * (y - 1), stride);
    }
    cinfo.output_scanline = height;
  }
  /* Which fails if an end-of-image marker is missing. */
  if (is_whole) jpeg_finish_decompress(&cinfo);
  jpeg_destroy_decompress(&cinfo);
  free(row);
  image->frames = 1;
  image->width = width;
  image->height = height;
  image->channels = channels;
}
