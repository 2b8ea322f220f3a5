"""Signatures as people export them for a service: files in base64, tables by columns, texts, series of numbers, what is decided behind
the network. Those with an operation that isn't converted must be refused by its name."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers

from model import Model, random
from vision import backbone, files, given, numbers, pixels

MODELS = {}


def served(name, arrays, specs, tolerance=1e-4, refused=None):
    """A model of the function below it, which gives a function of tensors and the networks, variables and tables that it uses."""

    def add(build):
        def save(folder):
            function, *parts = build()
            # Layers are built by their first call.
            function(**arrays) if isinstance(arrays, dict) else function(*arrays)
            if any(isinstance(part, keras.layers.Layer) for part in parts):
                archive = keras.export.ExportArchive()
                for part in parts:
                    archive.track(part)
                archive.add_endpoint("serving_default", function, specs)
                archive.write_out(str(folder), verbose=False)
            else:
                module = tf.Module()
                module.parts = parts
                module.serve = tf.function(function, input_signature=specs)
                tf.saved_model.save(module, str(folder), signatures={"serving_default": module.serve})
            keras.backend.clear_session()
            return arrays

        MODELS[name] = Model(save, tolerance, weekly=True, refused=refused)
        return build

    return add


def table(**columns):
    """Columns by name: values of one row each, or of several."""
    return {name: np.asarray(values) for name, values in columns.items()}


def columns(**dtypes):
    return [tf.TensorSpec([None, 1], dtype, name) for name, dtype in dtypes.items()]


def texts(*rows):
    return [np.array(rows, dtype=object)]


draw = random("services")
PHOTOS = [files("jpeg")]
BYTES = [tf.TensorSpec([None], tf.string, "image_bytes")]
ANY_IMAGE = [tf.TensorSpec([None, None, None, 3], tf.uint8, "images")]
SENTENCES = texts("The film was great, truly GREAT!", "", "not   good\tat all", "don't know: 3 of 10", "é à ü")
TEXTS = given(([None], tf.string))
VECTORS = given(([None, 6], tf.float32))
SERIES = given(([None, 24], tf.float32))
NAMES = ["cat", "dog", "fish", "horse"]


# Images


def of_files(prepare, size=16):
    def build():
        network = backbone(size)

        def read(file):
            return prepare(tf.io.decode_jpeg(file, channels=3))

        def classify(image_bytes):
            scores = tf.nn.softmax(network(tf.map_fn(read, image_bytes, fn_output_signature=tf.float32)))
            return {"class": tf.argmax(scores, -1), "scores": scores}

        return classify, network

    return build


served("files, resized", PHOTOS, BYTES)(of_files(lambda image: tf.image.resize(image, [16, 16]) / 255.0))
served("files, of floats", PHOTOS, BYTES)(of_files(lambda image: tf.image.resize(tf.image.convert_image_dtype(image, tf.float32), [16, 16])))
served("files, as Caffe", PHOTOS, BYTES)(of_files(lambda image: keras.applications.imagenet_utils.preprocess_input(tf.image.resize(tf.cast(image, tf.float32), [16, 16]), mode="caffe")))
served("files, as PyTorch", PHOTOS, BYTES)(of_files(lambda image: keras.applications.imagenet_utils.preprocess_input(tf.image.resize(tf.cast(image, tf.float32), [16, 16]), mode="torch")))
served("files, padded", PHOTOS, BYTES)(of_files(lambda image: tf.image.resize_with_pad(image, 16, 16) / 255.0))
served("files, cropped or padded", PHOTOS, BYTES)(of_files(lambda image: tf.cast(tf.image.resize_with_crop_or_pad(image, 16, 16), tf.float32) / 255.0))
served("files, ratio kept", PHOTOS, BYTES)(of_files(lambda image: tf.image.resize_with_crop_or_pad(tf.image.resize(image, [16, 16], preserve_aspect_ratio=True), 16, 16) / 255.0))
served("files, central crop", PHOTOS, BYTES)(of_files(lambda image: tf.image.resize(tf.image.central_crop(image, 0.875), [16, 16]) / 127.5 - 1.0))


@served("one file, padded", [PHOTOS[0][0]], given(([], tf.string)))
def _():
    network = backbone(16)

    def classify(file):
        image = tf.image.resize_with_pad(tf.io.decode_image(file, channels=3, expand_animations=False), 16, 16) / 255.0
        return {"scores": tf.nn.softmax(network(image[None]))}

    return classify, network


@served("batch, padded", [pixels(2, 31, 45, 3, dtype="uint8")], ANY_IMAGE)
def _():
    network = backbone(16)
    return lambda images: {"scores": network(tf.image.resize_with_pad(images, 16, 16) / 255.0)}, network


def augmented(training):
    def build():
        shift = [layers.Resizing(20, 20, crop_to_aspect_ratio=True), layers.CenterCrop(16, 16), layers.Rescaling(1 / 127.5, offset=-1)]
        augment = [layers.RandomFlip(), layers.RandomRotation(0.1), layers.RandomZoom(0.1), layers.RandomContrast(0.2), layers.GaussianNoise(0.1)]
        network = keras.Sequential([keras.Input([None, None, 3]), *shift, *augment, layers.Normalization(mean=[0.1, 0.2, 0.3], variance=[1, 2, 3]), backbone(16)])
        return lambda images: {"scores": network(tf.cast(images, tf.float32), **training)}, network

    return build


served("preprocessing layers", [pixels(2, 31, 45, 3, dtype="uint8")], ANY_IMAGE)(augmented({"training": False}))
# Layers that augment do so by default.
served("preprocessing layers, still training", [pixels(2, 31, 45, 3, dtype="uint8")], ANY_IMAGE, refused="AssignVariableOp")(augmented({}))


@served("digits, inverted", [pixels(3, 28, 28, dtype="uint8")], given(([None, 28, 28], tf.uint8)))
def _():
    network = backbone(28, 10, 1)

    def classify(images):
        x = 1.0 - tf.cast(images, tf.float32)[..., tf.newaxis] / 255.0
        scores = network(tf.where(x > 0.5, x, 0.0))
        top = tf.math.top_k(tf.nn.softmax(scores), 3)
        return {"digits": top.indices, "scores": top.values}

    return classify, network


@served("segmentation, at the size of the image", [pixels(2, 31, 45, 3, dtype="uint8")], ANY_IMAGE)
def _():
    network = keras.Sequential([keras.Input([24, 24, 3]), layers.Conv2D(8, 3, padding="same", activation="relu"), layers.Conv2D(4, 1)])

    def segment(images):
        scores = network(tf.image.resize(images, [24, 24]) / 255.0)
        mask = tf.argmax(scores, -1, output_type=tf.int32)[..., tf.newaxis]
        mask = tf.image.resize(mask, tf.shape(images)[1:3], "nearest")
        return {"mask": mask, "share": tf.reduce_mean(tf.one_hot(mask[..., 0], 4), [1, 2])}

    return segment, network


@served("style", [pixels(1, 20, 24, 3, dtype="uint8")], ANY_IMAGE)
def _():
    network = keras.Sequential([keras.Input([None, None, 3]), layers.Conv2D(8, 3, padding="same", activation="relu"), layers.Conv2D(3, 3, padding="same", activation="tanh")])

    def paint(images):
        x = network(tf.cast(images, tf.float32) / 127.5 - 1.0)
        return {"mean": tf.reduce_mean((x + 1.0) / 2.0, [1, 2]), "bright": x > 0.9}

    return paint, network


@served("anomaly of an autoencoder", [numbers(8, 6)], VECTORS)
def _():
    network = keras.Sequential([keras.Input([6]), layers.Dense(3, "relu"), layers.Dense(6)])

    def judge(x):
        error = tf.reduce_mean(tf.square(network(x) - x), -1)
        return {"error": error, "anomaly": error > 0.8, "label": tf.where(error > 0.8, "anomaly", "normal")}

    return judge, network


@served("image back as a PNG", [pixels(1, 12, 12, 3, dtype="uint8")], ANY_IMAGE, refused="EncodePng")
def _():
    return (lambda images: {"png": tf.io.encode_png(images[0])[None]},)


# Names of classes


def named(name_of):
    def build():
        network = keras.Sequential([keras.Input([6]), layers.Dense(4, "sigmoid")])
        names = name_of()

        def classify(x):
            scores = network(x)
            return {"label": names(tf.argmax(scores, -1)), "score": tf.reduce_max(scores, -1)}

        return classify, network, *([names] if isinstance(names, layers.Layer) else [])

    return build


served("names, gathered", [numbers(8, 6)], VECTORS)(named(lambda: lambda classes: tf.gather(tf.constant(NAMES), classes)))
served("names, inverse lookup", [numbers(8, 6)], VECTORS)(named(lambda: layers.StringLookup(vocabulary=NAMES, invert=True, num_oov_indices=0)))


@served("names, in a table", [numbers(8, 6)], VECTORS)
def _():
    weights = tf.Variable(numbers(6, 4))
    names = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(tf.range(4, dtype=tf.int64), tf.constant(NAMES)), "unknown")

    def classify(x):
        top = tf.math.top_k(tf.nn.softmax(x @ weights), 2)
        return {"labels": names.lookup(tf.cast(top.indices, tf.int64)), "scores": top.values}

    return classify, weights, names


@served("several labels by their thresholds", [numbers(8, 6)], VECTORS)
def _():
    network = keras.Sequential([keras.Input([6]), layers.Dense(4, "sigmoid")])

    def classify(x):
        scores = network(x)
        chosen = scores >= [0.3, 0.5, 0.7, 0.5]
        return {"chosen": tf.cast(chosen, tf.int32), "count": tf.reduce_sum(tf.cast(chosen, tf.int32), -1), "names": tf.where(chosen, NAMES, "")}

    return classify, network


@served("labels joined", [numbers(8, 6)], VECTORS, refused="ReduceJoin")
def _():
    return (lambda x: {"labels": tf.strings.reduce_join(tf.where(x > 0.0, "yes", "no"), -1, separator=",")},)


@served("rounded to a class", [numbers(8, 6)], VECTORS)
def _():
    network = keras.Sequential([keras.Input([6]), layers.Dense(1, "sigmoid")])

    def classify(x):
        p = network(x)[:, 0]
        return {"class": tf.cast(tf.round(p), tf.int64), "sure": tf.abs(p - 0.5) * 2.0, "percent": tf.cast(p * 100.0, tf.int32)}

    return classify, network


@served("ordinal classes", [numbers(8, 6)], VECTORS)
def _():
    network = keras.Sequential([keras.Input([6]), layers.Dense(4)])

    def classify(x):
        passed = tf.sigmoid(network(x)) > 0.5
        return {"grade": tf.reduce_sum(tf.cast(tf.math.cumprod(tf.cast(passed, tf.float32), -1), tf.int32), -1)}

    return classify, network


@served("votes of an ensemble", [numbers(8, 6)], VECTORS)
def _():
    networks = [keras.Sequential([keras.Input([6]), layers.Dense(5, "relu"), layers.Dense(4, "softmax")]) for _ in range(3)]

    def classify(x):
        each = tf.stack([network(x) for network in networks])
        votes = tf.reduce_sum(tf.one_hot(tf.argmax(each, -1), 4), 0)
        return {"class": tf.argmax(votes, -1), "mean": tf.reduce_mean(each, 0), "spread": tf.math.reduce_std(each, 0)}

    return classify, *networks


# Tables by columns

HOUSES = columns(rooms="float32", area="float32", town="string", year="int64", garden="string")
HOUSE = table(
    rooms=np.float32([[3], [5], [0]]), area=np.float32([[80.5], [140], [np.nan]]), town=np.array([["Bern"], ["Graz"], ["?"]], dtype=object),
    year=np.int64([[1990], [2003], [0]]), garden=np.array([["yes"], ["no"], [""]], dtype=object),
)  # fmt: skip


@served("houses", HOUSE, HOUSES)
def _():
    towns = layers.StringLookup(vocabulary=["Bern", "Graz", "Linz"], output_mode="one_hot")
    decades = layers.Discretization(bin_boundaries=[1950.0, 1990.0, 2000.0])
    network = keras.Sequential([keras.Input([8]), layers.Dense(4, "relu"), layers.Dense(1)])

    def price(rooms, area, town, year, garden):
        filled = tf.where(tf.math.is_nan(area), 95.0, area)
        decade = tf.cast(decades(tf.cast(year, tf.float32)), tf.float32)
        x = tf.concat([(rooms - 3.2) / 1.7, tf.math.log1p(filled), decade, tf.cast(towns(town), tf.float32), tf.cast(garden == "yes", tf.float32)], -1)
        return {"price": tf.exp(network(x)) - 1.0, "thousands": tf.round(network(x) * 100.0) / 100.0}

    return price, towns, decades, network


@served("crossed columns", HOUSE, HOUSES, refused="SparseCross")
def _():
    crossed, hashed = layers.HashedCrossing(12, output_mode="one_hot"), layers.Hashing(6, output_mode="one_hot")
    network = keras.Sequential([keras.Input([18]), layers.Dense(2)])
    return lambda rooms, area, town, year, garden: {"scores": network(tf.concat([crossed((town, garden)), hashed(town)], -1))}, crossed, hashed, network


@served("buckets by hash", HOUSE, HOUSES)
def _():
    embedding = tf.Variable(numbers(50, 4))

    def look(rooms, area, town, year, garden):
        key = tf.strings.join([town, garden, tf.strings.as_string(year)], "_")
        bucket = tf.strings.to_hash_bucket_fast(key, 50)
        return {"bucket": bucket, "vector": tf.nn.embedding_lookup(embedding, bucket), "strong": tf.strings.to_hash_bucket_strong(town, 10, [1, 2])}

    return look, embedding


@served("normalization, adapted", [numbers(8, 6)], VECTORS)
def _():
    scaled = layers.Normalization()
    scaled.adapt(numbers(50, 6) * [1, 10, 100, 1e-3, 5, 2] + 3.0)
    network = keras.Sequential([keras.Input([6]), scaled, layers.Dense(8, "selu"), layers.AlphaDropout(0.2), layers.BatchNormalization(), layers.Dense(2)])
    back = layers.Normalization(mean=[3.0, 4.0], variance=[2.0, 9.0], invert=True)
    return lambda x: {"y": back(network(x))}, network, back


@served("lines of a table", texts("1.5,red,7", "2,blue,", ",green,3"), TEXTS)
def _():
    colors = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["red", "blue"], tf.constant([1, 2], tf.int64)), -1)

    def read(lines):
        weight, color, count = tf.io.decode_csv(lines, [[0.5], [""], [9]])
        return {"x": tf.stack([weight, tf.cast(colors.lookup(color), tf.float32), tf.cast(count, tf.float32)], -1)}

    return read, colors


def example(**features):
    kinds = {float: lambda v: tf.train.Feature(float_list=tf.train.FloatList(value=v)), int: lambda v: tf.train.Feature(int64_list=tf.train.Int64List(value=v))}
    kinds[bytes] = lambda v: tf.train.Feature(bytes_list=tf.train.BytesList(value=v))
    return tf.train.Example(features=tf.train.Features(feature={name: kinds[type(v[0])](v) for name, v in features.items()})).SerializeToString()


@served("serialized examples", texts(example(age=[31.5], tags=[b"a", b"b"]), example(age=[7.25], tags=[b"b"]), example(tags=[b"c"])), TEXTS)
def _():
    def read(examples):
        shapes = {"age": tf.io.FixedLenFeature([1], tf.float32, 40.0), "tags": tf.io.VarLenFeature(tf.string)}
        row = tf.io.parse_example(examples, shapes)
        tags = tf.sparse.to_dense(row["tags"], "")
        return {"age": row["age"] / 10.0, "tags": tags, "first": tf.cast(tags[:, 0] == "b", tf.float32)}

    return (read,)


# Texts


@served("reviews", SENTENCES, TEXTS)
def _():
    def clean(text):
        return tf.strings.regex_replace(tf.strings.regex_replace(tf.strings.lower(text), "<[^>]+>", " "), r"[^a-z0-9' ]", "")

    vectors = layers.TextVectorization(standardize=clean, split="whitespace", output_sequence_length=10, vocabulary=["the", "film", "great", "not", "good", "don't"])
    network = keras.Sequential([keras.Input([10], dtype="int64"), layers.Embedding(8, 6, mask_zero=True), layers.Bidirectional(layers.LSTM(5)), layers.Dense(1, "sigmoid")])

    def judge(reviews):
        p = network(vectors(reviews))[:, 0]
        return {"positive": p > 0.5, "score": p, "label": tf.where(p > 0.5, "positive", "negative")}

    return judge, vectors, network


@served("letters", SENTENCES, TEXTS, refused="UnicodeDecode")
def _():
    return (lambda text: {"letters": tf.strings.unicode_decode(text, "UTF-8").to_tensor(0)},)


@served("characters of Keras", SENTENCES, TEXTS, refused="UnicodeEncode")
def _():
    vectors = layers.TextVectorization(split="character", output_sequence_length=8, vocabulary=list("aeiou"))
    return lambda text: {"x": vectors(text)}, vectors


@served("bag of words", SENTENCES, TEXTS)
def _():
    vectors = layers.TextVectorization(output_mode="tf_idf", vocabulary=["great", "good", "bad"], idf_weights=[1.5, 1.2, 2.0])
    network = keras.Sequential([keras.Input([4]), layers.Dense(2, "softmax")])
    return lambda text: {"scores": network(vectors(text))}, vectors, network


@served("words, mean of embeddings", SENTENCES, TEXTS)
def _():
    words = tf.lookup.StaticVocabularyTable(tf.lookup.KeyValueTensorInitializer(["good", "great", "not"], tf.range(3, dtype=tf.int64)), 2)
    embedding = tf.Variable(numbers(5, 4))

    def read(text):
        ids = words.lookup(tf.strings.split(text).to_tensor("good"))
        return {"ids": ids, "mean": tf.reduce_mean(tf.nn.embedding_lookup(embedding, ids), 1)}

    return read, words, embedding


@served("length and spaces", SENTENCES, TEXTS)
def _():
    def measure(text):
        stripped = tf.strings.strip(text)
        return {"length": tf.strings.length(stripped), "letters": tf.strings.length(stripped, unit="UTF8_CHAR"), "number": tf.strings.regex_full_match(stripped, r".*\d.*")}

    return (measure,)


# Series and sequences


@served("last day next to the mean", [numbers(4, 24)], SERIES)
def _():
    network = keras.Sequential([keras.Input([24, 2]), layers.Conv1D(4, 3, activation="relu"), layers.GRU(6), layers.Dense(3)])

    def forecast(x):
        mean, variance = tf.nn.moments(x, [1], keepdims=True)
        z = (x - mean) / tf.sqrt(variance + 1e-8)
        steps = tf.concat([z[:, :1] * 0.0, z[:, 1:] - z[:, :-1]], 1)
        return {"forecast": network(tf.stack([z, steps], -1)) * tf.sqrt(variance) + mean, "trend": tf.sign(x[:, -1] - mean[:, 0])}

    return forecast, network


@served("hours and days", [np.int64([0, 86399, 1700000000, 1735689600])], given(([None], tf.int64)))
def _():
    def features(seconds):
        hour = tf.cast(seconds // 3600 % 24, tf.float32)
        day = tf.cast((seconds // 86400 + 4) % 7, tf.float32)
        angle = 2.0 * np.pi * tf.cast(seconds % 86400, tf.float32) / 86400.0
        return {"hour": tf.sin(2.0 * np.pi * hour / 24.0), "weekend": day >= 5.0, "angle": tf.cos(angle)}

    return (features,)


@served("frames of a series", [numbers(3, 24)], SERIES)
def _():
    def window(x):
        frames = tf.signal.frame(x, 6, 3)
        return {"mean": tf.reduce_mean(frames, -1), "largest": tf.reduce_max(frames, -1), "running": tf.cumsum(x, 1) / tf.range(1.0, 25.0)}

    return (window,)


@served("exponential smoothing by scan", [numbers(24, 1)], given(([24, 1], tf.float32)))
def _():
    return (lambda x: {"y": tf.scan(lambda a, v: 0.7 * a + 0.3 * v, x)},)


@served("filter of Kalman", [numbers(12, 1)], given(([None, 1], tf.float32)))
def _():
    def filtered(x):
        def step(state, z):
            mean, p = state
            mean, p = mean, p + 0.01
            gain = p / (p + 0.1)
            return mean + gain * (z - mean), (1.0 - gain) * p

        means, variances = tf.scan(step, x, (tf.zeros([1]), tf.ones([1])))
        return {"mean": means, "variance": variances}

    return (filtered,)


@served("tokens, one after another", [np.int32([[1], [2]])], given(([None, 1], tf.int32)))
def _():
    embedding, weights = tf.Variable(numbers(7, 5)), tf.Variable(numbers(5, 7))

    def generate(start):
        def more(i, tokens):
            state = tf.reduce_mean(tf.gather(embedding, tokens), 1)
            following = tf.argmax(tf.tanh(state) @ weights, -1, output_type=tf.int32)
            return i + 1, tf.concat([tokens, following[:, None]], 1)

        return {"tokens": tf.while_loop(lambda i, _: i < 6, more, [0, start], shape_invariants=[tf.TensorShape([]), tf.TensorShape([None, None])])[1]}

    return generate, embedding, weights


@served("causal attention", [draw.integers(0, 30, (2, 9)).astype("int32")], given(([None, 9], tf.int32)))
def _():
    tokens = keras.Input([9], dtype="int32")
    x = layers.Embedding(30, 8)(tokens) + layers.Embedding(9, 8)(keras.ops.arange(9))
    x = layers.LayerNormalization()(x + layers.MultiHeadAttention(2, 4)(x, x, use_causal_mask=True))
    x = layers.LayerNormalization()(x + layers.Dense(8)(layers.Dense(16, "gelu")(x)))
    network = keras.Model(tokens, layers.Dense(30)(x))

    def following(ids):
        scores = network(ids)[:, -1] / 0.8
        return {"token": tf.argmax(scores, -1), "log_probs": tf.nn.log_softmax(scores)}

    return following, network


@served("grouped attention, mixed precision", [numbers(2, 9, 8)], given(([None, 9, 8], tf.float32)), tolerance=5e-3)
def _():
    given = keras.Input([9, 8])
    x = layers.GroupQueryAttention(4, 4, 2, dtype="mixed_float16")(given, given)
    network = keras.Model(given, layers.Dense(3, dtype="float32")(layers.GlobalMaxPooling1D()(x)))
    return lambda x: {"scores": network(x)}, network


@served("labels of a sequence, CTC", [numbers(2, 9, 5)], given(([2, 9, 5], tf.float32)), refused="CTCGreedyDecoder")
def _():
    def decode(x):
        (found,), score = tf.nn.ctc_greedy_decoder(tf.transpose(x, [1, 0, 2]), [9, 9])
        return {"labels": tf.sparse.to_dense(found, -1), "score": score}

    return (decode,)


# Neighbors, densities, recommendations


@served("nearest neighbors", [numbers(5, 6)], VECTORS)
def _():
    known, classes = tf.Variable(random("neighbors").normal(size=(40, 6)).astype("float32")), tf.constant(draw.integers(0, 4, 40), tf.int32)

    def classify(x):
        squares = tf.reduce_sum(x**2, 1, keepdims=True) - 2.0 * x @ tf.transpose(known) + tf.reduce_sum(known**2, 1)
        found = tf.math.top_k(-squares, 5)
        votes = tf.reduce_sum(tf.one_hot(tf.gather(classes, found.indices), 4), 1)
        return {"class": tf.argmax(votes, 1), "neighbors": found.indices, "distance": tf.sqrt(tf.maximum(-found.values, 0.0))}

    return classify, known


@served("two towers", {"user": np.array(["u1", "u9", "?"], dtype=object)}, [tf.TensorSpec([None], tf.string, "user")])
def _():
    users = layers.StringLookup(vocabulary=["u1", "u2", "u9"])
    query = keras.Sequential([keras.Input([], dtype="int64"), layers.Embedding(4, 6), layers.Dense(5)])
    items = tf.Variable(numbers(30, 5))
    titles = tf.constant([f"film {i}" for i in range(30)])

    def recommend(user):
        best = tf.math.top_k(tf.matmul(query(users(user)), items, transpose_b=True), 4)
        return {"titles": tf.gather(titles, best.indices), "scores": best.values}

    return recommend, users, query, items


@served("likeness to prototypes", [numbers(5, 6)], VECTORS)
def _():
    prototypes = tf.Variable(numbers(4, 6))

    def classify(x):
        cosine = tf.matmul(tf.math.l2_normalize(x, -1), tf.math.l2_normalize(prototypes, -1), transpose_b=True)
        return {"class": tf.argmax(cosine, -1), "known": tf.reduce_max(cosine, -1) > 0.4, "p": tf.nn.softmax(cosine / 0.07)}

    return classify, prototypes


@served("mixture of Gaussians", [numbers(5, 6)], VECTORS)
def _():
    means, scales = tf.Variable(numbers(3, 6)), tf.Variable(np.abs(numbers(3, 6)) + 0.3)

    def density(x):
        z = (x[:, None] - means) / scales
        logs = -0.5 * tf.reduce_sum(z**2, -1) - tf.reduce_sum(tf.math.log(scales), -1) - 5.5136312 + tf.math.log([0.2, 0.3, 0.5])
        return {"log_density": tf.reduce_logsumexp(logs, -1), "of": tf.nn.softmax(logs), "component": tf.argmax(logs, -1)}

    return density, means, scales


@served("quantiles in order", [numbers(5, 6)], VECTORS)
def _():
    network = keras.Sequential([keras.Input([6]), layers.Dense(5)])
    return lambda x: {"quantiles": tf.sort(network(x), -1), "width": tf.reduce_max(network(x), -1) - tf.reduce_min(network(x), -1)}, network


@served("polynomial features", [numbers(5, 6)], VECTORS)
def _():
    weights = tf.Variable(numbers(21, 1))
    pairs = np.array([(i, j) for i in range(6) for j in range(i, 6)])
    return lambda x: {"y": tf.gather(x, pairs[:, 0], axis=1) * tf.gather(x, pairs[:, 1], axis=1) @ weights}, weights


@served("calibrated in pieces", [numbers(5, 6)], VECTORS, refused="UpperBound")
def _():
    edges, levels = tf.constant([0.0, 0.2, 0.5, 1.0]), tf.constant([0.05, 0.1, 0.4, 0.9, 0.95])
    return (lambda x: {"p": tf.gather(levels, tf.searchsorted(edges, tf.sigmoid(x[:, 0]), side="right"))},)


@served("experts by dispatch", [numbers(5, 6)], VECTORS, refused="DynamicPartition")
def _():
    weights = [tf.Variable(numbers(6, 2)), tf.Variable(numbers(6, 2) + 1.0)]

    def gated(x):
        expert = tf.cast(x[:, 0] > 0, tf.int32)
        parts = tf.dynamic_partition(x, expert, 2)
        places = tf.dynamic_partition(tf.range(tf.shape(x)[0]), expert, 2)
        return {"y": tf.dynamic_stitch(places, [part @ weight for part, weight in zip(parts, weights)])}

    return gated, *weights


@served("experts, all asked", [numbers(5, 6)], VECTORS)
def _():
    gate, experts = tf.Variable(numbers(6, 3)), tf.Variable(numbers(3, 6, 2))

    def gated(x):
        share = tf.nn.softmax(x @ gate)
        best = tf.reduce_max(share, -1, keepdims=True)
        share = tf.where(share >= best, share, 0.0)
        return {"y": tf.einsum("be,bi,eio->bo", share, x, experts), "expert": tf.argmax(share, -1)}

    return gated, gate, experts


@served("inverse of a matrix", [numbers(2, 3, 3)], given(([None, 3, 3], tf.float32)), refused="MatrixInverse")
def _():
    return (lambda x: {"y": tf.linalg.inv(x)},)


@served("dropout left on", [numbers(5, 6)], VECTORS, refused="RandomUniform")
def _():
    return (lambda x: {"y": tf.nn.dropout(x, 0.5)},)


@served("a function of Python", [numbers(5, 6)], VECTORS, refused="EagerPyFunc")
def _():
    return (lambda x: {"y": tf.py_function(lambda y: y * 2.0, [x], tf.float32)},)


@served("several outputs, one input twice", [numbers(5, 6)], VECTORS)
def _():
    given = keras.Input([6])
    shared = layers.Dense(8, "swish", kernel_regularizer="l2")(given)
    heads = [layers.Dense(1, name="price")(shared), layers.Dense(3, "softmax", name="kind")(shared), layers.Dense(2, "hard_sigmoid", name="flags")(layers.ActivityRegularization()(shared))]
    network = keras.Model(given, heads)

    def serve(x):
        price, kind, flags = network(x)
        return {"price": tf.squeeze(price, -1), "kind": tf.argmax(kind, -1), "flags": flags > 0.5, "x": x}

    return serve, network


@served("asserted range", [np.abs(numbers(5, 6))], VECTORS)
def _():
    def serve(x):
        tf.debugging.assert_non_negative(x, "x must not be negative")
        tf.debugging.assert_equal(tf.shape(x)[1], 6)
        return {"y": tf.sqrt(x) / tf.reduce_sum(tf.sqrt(x), -1, keepdims=True)}

    return (serve,)
