/* One function for JavaScript: RGB pixels become a baseline JPEG, with Huffman codes made for it. */
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include "decoder.h"
#include "jpeglib.h"

static void error_exit(j_common_ptr cinfo) { host_fail("error %d", cinfo->err->msg_code, 0); }
static void say_nothing(j_common_ptr cinfo) {}

/* libjpeg's own would bring the texts of all errors, and print them. */
GLOBAL(struct jpeg_error_mgr *) jpeg_std_error(struct jpeg_error_mgr *err) {
  memset(err, 0, sizeof(*err));
  err->error_exit = error_exit;
  err->output_message = say_nothing;
  err->reset_error_mgr = say_nothing;
  return err;
}

__attribute__((export_name("encode"))) unsigned long encode(JSAMPLE *pixels, int width, int height, int quality, unsigned char **file) {
  struct jpeg_compress_struct cinfo;
  struct jpeg_error_mgr errors;
  unsigned long length = 0;
  *file = NULL;
  cinfo.err = jpeg_std_error(&errors);
  jpeg_create_compress(&cinfo);
  jpeg_mem_dest(&cinfo, file, &length);
  cinfo.image_width = width;
  cinfo.image_height = height;
  cinfo.input_components = 3;
  cinfo.in_color_space = JCS_RGB;
  jpeg_set_defaults(&cinfo);
  jpeg_set_quality(&cinfo, quality, TRUE);
  cinfo.optimize_coding = TRUE;
  jpeg_start_compress(&cinfo, TRUE);
  while (cinfo.next_scanline < cinfo.image_height) {
    JSAMPLE *row = pixels + (size_t)cinfo.next_scanline * width * 3;
    jpeg_write_scanlines(&cinfo, &row, 1);
  }
  jpeg_finish_compress(&cinfo);
  jpeg_destroy_compress(&cinfo);
  return length;
}
