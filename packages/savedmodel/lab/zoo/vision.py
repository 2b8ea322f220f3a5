"""Models that see, as people write them: functional, subclassed, with preprocessing and augmentation layers, with a signature of their
own that takes files, bytes in base64 or pixels of 8 bits."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers

from model import Model, keras_model, random


def pixels(*shape, dtype="float32"):
    return np.clip(random(f"pixels {shape}").normal(120, 60, shape), 0, 255).astype(dtype)


def numbers(*shape):
    return random(f"numbers {shape}").normal(size=shape).astype("float32")


def served(build, *arrays, tolerance=1e-4):
    """`build` gives a function of tensors, the specification of its inputs, and the networks and variables that it uses."""

    def save(folder):
        function, signature, parts = build()
        archive = keras.export.ExportArchive()
        for part in parts:
            archive.track(part)
        archive.add_endpoint("serving_default", function, signature)
        archive.write_out(str(folder), verbose=False)
        keras.backend.clear_session()
        return arrays[0] if isinstance(arrays[0], dict) else list(arrays)

    return Model(save, tolerance)


def given(*specs):
    return [tf.TensorSpec(shape, dtype) for shape, dtype in specs]


def backbone(size, classes=4, channels=3):
    return keras.Sequential(
        [
            keras.Input([size, size, channels]),
            layers.Conv2D(8, 3, strides=2, activation="relu", padding="same"),
            layers.SeparableConv2D(12, 3, activation="gelu"),
            layers.GlobalAveragePooling2D(),
            layers.Dense(classes),
        ]
    )


def u_net():
    given = keras.Input([32, 32, 3])
    x, kept = given, []
    for width in (4, 8, 16):
        x = layers.Conv2D(width, 3, padding="same", activation="relu")(x)
        x = layers.BatchNormalization()(x)
        kept.append(x)
        x = layers.MaxPooling2D()(x)
    for width, skip in zip((16, 8, 4), reversed(kept)):
        x = layers.Conv2DTranspose(width, 2, strides=2, padding="same")(x)
        x = layers.Concatenate()([x, skip])
        x = layers.Conv2D(width, 3, padding="same", activation="relu")(x)
    return keras.Model(given, layers.Conv2D(2, 1, activation="softmax")(x))


def autoencoder():
    given = keras.Input([28, 28, 1])
    x = layers.Conv2D(8, 3, strides=2, padding="same", activation="elu")(given)
    code = layers.Dense(6, name="code")(layers.Flatten()(x))
    x = layers.Reshape([7, 7, 4])(layers.Dense(196, "relu")(code))
    x = layers.UpSampling2D(2, interpolation="bilinear")(x)
    x = layers.Conv2DTranspose(4, 3, strides=2, padding="same", activation="relu")(x)
    x = layers.UpSampling2D(2)(x)
    x = layers.Cropping2D(((14, 14), (13, 15)))(x)
    return keras.Model(given, {"code": code, "image": layers.Conv2D(1, 3, padding="same", activation="sigmoid")(x)})


class Sampling(layers.Layer):
    def call(self, inputs):
        mean, log_variance = inputs
        return mean + keras.ops.exp(0.5 * log_variance) * 0.1


def variational():
    given = keras.Input([12, 12, 1])
    x = layers.Dense(16, "softplus")(layers.Flatten()(given))
    mean, variance = layers.Dense(3)(x), layers.Dense(3)(x)
    z = Sampling()([mean, variance])
    return keras.Model(given, [mean, variance, layers.Dense(144, "sigmoid")(z)])


class Patches(layers.Layer):
    def call(self, images):
        patches = keras.ops.image.extract_patches(images, 4)
        batch, rows, columns, size = keras.ops.shape(patches)
        return keras.ops.reshape(patches, [batch, rows * columns, size])


class Places(layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.width = width

    def build(self, shape):
        self.token = self.add_weight(shape=[1, 1, self.width], initializer="normal")
        self.places = self.add_weight(shape=[1, shape[1] + 1, self.width], initializer="normal")

    def call(self, x):
        token = keras.ops.tile(self.token, [keras.ops.shape(x)[0], 1, 1])
        return keras.ops.concatenate([token, x], 1) + self.places


def vision_transformer():
    given = keras.Input([16, 16, 3])
    x = Places(12)(layers.Dense(12)(Patches()(given)))
    for _ in range(2):
        y = layers.LayerNormalization(epsilon=1e-6)(x)
        x = x + layers.MultiHeadAttention(3, 4)(y, y)
        y = layers.LayerNormalization(epsilon=1e-6)(x)
        x = x + layers.Dense(12)(layers.Dense(24, "gelu")(y))
    return keras.Model(given, layers.Dense(5)(x[:, 0]))


class SqueezeExcite(layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.down, self.up = layers.Dense(2, "swish"), layers.Dense(width, "hard_sigmoid")

    def call(self, x):
        pooled = keras.ops.mean(x, [1, 2], keepdims=True)
        return x * self.up(self.down(pooled))


class Subclassed(keras.Model):
    def __init__(self):
        super().__init__()
        self.stem = layers.Conv2D(8, 3, padding="same", use_bias=False)
        self.deep = layers.DepthwiseConv2D(5, dilation_rate=2, padding="same", depth_multiplier=2)
        self.wide = layers.Conv2D(8, 3, dilation_rate=3, padding="same")
        self.grouped = layers.Conv2D(8, 1, groups=4)
        self.norms = [layers.GroupNormalization(4), layers.LayerNormalization(axis=[1, 2, 3]), layers.UnitNormalization()]
        self.squeeze = SqueezeExcite(8)
        self.head = layers.Dense(3)

    def call(self, x):
        x = self.norms[0](self.stem(x))
        x = self.grouped(keras.activations.mish(self.deep(x)))
        x = self.squeeze(x) + self.wide(x)
        x = self.norms[1](keras.activations.hard_swish(x))
        return self.head(self.norms[2](keras.ops.max(x, [1, 2])))


def subclassed():
    model = Subclassed()
    model(np.zeros([1, 15, 15, 3], "float32"))
    return model


def siamese():
    left, right = keras.Input([20, 20, 1], name="left"), keras.Input([20, 20, 1], name="right")
    twin = keras.Sequential([keras.Input([20, 20, 1]), layers.Conv2D(6, 5, activation="relu"), layers.AveragePooling2D(3, 2, "same"), layers.Flatten(), layers.Dense(8)])
    a, b = twin(left), twin(right)
    cosine = layers.Dot(-1, normalize=True)([a, b])
    distance = keras.ops.sqrt(keras.ops.maximum(keras.ops.sum(keras.ops.square(a - b), -1, keepdims=True), 1e-7))
    return keras.Model([left, right], {"cosine": cosine, "distance": distance, "same": layers.Dense(1, "sigmoid")(keras.ops.abs(a - b))})


class Activations(layers.Layer):
    names = "celu elu exponential gelu glu hard_shrink hard_sigmoid hard_silu hard_tanh leaky_relu log_sigmoid log_softmax mish relu6 selu silu soft_shrink softplus softsign sparse_plus squareplus tanh_shrink"

    def call(self, x):
        outputs = {name: getattr(keras.activations, name)(x) for name in self.names.split()}
        return {**outputs, "threshold": keras.activations.threshold(x, 0.1, 2.0), "sparsemax": keras.activations.sparsemax(keras.ops.reshape(x, [-1, 162]))}


def activations():
    given = keras.Input([9, 9, 2])
    return keras.Model(given, {**Activations()(given), "prelu": layers.PReLU(shared_axes=[1, 2])(given)})


def pyramid():
    """Anchors, boxes and classes of three sizes, as a detector's head gives them."""
    given = keras.Input([64, 64, 3])
    levels, x = [], given
    for width in (8, 12, 16, 20):
        x = layers.Conv2D(width, 3, strides=2, padding="same", activation="swish")(x)
        levels.append(x)
    tops = [layers.Conv2D(8, 1)(level) for level in levels[1:]]
    for index in (1, 0):
        tops[index] = tops[index] + layers.UpSampling2D(2)(tops[index + 1])
    boxes = layers.Conv2D(4 * 3, 3, padding="same")
    classes = layers.Conv2D(5 * 3, 3, padding="same", activation="sigmoid")
    return keras.Model(
        given,
        {
            "boxes": layers.Concatenate(1)([layers.Reshape([-1, 4])(boxes(top)) for top in tops]),
            "classes": layers.Concatenate(1)([layers.Reshape([-1, 5])(classes(top)) for top in tops]),
        },
    )


def anchors(size, stride):
    centers = (np.arange(size // stride) + 0.5) * stride
    y, x = np.meshgrid(centers, centers, indexing="ij")
    return np.stack([y, x], -1).reshape(-1, 2).astype("float32")


def detector(soft, combined):
    def build():
        heads, all_anchors = pyramid(), tf.constant(np.concatenate([anchors(64, stride) for stride in (4, 8, 16)]).repeat(3, 0))

        def detect(images):
            found = heads(tf.cast(images, tf.float32) / 255.0)
            offsets, scores = found["boxes"], found["classes"]
            centers = all_anchors + offsets[..., :2] * 8.0
            sizes = tf.exp(tf.clip_by_value(offsets[..., 2:], -2.0, 2.0)) * 12.0
            boxes = tf.concat([centers - sizes / 2.0, centers + sizes / 2.0], -1) / 64.0
            if combined:
                best = tf.image.combined_non_max_suppression(boxes[:, :, None, :], scores, 10, 20, 0.5, 0.3)
                return {"boxes": best.nmsed_boxes, "scores": best.nmsed_scores, "classes": best.nmsed_classes, "valid": best.valid_detections}
            top = tf.reduce_max(scores[0], -1)
            if soft:
                chosen, lowered = tf.image.non_max_suppression_with_scores(boxes[0], top, 12, 0.6, 0.2, soft)
                return {"boxes": tf.gather(boxes[0], chosen), "scores": lowered, "classes": tf.gather(tf.argmax(scores[0], -1), chosen)}
            chosen, valid = tf.image.non_max_suppression_padded(boxes[0], top, 12, 0.5, 0.2, pad_to_max_output_size=True)
            return {"boxes": tf.gather(boxes[0], chosen), "valid": valid, "scores": tf.gather(top, chosen)}

        return detect, given(([None, 64, 64, 3], tf.uint8)), [heads]

    return build


def preprocessing():
    network = backbone(16)

    def classify(images):
        x = tf.image.convert_image_dtype(images, tf.float32)
        x = tf.image.resize(x, [20, 20], antialias=True)
        x = tf.image.central_crop(x, 0.8)
        x = tf.image.per_image_standardization(x)
        x = tf.image.adjust_brightness(x, 0.1)
        x = tf.image.flip_left_right(tf.image.rot90(x))
        return {"scores": tf.nn.softmax(network(x)), "gray": tf.image.rgb_to_grayscale(x), "yuv": tf.image.rgb_to_yuv(x)}

    return classify, given(([None, None, None, 3], tf.uint8)), [network]


def files(kind):
    """Encoded images of several sizes."""
    draw = random(f"files {kind}")
    encode = tf.io.encode_png if kind == "png" else tf.io.encode_jpeg
    return np.array([encode(draw.integers(0, 255, size).astype("uint8")).numpy() for size in ([18, 25, 3], [40, 31, 3], [20, 20, 3])], dtype=object)


def of_base64():
    network = backbone(12)

    def read(text):
        image = tf.io.decode_jpeg(tf.io.decode_base64(text), channels=3)
        image = tf.image.resize(tf.cast(image, tf.float32), [14, 14], "nearest")
        image = tf.image.crop_to_bounding_box(image, 1, 1, 12, 12)
        return (image - [123.68, 116.779, 103.939]) / [58.4, 57.1, 57.4]

    def classify(texts):
        return {"scores": network(tf.map_fn(read, texts, fn_output_signature=tf.float32))}

    return classify, given(([None], tf.string)), [network]


def quantized():
    """As quantization-aware training leaves a model: weights and activations pass through rounding."""
    kernel, dense = tf.Variable(numbers(3, 3, 3, 8) * 0.3), tf.Variable(numbers(8, 4))

    def classify(x):
        fake = tf.quantization.fake_quant_with_min_max_vars
        x = fake(x, -1.0, 1.0, 8)
        filters = tf.quantization.fake_quant_with_min_max_vars_per_channel(kernel, tf.fill([8], -1.0), tf.fill([8], 1.0), 8, True)
        x = fake(tf.nn.relu6(tf.nn.conv2d(x, filters, 2, "SAME")), 0.0, 6.0, 8)
        x = tf.reduce_mean(x, [1, 2])
        return {"scores": x @ fake(dense, -2.0, 2.0, 4)}

    return classify, given(([None, 16, 16, 3], tf.float32)), [kernel, dense]


def weights_of_8_bits():
    """Weights held in 8 bits and scaled when they are used."""
    kernel = tf.constant(random("weights of 8 bits").integers(-127, 127, [3, 3, 3, 8]).astype("int8"))
    scales = tf.constant(np.abs(numbers(8)) / 127)

    def classify(images):
        x = (tf.cast(images, tf.float32) - 128.0) / 128.0
        x = tf.nn.leaky_relu(tf.nn.conv2d(x, tf.cast(kernel, tf.float32) * scales, 1, "VALID"))
        x = tf.nn.max_pool2d(x, 2, 2, "SAME")
        return {"scores": tf.reduce_sum(x, [1, 2]), "bytes": tf.saturate_cast(tf.round(x * 40.0), tf.uint8)}

    return classify, given(([None, 12, 12, 3], tf.uint8)), []


def videos():
    given = keras.Input([6, 12, 12, 2])
    x = layers.Conv3D(4, 3, padding="same", activation="relu")(given)
    x = layers.MaxPooling3D((1, 2, 2))(x)
    x = layers.TimeDistributed(layers.Conv2D(6, 3, activation="relu"))(x)
    x = layers.TimeDistributed(layers.GlobalAveragePooling2D())(x)
    return keras.Model(given, layers.Dense(3)(layers.LSTM(5)(x)))


def spatial_transformer():
    """Reads the image where a small network tells it to, between its pixels."""
    where = backbone(16, 2, 1)

    def look(images):
        shift = tf.tanh(where(images)) * 3.0
        y, x = tf.meshgrid(tf.range(12.0), tf.range(12.0), indexing="ij")
        y, x = y[None] + shift[:, 0, None, None] + 1.5, x[None] + shift[:, 1, None, None] + 1.5
        y0, x0 = tf.floor(y), tf.floor(x)
        total = 0.0
        for dy in (0.0, 1.0):
            for dx in (0.0, 1.0):
                rows, columns = tf.cast(tf.clip_by_value(y0 + dy, 0.0, 15.0), tf.int32), tf.cast(tf.clip_by_value(x0 + dx, 0.0, 15.0), tf.int32)
                weight = (1 - tf.abs(y - y0 - dy)) * (1 - tf.abs(x - x0 - dx))
                total += weight[..., None] * tf.gather_nd(images, tf.stack([rows, columns], -1), batch_dims=1)
        return {"seen": total}

    return look, given(([None, 16, 16, 1], tf.float32)), [where]


def pixel_shuffle():
    given = keras.Input([None, None, 3])
    x = layers.Conv2D(12, 5, padding="same", activation="tanh")(given)
    x = layers.Lambda(lambda y: tf.nn.depth_to_space(y, 2), output_shape=lambda shape: (shape[0], None, None, 3))(x)
    return keras.Model(given, x)


def super_resolution():
    network = keras.Sequential([keras.Input([None, None, 3]), layers.Conv2D(12, 5, padding="same", activation="tanh")])

    def enlarge(images):
        detail = tf.nn.depth_to_space(network(images / 255.0), 2)
        plain = tf.image.resize(images, tf.shape(images)[1:3] * 2, "bicubic")
        return {"images": tf.clip_by_value(plain + 255.0 * detail, 0.0, 255.0)}

    return enlarge, given(([None, None, None, 3], tf.float32)), [network]


def style_statistics():
    network = keras.Sequential([keras.Input([None, None, 3]), layers.Conv2D(6, 3, activation="relu")])

    def describe(images):
        x = network(images / 255.0)
        mean, variance = tf.nn.moments(x, [1, 2], keepdims=True)
        y = tf.nn.batch_normalization(x, mean, variance, None, None, 1e-5)
        places = tf.cast(tf.shape(x)[1] * tf.shape(x)[2], tf.float32)
        return {"gram": tf.linalg.einsum("bijc,bijd->bcd", y, y) / places, "normal": tf.linalg.l2_normalize(tf.reshape(mean, [-1, 6]), -1)}

    return describe, given(([None, None, None, 3], tf.float32)), [network]


def test_time_augmentation():
    network = backbone(16)

    def classify(images):
        crops = [images[:, i : i + 16, j : j + 16] for i, j in ((0, 0), (0, 2), (2, 0), (2, 2), (1, 1))]
        crops += [tf.reverse(crop, [2]) for crop in crops]
        scores = tf.nn.softmax(network(tf.concat(crops, 0)))
        voted = tf.reduce_mean(tf.reshape(scores, [10, -1, 4]), 0)
        return {"scores": voted, "class": tf.argmax(voted, -1), "sure": tf.reduce_max(voted, -1) > 0.5}

    return classify, given(([None, 18, 18, 3], tf.float32)), [network]


def capsules():
    def squash(x):
        squares = tf.reduce_sum(x * x, -1, keepdims=True)
        return x * squares / (1.0 + squares) / tf.sqrt(squares + 1e-7)

    kernel, weights = tf.Variable(numbers(5, 5, 1, 16) * 0.2), tf.Variable(numbers(1, 64, 3, 6, 8) * 0.1)

    def route(images):
        x = squash(tf.reshape(tf.nn.conv2d(images, kernel, 2, "VALID"), [-1, 32, 8]))
        x = tf.concat([x, tf.reverse(x, [1])], 1)
        guesses = tf.squeeze(tf.matmul(weights, x[:, :, None, :, None]), -1)
        logits = tf.zeros(tf.shape(guesses)[:3])
        for _ in range(3):
            share = tf.nn.softmax(logits, 2)
            out = squash(tf.reduce_sum(share[..., None] * guesses, 1, keepdims=True))
            logits += tf.reduce_sum(guesses * out, -1)
        return {"lengths": tf.norm(tf.squeeze(out, 1), axis=-1)}

    return route, given(([None, 12, 12, 1], tf.float32)), [kernel, weights]


MODELS = {
    "U-Net": keras_model(u_net, numbers(2, 32, 32, 3)),
    "autoencoder": keras_model(autoencoder, numbers(2, 28, 28, 1)),
    "variational autoencoder": keras_model(variational, numbers(3, 12, 12, 1)),
    "vision transformer": keras_model(vision_transformer, numbers(3, 16, 16, 3)),
    "subclassed, many normalizations": keras_model(subclassed, numbers(2, 15, 15, 3)),
    "siamese": keras_model(siamese, {"left": numbers(3, 20, 20, 1), "right": numbers(3, 20, 20, 1)[::-1]}),
    "activations": keras_model(activations, numbers(2, 9, 9, 2)),
    "pyramid": keras_model(pyramid, numbers(2, 64, 64, 3)),
    "detector, suppression": served(detector(None, False), pixels(1, 64, 64, 3, dtype="uint8")),
    "detector, combined suppression": served(detector(None, True), pixels(2, 64, 64, 3, dtype="uint8")),
    "preprocessing": served(preprocessing, pixels(2, 31, 26, 3, dtype="uint8")),
    "JPEG in base64": served(of_base64, np.array([tf.io.encode_base64(text).numpy() for text in files("jpeg")], dtype=object)),
    "quantization-aware": served(quantized, numbers(3, 16, 16, 3)),
    "weights of 8 bits": served(weights_of_8_bits, pixels(2, 12, 12, 3, dtype="uint8")),
    "videos": keras_model(videos, numbers(2, 6, 12, 12, 2)),
    "spatial transformer": served(spatial_transformer, numbers(3, 16, 16, 1)),
    "pixel shuffle": keras_model(pixel_shuffle, numbers(2, 9, 7, 3)),
    "super-resolution": served(super_resolution, pixels(2, 9, 7, 3)),
    "statistics of style": served(style_statistics, pixels(2, 14, 11, 3)),
    "test-time augmentation": served(test_time_augmentation, numbers(3, 18, 18, 3)),
    "capsules": served(capsules, numbers(2, 12, 12, 1)),
}
