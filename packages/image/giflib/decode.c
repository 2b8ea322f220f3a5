/* One function for JavaScript: a GIF in memory becomes frames as TensorFlow composes them. */
#include <stdlib.h>
#include <string.h>
#include "decoder.h"
#include "gif_lib.h"

typedef struct {
  const unsigned char *data;
  int left;
} Source;

static int read_bytes(GifFileType *file, GifByteType *buffer, int count) {
  Source *source = file->UserData;
  if (count > source->left) count = source->left;
  memcpy(buffer, source->data, count);
  source->data += count;
  source->left -= count;
  return count;
}

static _Noreturn void fail(GifFileType *file) {
  const char *message = GifErrorString(file->Error);
  host_fail(message == NULL ? "damaged" : message, 0, 0);
}

/* The last frame's indices into its palette; an interlaced one comes in four passes. */
static int read_frame(GifFileType *file, SavedImage *frame) {
  static const int first[4] = {0, 4, 2, 1}, step[4] = {8, 8, 4, 2};
  int width = frame->ImageDesc.Width, height = frame->ImageDesc.Height;
  if (!frame->ImageDesc.Interlace) return DGifGetLine(file, frame->RasterBits, width * height);
  for (int pass = 0; pass < 4; pass++)
    for (int y = first[pass]; y < height; y += step[pass])
      if (DGifGetLine(file, frame->RasterBits + y * width, width) == GIF_ERROR) return GIF_ERROR;
  return GIF_OK;
}

static int read_extension(GifFileType *file) {
  GifByteType *bytes;
  int code;
  if (DGifGetExtension(file, &code, &bytes) == GIF_ERROR) return GIF_ERROR;
  for (; bytes != NULL; code = CONTINUE_EXT_FUNC_CODE) {
    if (GifAddExtensionBlock(&file->ExtensionBlockCount, &file->ExtensionBlocks, code, bytes[0], bytes + 1) == GIF_ERROR)
      return GIF_ERROR;
    if (DGifGetExtensionNext(file, &bytes) == GIF_ERROR) return GIF_ERROR;
  }
  return GIF_OK;
}

/*
 * Reads what DGifSlurp reads, within a limit. Where that fails between frames, TensorFlow shows those that it has; amid a frame it shows
 * memory that nothing was written to.
 */
static int read_records(GifFileType *file, int max_pixels) {
  long long pixels = 0;
  for (;;) {
    GifRecordType type;
    if (DGifGetRecordType(file, &type) == GIF_ERROR) return GIF_ERROR;
    if (type == TERMINATE_RECORD_TYPE) return GIF_OK;
    if (type == EXTENSION_RECORD_TYPE && read_extension(file) == GIF_ERROR) return GIF_ERROR;
    if (type != IMAGE_DESC_RECORD_TYPE) continue;
    if (DGifGetImageDesc(file) == GIF_ERROR) return GIF_ERROR;
    SavedImage *frame = &file->SavedImages[file->ImageCount - 1];
    int width = frame->ImageDesc.Width, height = frame->ImageDesc.Height;
    pixels += (long long)width * height;
    if (width <= 0 || height <= 0) return GIF_ERROR;
    if (pixels > max_pixels) host_fail(TOO_MANY_PIXELS, width, height);
    frame->RasterBits = malloc((size_t)width * height);
    if (frame->RasterBits == NULL) host_fail(NO_MEMORY, width, height);
    if (read_frame(file, frame) == GIF_ERROR) host_fail("damaged or cut off amid frame %d", file->ImageCount - 1, 0);
    frame->ExtensionBlocks = file->ExtensionBlocks;
    frame->ExtensionBlockCount = file->ExtensionBlockCount;
    file->ExtensionBlocks = NULL;
    file->ExtensionBlockCount = 0;
  }
}

/* A frame on top of the one before, whatever that one's disposal; the first is on top of black. */
static void draw(GifFileType *file, int index, Image *image) {
  SavedImage *frame = &file->SavedImages[index];
  GifImageDesc *place = &frame->ImageDesc;
  ColorMapObject *colors = place->ColorMap ? place->ColorMap : file->SColorMap;
  GraphicsControlBlock control;
  size_t size = (size_t)image->width * image->height * 3;
  unsigned char *canvas = image->pixels + size * index;
  if (index > 0) memcpy(canvas, canvas - size, size);
  if (colors == NULL) host_fail("frame %d has no palette", index, 0);
  DGifSavedExtensionToGCB(file, index, &control);
  for (int y = 0; y < place->Height && place->Top + y < image->height; y++) {
    const GifByteType *row = frame->RasterBits + y * place->Width;
    for (int x = 0; x < place->Width && place->Left + x < image->width; x++) {
      if (row[x] == control.TransparentColor) continue;
      if (row[x] >= colors->ColorCount) host_fail("color %d of %d", row[x], colors->ColorCount);
      const GifColorType *color = &colors->Colors[row[x]];
      unsigned char *pixel = canvas + ((size_t)(place->Top + y) * image->width + place->Left + x) * 3;
      pixel[0] = color->Red;
      pixel[1] = color->Green;
      pixel[2] = color->Blue;
    }
  }
}

/* The canvas is as large as the largest frame, whatever the header says. */
__attribute__((export_name("decode"))) void decode(const unsigned char *data, int size, int first_only, int max_pixels, Image *image) {
  Source source = {data, size};
  int error = D_GIF_SUCCEEDED;
  GifFileType *file = DGifOpen(&source, read_bytes, &error);
  if (file == NULL) host_fail(GifErrorString(error), 0, 0);
  if (read_records(file, max_pixels) == GIF_ERROR &&
      (file->ImageCount == 0 || file->SavedImages[file->ImageCount - 1].RasterBits == NULL || file->Error == D_GIF_ERR_EOF_TOO_SOON))
    fail(file);
  if (file->ImageCount == 0) host_fail("no frame", 0, 0);
  image->width = image->height = 0;
  for (int index = 0; index < file->ImageCount; index++) {
    GifImageDesc *place = &file->SavedImages[index].ImageDesc;
    if (image->width < place->Width) image->width = place->Width;
    if (image->height < place->Height) image->height = place->Height;
  }
  image->frames = first_only ? 1 : file->ImageCount;
  image->channels = 3;
  if ((long long)image->width * image->height * image->frames > max_pixels) host_fail(TOO_MANY_PIXELS, image->width, image->height);
  image->pixels = calloc((size_t)image->width * image->height * image->frames, 3);
  if (image->pixels == NULL) host_fail(NO_MEMORY, image->width, image->height);
  for (int index = 0; index < image->frames; index++) draw(file, index, image);
  DGifCloseFile(file, &error);
}
