"""Every network of keras.applications, small images, random weights.

Weights as Keras draws them let activations vanish, and then any two images get the same answer: biases and factors are drawn too, and
batch normalization gets the statistics of some images, with one variance for a layer, since a random network is chaotic where channels
that hardly vary are blown up. A model is refused whose answers to different images are alike, or differ by a rounding of its input."""

import keras
import numpy as np

from model import Model, NotComparable, random

CLASSES = 10
BATCH = 3


def images(name, count, size):
    """Coarse random patterns in colors of 0 to 255, with fine noise."""
    draw = random(name)
    coarse = draw.uniform(0, 255, [count, 4, 4, 3]) * draw.uniform(0.2, 1, [count, 1, 1, 3])
    step = -(-size // 4)
    smooth = coarse.repeat(step, 1).repeat(step, 2)[:, :size, :size]
    return np.clip(smooth + draw.normal(0, 20, smooth.shape), 0, 255).astype("float32")


def all_layers(model):
    for layer in model.layers:
        yield layer
        if isinstance(layer, keras.Model):
            yield from all_layers(layer)


def prepared(network, pixels):
    """Some networks want pixels of 0 to 255, and the others of -1 to 1."""
    inside = (keras.layers.Rescaling, keras.layers.Normalization)
    return pixels if any(isinstance(layer, inside) for layer in all_layers(network)) else pixels / 127.5 - 1


def enliven(network, name, size, most):
    """Weights under which the answer depends on the image; factors up to `most`."""
    draw = random(f"weights of {name}, up to {most}")
    normalized = [layer for layer in all_layers(network) if isinstance(layer, keras.layers.BatchNormalization)]
    for variable in network.trainable_variables:
        shape, kind = variable.shape, variable.path.split("/")[-1]
        if kind in ("gamma", "scale"):  # ConvNeXt's starts at a millionth
            variable.assign(draw.uniform(most / 2, most, shape))
        elif kind in ("bias", "beta"):
            variable.assign(draw.normal(0, 0.1, shape))
        elif kind == "kernel" and not normalized:
            variable.assign(variable * np.sqrt(2))
    for layer in normalized:
        layer.momentum = 0.0
    if normalized:
        network(prepared(network, images(f"statistics of {name}", 8, size)), training=True)
    for layer in normalized:
        layer.moving_variance.assign(np.maximum(layer.moving_variance, np.mean(layer.moving_variance)))


def lively(network, name, size, inputs, rounding=1e-6):
    """Weights under which the network's answers tell these inputs apart; gives the tolerance by which that isn't lost."""
    for most in (1.0, 0.8, 0.6, 0.45, 0.3):
        enliven(network, name, size, most)
        answers, rounded = (network(pixels, training=False).numpy() for pixels in (inputs, inputs * np.float32(1 + rounding)))
        largest = np.abs(answers).max()
        spread, chaos = np.ptp(answers, axis=0).max() / largest, np.abs(answers - rounded).max() / largest
        tolerance = float(min(100 * rounding, spread / 50))
        if spread > 1e-3 and chaos < tolerance:
            return tolerance
    raise NotComparable(f"no weights under which its answers depend on images (by {spread}) and not on roundings ({chaos})")


def built(name, size, **options):
    return getattr(keras.applications, name)(weights=None, input_shape=(size, size, 3), classes=CLASSES, classifier_activation=None, **options)


def application(name, size, large=False, drawn=False, **options):
    def save(folder):
        network = built(name, size, **options)
        inputs = prepared(network, images(name, BATCH, size))
        model.tolerance = lively(network, name, size, inputs)
        network.export(str(folder), format="tf_saved_model", verbose=False)
        keras.backend.clear_session()
        return [inputs]

    model = Model(save, large=large, drawn=drawn)
    return model


#: Name → size of its images; the least that the network takes, or a little more.
SIZES = {
    "ConvNeXtTiny": 32,
    "DenseNet121": 32,
    "EfficientNetB0": 32,
    "EfficientNetV2B0": 32,
    "InceptionResNetV2": 75,
    "InceptionV3": 75,
    "MobileNet": 32,
    "MobileNetV2": 32,
    "MobileNetV3Large": 32,
    "MobileNetV3Small": 32,
    "NASNetMobile": 32,
    "ResNet50": 32,
    "ResNet50V2": 32,
    "VGG16": 32,
    "Xception": 71,
}
#: Left out unless they are asked for: more of the same blocks as above, or a minute and gigabytes for each.
LARGE = {
    "DenseNet169": 32,
    "DenseNet201": 32,
    "EfficientNetB1": 32,
    "EfficientNetB2": 32,
    "EfficientNetB3": 32,
    "EfficientNetB4": 32,
    "EfficientNetV2B1": 32,
    "EfficientNetV2B2": 32,
    "EfficientNetV2B3": 32,
    "EfficientNetV2S": 32,
    "ResNet101": 32,
    "ResNet152": 32,
    "ResNet101V2": 32,
    "ResNet152V2": 32,
    "VGG19": 32,
    "ConvNeXtSmall": 32,
    "ConvNeXtBase": 32,
    "ConvNeXtLarge": 32,
    "ConvNeXtXLarge": 32,
    "EfficientNetB5": 32,
    "EfficientNetB6": 32,
    "EfficientNetB7": 32,
    "EfficientNetV2M": 32,
    "EfficientNetV2L": 32,
    "NASNetLarge": 32,
}

MODELS = {
    **{name: application(name, size, drawn=True) for name, size in SIZES.items()},
    **{name: application(name, size, large=True) for name, size in LARGE.items()},
}
