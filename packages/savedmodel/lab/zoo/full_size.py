"""A network of each kind in keras.applications at the size of ImageNet's images, as a service has it: photographs in base64, decoded, padded,
and the best classes by name. Weights are random, as in images.py."""

import keras
import numpy as np
import tensorflow as tf

from images import built, images, lively, prepared
from model import Model

#: Name → size that its published weights are for.
SIZES = {
    "ConvNeXtTiny": 224,
    "DenseNet121": 224,
    "EfficientNetB0": 224,
    "EfficientNetV2B0": 224,
    "InceptionResNetV2": 299,
    "InceptionV3": 299,
    "MobileNet": 224,
    "MobileNetV2": 224,
    "MobileNetV3Large": 224,
    "NASNetMobile": 224,
    "ResNet50": 224,
    "ResNet50V2": 224,
    "VGG16": 224,
    "Xception": 299,
}
#: Height and width of the photographs.
PHOTOGRAPHS = ((375, 500), (640, 427), (213, 320))
NAMES = [f"class {index}" for index in range(10)]


def photographs(name):
    """Files of JPEG in base64, for the web."""
    for height, width in PHOTOGRAPHS:
        pixels = images(f"{name}, {height} x {width}", 1, max(height, width))[0, :height, :width]
        yield tf.io.encode_base64(tf.io.encode_jpeg(pixels.astype("uint8"))).numpy()


def service(name, size):
    def save(folder):
        network = built(name, size)

        def read(text):
            image = tf.io.decode_jpeg(tf.io.decode_base64(text), channels=3)
            return tf.image.resize_with_pad(image, size, size)

        def classify(image):
            pixels = tf.map_fn(read, image, fn_output_signature=tf.float32)
            best = tf.math.top_k(tf.nn.softmax(network(prepared(network, pixels))), 3)
            return {"classes": tf.gather(NAMES, best.indices), "scores": best.values}

        texts = np.array(list(photographs(name)), dtype=object)
        inputs = prepared(network, np.stack([read(text).numpy() for text in texts]))
        # Pixels between pixels have float32's last bits, which decide more than a rounding of an input does.
        model.tolerance = lively(network, name, size, inputs, rounding=1e-5)
        archive = keras.export.ExportArchive()
        archive.track(network)
        archive.add_endpoint("serving_default", classify, [tf.TensorSpec([None], tf.string, "image")])
        archive.write_out(str(folder), verbose=False)
        keras.backend.clear_session()
        return [texts]

    model = Model(save, large=True, weekly=True)
    return model


MODELS = {f"{name} of photographs": service(name, size) for name, size in SIZES.items()}
