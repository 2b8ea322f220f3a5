"""Random encoded images: of each format, from each encoder that is installed."""

import io
import pathlib
import shutil
import subprocess
import zlib

import numpy as np
import tensorflow as tf
from PIL import Image

SIDES = [1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 23, 31, 32, 33, 47, 48, 64, 65, 97]
PHOTOS = sorted((pathlib.Path(__file__).parents[4] / "examples").glob("*/images/*.png"))[::40]


class Draw:
    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def one(self, *choices):
        return choices[int(self.random.integers(len(choices)))]

    def integer(self, least, most):
        return int(self.random.integers(least, most + 1))

    def chance(self, share):
        return bool(self.random.random() < share)

    def picture(self, height=None, width=None):
        """[height, width, 3]: noise, ramps, a smooth pattern with grain, a photograph, or black and white."""
        h, w = height or self.one(*SIDES), width or self.one(*SIDES)
        kind = self.integer(0, 4)
        if kind == 0:
            return self.random.integers(0, 256, (h, w, 3), dtype=np.uint8)
        if kind == 1:
            y, x = np.mgrid[:h, :w]
            return (np.stack([x * 19, y * 27, x * y * 2], -1) % 256).astype(np.uint8)
        if kind == 2:
            return (self.random.integers(0, 2, (h, w, 1)) * [255, 255, 255]).astype(np.uint8)
        if kind == 3 and PHOTOS:
            photo = Image.open(self.one(*PHOTOS)).convert("RGB")
            return np.asarray(photo.resize((w, h), Image.BICUBIC))
        coarse = self.random.integers(0, 256, (h // 6 + 1, w // 6 + 1, 3)).astype(np.uint8)
        smooth = np.asarray(Image.fromarray(coarse).resize((w, h), Image.BICUBIC)).astype(int)
        return np.clip(smooth + self.random.integers(-9, 10, (h, w, 3)), 0, 255).astype(np.uint8)


def jpeg_of_pillow(draw):
    mode = draw.one("RGB", "RGB", "RGB", "L", "CMYK")
    image = Image.fromarray(draw.picture()).convert(mode)
    options = {"quality": draw.one(1, 5, 30, 50, 75, 90, 95, 100), "progressive": draw.chance(0.5), "optimize": draw.chance(0.3)}
    if mode == "RGB":
        options["subsampling"] = draw.integer(0, 2)
        options["keep_rgb"] = options["subsampling"] == 0 and draw.chance(0.1)
    if draw.chance(0.2):
        options["restart_marker_blocks"] = draw.integer(1, 5)
    if draw.chance(0.2):
        exif = Image.Exif()
        exif[0x112] = draw.integer(2, 8)
        options["exif"] = exif
    return saved(image, "JPEG", **options)


def jpeg_of_cjpeg(draw):
    pixels = draw.picture()
    command = ["cjpeg", "-quality", str(draw.integer(1, 100)), "-sample", draw.one("1x1", "2x1", "2x2", "1x2", "4x1", "1x4", "4x2", "2x2,1x1,2x1")]
    for option, share in (("-progressive", 0.35), ("-arithmetic", 0.2), ("-grayscale", 0.15), ("-rgb", 0.1), ("-optimize", 0.3), ("-baseline", 0.1)):
        command += [option] if draw.chance(share) else []
    command += ["-restart", str(draw.integer(1, 3))] if draw.chance(0.2) else []
    command += ["-dct", draw.one("fast", "int")]
    portable = b"P6\n%d %d\n255\n" % (pixels.shape[1], pixels.shape[0]) + pixels.tobytes()
    done = subprocess.run(command, input=portable, capture_output=True)
    return done.stdout if done.returncode == 0 else jpeg_of_cjpeg(draw)


def jpeg_of_tensorflow(draw):
    options = {name: draw.chance(0.5) for name in ("progressive", "chroma_downsampling", "optimize_size")}
    return tf.io.encode_jpeg(draw.picture(), quality=draw.integer(1, 100), **options).numpy()


def png(draw):
    pixels = draw.picture()
    mode = draw.one("RGB", "L", "RGBA", "LA", "P", "1", "16", "16", "16A")
    options = {}
    if mode.startswith("16"):
        channels = draw.one(1, 3) if mode == "16" else draw.one(2, 4)
        wide = draw.random.integers(0, 2**16, (*pixels.shape[:2], channels)).astype(np.uint16)
        return tf.io.encode_png(wide).numpy()
    image = Image.fromarray(pixels)
    if mode == "P":
        image = image.quantize(draw.one(2, 4, 16, 200))
        options |= {"transparency": 1} if draw.chance(0.5) else {}
    elif mode in ("RGBA", "LA"):
        image = Image.fromarray(np.dstack([pixels, pixels[..., 0]])).convert(mode)
    else:
        image = image.convert(mode)
        if mode == "RGB" and draw.chance(0.3):
            options["transparency"] = tuple(int(x) for x in pixels[0, 0])
        elif mode == "L" and draw.chance(0.3):
            options["transparency"] = int(np.asarray(image)[0, 0])
    data = saved(image, "PNG", **options)
    if draw.chance(0.3):
        data = with_chunk(data, b"gAMA", draw.one(45455, 100000, 60000, 98000, 5).to_bytes(4, "big"))
    return with_chunk(data, b"sRGB", bytes([draw.one(0, 1, 7)])) if draw.chance(0.3) else data


def with_chunk(data, name, content):
    """The PNG with a chunk behind its header."""
    chunk = len(content).to_bytes(4, "big") + name + content + zlib.crc32(name + content).to_bytes(4, "big")
    return data[:33] + chunk + data[33:]


def gif(draw):
    height, width = draw.one(*SIDES), draw.one(*SIDES)
    frames = [Image.fromarray(draw.picture(height, width)) for _ in range(draw.one(1, 1, 2, 4))]
    if draw.chance(0.5) and len(frames) > 1:
        # Frames that differ in a corner only are stored as that corner.
        frames = [frames[0]] + [changed_corner(draw, frames[0]) for _ in frames[1:]]
    if draw.chance(0.4):
        frames = [transparent(draw, frame) for frame in frames]
    else:
        frames = [frame.quantize(draw.one(2, 5, 64, 256)) for frame in frames]
    options = {"interlace": draw.integer(0, 1), "optimize": draw.chance(0.5)}
    if len(frames) > 1:
        options |= {"save_all": True, "append_images": frames[1:], "disposal": draw.integer(0, 3), "duration": 40}
    return saved(frames[0], "GIF", **options)


def changed_corner(draw, image):
    copy = image.copy()
    copy.paste(Image.fromarray(draw.picture(3, 4)), (0, 0) if draw.chance(0.5) else (image.width // 2, image.height // 2))
    return copy


def transparent(draw, image):
    alpha = Image.fromarray((draw.random.integers(0, 2, (image.height, image.width)) * 255).astype(np.uint8))
    image = image.copy()
    image.putalpha(alpha)
    return image


def bmp(draw):
    mode = draw.one("RGB", "RGB", "L", "RGBA", "1", "P")
    data = bytearray(saved(Image.fromarray(draw.picture()).convert(mode), "BMP"))
    if draw.chance(0.3):
        # Rows from top to bottom.
        height = int.from_bytes(data[22:26], "little", signed=True)
        data[22:26] = (-height).to_bytes(4, "little", signed=True)
    return bytes(data)


def webp(draw):
    height, width = draw.one(*SIDES), draw.one(*SIDES)
    frames = [Image.fromarray(draw.picture(height, width)) for _ in range(draw.one(1, 1, 1, 3))]
    if draw.chance(0.4):
        frames = [transparent(draw, frame) for frame in frames]
    options = {"lossless": draw.chance(0.4), "quality": draw.integer(0, 100), "method": draw.integer(0, 6)}
    if len(frames) > 1:
        options |= {"save_all": True, "append_images": frames[1:], "duration": 30, "allow_mixed": draw.chance(0.5)}
    return saved(frames[0], "WEBP", **options)


def saved(image, format, **options):
    buffer = io.BytesIO()
    image.save(buffer, format, **options)
    return buffer.getvalue()


def cut(draw, data):
    return data[: draw.integer(4, len(data))]


def damaged(draw, data):
    """With a byte changed, or a few."""
    data = bytearray(data)
    for _ in range(draw.one(1, 1, 1, 3)):
        data[draw.integer(3, len(data) - 1)] = draw.integer(0, 255)
    return bytes(data)


JPEG_ENCODERS = {"pillow": jpeg_of_pillow, "tensorflow": jpeg_of_tensorflow} | ({"cjpeg": jpeg_of_cjpeg} if shutil.which("cjpeg") else {})
FORMATS = {"png": png, "gif": gif, "bmp": bmp, "webp": webp}
