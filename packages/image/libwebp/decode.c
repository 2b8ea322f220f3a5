/* One function for JavaScript: a WebP in memory becomes pixels, or the frames of an animation. */
#include <stdlib.h>
#include <string.h>
#include "decoder.h"
#include "src/webp/decode.h"
#include "src/webp/demux.h"

void use_transform_of_x86(void);

static void decode_still(const uint8_t *data, size_t size, Image *image) {
  size_t stride = (size_t)image->width * image->channels, length = stride * image->height;
  uint8_t *done = image->channels == 4 ? WebPDecodeRGBAInto(data, size, image->pixels, length, stride)
                                       : WebPDecodeRGBInto(data, size, image->pixels, length, stride);
  if (done == NULL) host_fail("damaged or cut off", 0, 0);
}

static void decode_frames(WebPAnimDecoder *decoder, Image *image) {
  size_t length = (size_t)image->width * image->height * 4;
  for (int frame = 0; frame < image->frames; frame++) {
    uint8_t *canvas;
    int milliseconds;
    if (!WebPAnimDecoderGetNext(decoder, &canvas, &milliseconds)) host_fail("frame %d is damaged or cut off", frame, 0);
    memcpy(image->pixels + length * frame, canvas, length);
  }
  if (!image->frames) host_fail("no frame", 0, 0);
}

static void allocate(Image *image, int max_pixels) {
  long long pixels = (long long)image->width * image->height * (image->frames > 0 ? image->frames : 1);
  if (pixels > max_pixels) host_fail(TOO_MANY_PIXELS, image->width, image->height);
  image->pixels = malloc((size_t)pixels * image->channels);
  if (image->pixels == NULL) host_fail(NO_MEMORY, image->width, image->height);
}

/* `channels` is 0 for what the file has, which a still image must have otherwise. `frames` of the result is 0 for a still image. */
__attribute__((export_name("decode"))) void decode(const uint8_t *data, size_t size, int channels, int first_only, int max_pixels,
                                                   Image *image) {
  WebPBitstreamFeatures features;
  use_transform_of_x86();
  if (WebPGetFeatures(data, size, &features) != VP8_STATUS_OK) host_fail("damaged header", 0, 0);
  image->channels = features.has_alpha ? 4 : 3;
  if (channels != 0 && channels != image->channels) host_fail("%d channels instead of %d", image->channels, channels);
  image->width = features.width;
  image->height = features.height;
  image->frames = 0;
  if (!features.has_animation) {
    allocate(image, max_pixels);
    decode_still(data, size, image);
    return;
  }
  /* Its frames have 4 channels, for which it makes room for 3. */
  if (!features.has_alpha) host_fail("an animation without transparency, which TensorFlow writes beyond its image", 0, 0);
  if ((long long)image->width * image->height > max_pixels) host_fail(TOO_MANY_PIXELS, image->width, image->height);
  WebPData file = {data, size};
  WebPAnimInfo info;
  WebPAnimDecoder *decoder = WebPAnimDecoderNew(&file, NULL);
  if (decoder == NULL || !WebPAnimDecoderGetInfo(decoder, &info)) host_fail("damaged animation", 0, 0);
  image->channels = 4;
  image->width = info.canvas_width;
  image->height = info.canvas_height;
  image->frames = first_only ? 1 : info.frame_count;
  allocate(image, max_pixels);
  decode_frames(decoder, image);
  WebPAnimDecoderDelete(decoder);
}
