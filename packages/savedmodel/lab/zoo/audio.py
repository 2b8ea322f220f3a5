"""Models that hear: waves to spectrograms, as TensorFlow's tutorials and people write them."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers

from model import keras_model, random
from vision import given, served


def waves(count, length):
    draw = random(f"waves {count} {length}")
    times = np.arange(length) / 16000
    tones = draw.uniform(100, 4000, [count, 3, 1])
    return (np.sin(2 * np.pi * tones * times).mean(1) + draw.normal(0, 0.05, [count, length])).astype("float32")


def classifier(shape):
    return keras.Sequential([keras.Input(shape), layers.Resizing(24, 24), layers.Conv2D(6, 3, activation="relu"), layers.GlobalMaxPooling2D(), layers.Dense(4)])


def spectrogram():
    """As in the tutorial on simple audio recognition."""
    network = classifier([None, None, 1])

    def classify(wave):
        z = tf.signal.stft(wave, frame_length=255, frame_step=128)
        image = tf.abs(z)[..., tf.newaxis]
        scores = network(image)
        return {"scores": scores, "class": tf.argmax(scores, -1), "spectrogram": image}

    return classify, given(([None, 4000], tf.float32)), [network]


def mel():
    network = classifier([None, None, 1])

    def classify(wave):
        z = tf.signal.stft(wave, 400, 160, 512, pad_end=True)
        power = tf.square(tf.abs(z))
        weights = tf.signal.linear_to_mel_weight_matrix(40, z.shape[-1], 16000, 80.0, 7600.0)
        logs = tf.math.log(tf.tensordot(power, weights, 1) + 1e-6)
        coefficients = tf.signal.mfccs_from_log_mel_spectrograms(logs)[..., :13]
        return {"logs": logs, "coefficients": coefficients, "scores": network(logs[..., tf.newaxis])}

    return classify, given(([None, None], tf.float32)), [network]


def reconstruction():
    def filtered(wave):
        z = tf.signal.stft(wave, 256, 64)
        quiet = tf.cast(tf.abs(z) > 0.5, tf.float32)
        clean = z * tf.cast(quiet, tf.complex64)
        phase = tf.math.angle(clean + tf.complex(1.0, 0.5))
        back = tf.signal.inverse_stft(clean, 256, 64, window_fn=tf.signal.inverse_stft_window_fn(64))
        return {"wave": back, "phase": phase}

    return filtered, given(([None, 2048], tf.float32)), []


class Mel(layers.Layer):
    def call(self, x):
        real, imaginary = keras.ops.stft(x, 256, 128, 256)
        return keras.ops.sqrt(keras.ops.square(real) + keras.ops.square(imaginary))


def of_keras():
    wave = keras.Input([4000])
    return keras.Model(wave, {"stft": Mel()(wave), "mel": layers.MelSpectrogram(fft_length=512, sequence_stride=160, sampling_rate=16000, num_mel_bins=32)(wave)})


def raw_waves():
    """Convolutions over the wave itself, as in M5 and WaveNet."""
    x = wave = keras.Input([4000, 1])
    x = layers.Conv1D(8, 80, strides=4, activation="relu")(x)
    x = layers.MaxPooling1D(4)(layers.BatchNormalization()(x))
    for rate in (1, 2, 4):
        y = layers.Conv1D(8, 3, padding="causal", dilation_rate=rate)(x)
        x = x + layers.Conv1D(8, 1)(keras.ops.tanh(y) * keras.ops.sigmoid(y))
    x = layers.Conv1DTranspose(4, 4, strides=2)(layers.SeparableConv1D(8, 3)(x))
    return keras.Model(wave, layers.Dense(3)(layers.GlobalAveragePooling1D()(layers.UpSampling1D(2)(x))))


def spectral_layers():
    """Mixes tokens by a Fourier transform, as FNet does in one dimension."""

    def mixed(x):
        z = tf.signal.fft(tf.cast(x, tf.complex64))
        y = tf.math.real(tf.signal.ifft(z * tf.math.conj(z)))
        return {"mixed": tf.math.real(z), "autocorrelation": y, "cosines": tf.signal.dct(x), "back": tf.signal.irfft(tf.signal.rfft(x))}

    return mixed, given(([None, 30], tf.float32)), []


MODELS = {
    "spectrogram": served(spectrogram, waves(2, 4000)),
    "mel spectrogram, MFCC": served(mel, waves(2, 3000)),
    "inverse spectrogram": served(reconstruction, waves(2, 2048)),
    "spectrograms of Keras": keras_model(of_keras, waves(2, 4000)),
    "convolutions over waves": keras_model(raw_waves, waves(2, 4000)[..., None]),
    "Fourier mixing": served(spectral_layers, waves(3, 30)),
}
