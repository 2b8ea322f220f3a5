"""Draws label files as data sets, libraries and spreadsheets write them, one JSON object a line, each with its truth.

    python draw_labels.py SEED COUNT

A case has the classes of a pipeline in order, the names of the inputs below the drop, the bytes of a label file (none where folders are the
labels), and for each input the class that the file's author means, or null. `reading` says what a careful person finds in the file:

    one    only what the author means
    two    another class for some input is possible as well: ask, or be right
    near   the author's classes, spelled otherwise: read them, or say so
    none   no reading by these classes: refuse, or leave those rows out and say so

`settled` has what the author would state if asked: what numbers are (a class's name, or its place from 0 or 1), the column of the label. `apart` names
what no reader can see in a file that has no such statement.
"""

import base64
import csv
import io
import json
import random
import sys
import unicodedata
import urllib.parse

import numpy
import pandas

CIFAR10 = "airplane automobile bird cat deer dog frog horse ship truck".split()
WORDS = {
    "cifar10": CIFAR10,
    "fashion": ["T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"],
    "eurosat": "AnnualCrop Forest HerbaceousVegetation Highway Industrial Pasture PermanentCrop Residential River SeaLake".split(),
    "flowers": "daisy dandelion roses sunflowers tulips".split(),
    "trash": "cardboard glass metal paper plastic trash".split(),
    "leaves": ["healthy", "multiple_diseases", "rust", "scab"],
    "skin": "AKIEC BCC BKL DF MEL NV VASC".split(),
    "retina": ["No DR", "Mild", "Moderate", "Severe", "Proliferative DR"],
    "pets": ["Abyssinian", "american_bulldog", "american_pit_bull_terrier", "basset_hound", "beagle", "Bengal", "Birman"],
    "har": "WALKING WALKING_UPSTAIRS WALKING_DOWNSTAIRS SITTING STANDING LAYING".split(),
    "covertype": ["Spruce/Fir", "Lodgepole Pine", "Ponderosa Pine", "Cottonwood/Willow", "Aspen", "Douglas-fir", "Krummholz"],
    "german": ["Apfel", "Äpfel", "Birne", "Brötchen", "Fuß", "Käse", "Öl", "Straße"],
    "french": ["éléphant", "pêche", "garçon", "œuf", "île", "forêt"],
    "spanish": ["niño", "árbol", "pingüino", "camión", "perro"],
    "vietnamese": ["chó", "mèo", "gà", "vịt", "bò", "lợn"],
    "korean": ["강아지", "고양이", "새", "말", "소"],
    "japanese": ["ガラス", "プラスチック", "紙", "金属", "ビン"],
    "russian": ["кошка", "собака", "ёж", "йод", "лошадь"],
    "arabic": ["قطة", "كلب", "حصان", "طائر"],
    "hindi": ["बिल्ली", "कुत्ता", "घोड़ा", "पक्षी"],
    "greek": ["γάτα", "σκύλος", "άλογο", "πουλί"],
    "turkish": ["ISPANAK", "İncir", "ıhlamur", "üzüm"],
    "chinese": ["猫", "狗", "马", "鸟", "鱼"],
}
ENGLISH = ["cifar10", "fashion", "eurosat", "flowers", "trash", "leaves", "skin", "retina", "pets", "har", "covertype"]
OTHERS = [name for name in WORDS if name not in ENGLISH]
ACCENTED = ["german", "french", "spanish", "vietnamese", "korean", "japanese", "russian", "hindi", "greek"]
KEY_HEADERS = ["filename", "file", "image", "image_id", "id", "path", "file_name", "key", "name", "Image", "ID"]
LABEL_HEADERS = ["label", "class", "target", "category", "Label", "label_name", "y", "truth", "class_name", "Class"]
OTHER_HEADERS = ["diagnosis", "breed", "species", "Etikett", "étiquette", "ラベル", "klasse", "Categoría", "gt", "ground_truth", "annotation"]


class Draw:
    """Random choices, and the parts that families share."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def one_of(self, values):
        return self.random.choice(list(values))

    def chance(self, share):
        return self.random.random() < share

    def words(self, least=2, of=None):
        words = list(WORDS[self.one_of(of or ENGLISH)])
        words = self.random.sample(words, self.random.randint(min(least, len(words)), len(words))) if self.chance(0.4) else words
        return sorted(words) if self.chance(0.5) else words

    def truth(self, classes, every=False):
        """A class for each of a few inputs; of skewed shares, so that classes may be absent unless `every` one has to occur."""
        count = max(self.random.choice([6, 12, 25, 60]), len(classes) + 2 if every else 0)
        count = min(count, 1500)
        power = self.one_of([1, 1, 2, 3])
        drawn = [int(self.random.random() ** power * len(classes)) for _ in range(count)]
        if every:
            drawn[: len(classes)] = range(len(classes))
            self.random.shuffle(drawn)
        return drawn

    def inputs(self, count):
        kind = self.one_of(["numbers", "padded", "hex", "camera", "folder", "imagenet"])
        ending = self.one_of([".jpg", ".png", ".jpeg", ".JPG"])
        if kind == "numbers":
            return [f"{at + 1}{ending}" for at in range(count)]
        if kind == "padded":
            return [f"{at:05d}{ending}" for at in range(count)]
        if kind == "hex":
            return [f"{self.random.getrandbits(48) + at:012x}{ending}" for at in range(count)]
        if kind == "camera":
            return [f"IMG_{2000 + at * 3}{ending}" for at in range(count)]
        if kind == "folder":
            return [f"{self.one_of(['a', 'b', 'site 3'])}/{at:04d}{ending}" for at in range(count)]
        return [f"ILSVRC2012_val_{at + 1:08d}.JPEG" for at in range(count)]

    def headers(self):
        return self.one_of(KEY_HEADERS), self.one_of(LABEL_HEADERS if self.chance(0.8) else OTHER_HEADERS)


def reading_of_numbers(values, classes, meant):
    """Whether numbers have one reading: as names, as places from 0, as places from 1."""
    names = {name: at for at, name in enumerate(classes)}
    known = [value for value in values if value is not None]
    readings = [
        [names.get(str(value)) for value in known],
        [value if 0 <= value < len(classes) else None for value in known],
        [value - 1 if 1 <= value <= len(classes) else None for value in known],
    ]
    possible = {tuple(reading) for reading in readings if None not in reading}
    return "one" if possible == {tuple(at for at in meant if at is not None)} else "two"


def case(classes, inputs, truth, columns=None, *, reading="one", numbers=None, label=None, style=None, text=None, file="labels.csv", **more):
    """A case of columns, each a header and cells, or of a text that is written already."""
    return {
        "classes": list(classes),
        "inputs": list(inputs),
        "truth": list(truth),
        "columns": columns,
        "reading": reading,
        "settled": {"numbers": numbers, "label": label},
        "style": style,
        "text": text,
        "file": file,
        **more,
    }


# How files are written


def with_pandas(columns, *, header=True, index=False, **how):
    frame = pandas.DataFrame({at: pandas.Series(cells, dtype=object) for at, (_, cells) in enumerate(columns)})
    return frame.to_csv(index=index, header=[name for name, _ in columns] if header else False, **how)


def with_csv(columns, *, header=True, **how):
    out = io.StringIO()
    writer = csv.writer(out, **how)
    if header:
        writer.writerow([name for name, _ in columns])
    writer.writerows(zip(*(cells for _, cells in columns)))
    return out.getvalue()


def as_columns(columns, pad):
    widths = [max(len(str(cell)) for cell in [name, *cells]) for name, cells in columns]
    rows = [[name for name, _ in columns], *zip(*(cells for _, cells in columns))]
    return "".join(",".join(str(cell).ljust(width if pad else 0) for cell, width in zip(row, widths)) + "\n" for row in rows)


STYLES = {
    "pandas": lambda columns: with_pandas(columns),
    "pandas without header": lambda columns: with_pandas(columns, header=False),
    "pandas with index": lambda columns: with_pandas(columns, index=True),
    "csv module": lambda columns: with_csv(columns),
    "every cell quoted": lambda columns: with_csv(columns, quoting=csv.QUOTE_ALL),
    "text quoted": lambda columns: with_csv(columns, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n"),
    "Excel": lambda columns: "\ufeff" + with_csv(columns),
    "Excel, semicolons": lambda columns: "\ufeff" + with_csv(columns, delimiter=";"),
    "Excel, sep=": lambda columns: "sep=;\r\n" + with_csv(columns, delimiter=";"),
    "tabs": lambda columns: with_pandas(columns, sep="\t"),
    "pipes": lambda columns: with_pandas(columns, sep="|"),
    "blank lines": lambda columns: with_pandas(columns).replace("\n", "\n\n", 1) + "\n\n",
    "empty columns": lambda columns: "".join(line + ",,\n" for line in with_pandas(columns).splitlines()),
    "padded cells": lambda columns: as_columns(columns, True),
    "space after commas": lambda columns: with_csv(columns, lineterminator="\n").replace(",", ", "),
    "comment above": lambda columns: "# exported 2026-03-01\n" + with_pandas(columns),
    "title above": lambda columns: "Labels of the test set," + "\n" + with_pandas(columns),
    "old Mac": lambda columns: with_csv(columns, lineterminator="\r"),
    "UTF-16": lambda columns: with_csv(columns, delimiter="\t").encode("utf-16"),
    "Windows-1252": lambda columns: with_csv(columns, delimiter=";").encode("cp1252", "replace"),
}
PLAIN = ["pandas", "pandas", "pandas", "csv module", "Excel", "every cell quoted", "pandas without header"]


def write(drawn, draw):
    """The bytes of a case's file; None where the labels are folders."""
    if drawn["text"] is None:
        if drawn["columns"] is None:
            return None
        drawn["style"] = drawn["style"] or draw.one_of(PLAIN if draw.chance(0.8) else STYLES)
        if drawn["settled"]["label"] is not None and drawn["style"] == "pandas without header":
            drawn["style"] = "pandas"
        drawn["text"] = STYLES[drawn["style"]](drawn["columns"])
    text = drawn["text"]
    return text if isinstance(text, bytes) else text.encode()


# Families: each draws one case


def names_of_data_sets(draw):
    classes = draw.words()
    truth = draw.truth(classes)
    inputs = draw.inputs(len(truth))
    key, label = draw.headers()
    return case(classes, inputs, truth, [(key, inputs), (label, [classes[at] for at in truth])], style=draw.one_of(STYLES) if draw.chance(0.5) else None)


def numbers(draw, classes=None, first=None, every=None):
    classes = classes or draw.words()
    first = draw.one_of([0, 0, 1]) if first is None else first
    truth = draw.truth(classes, draw.chance(0.5) if every is None else every)
    inputs = draw.inputs(len(truth))
    key, label = draw.headers()
    values = [at + first for at in truth]
    return case(
        classes, inputs, truth, [(key, inputs), (label, values)], reading=reading_of_numbers(values, classes, truth), numbers=first
    )


def imagenet_numbers(draw):
    """val.txt of Caffe from 0, the development kit's and MATLAB's from 1; of a thousand classes most are absent."""
    classes = [f"n{1440764 + at * 37:08d}" for at in range(1000)]
    return numbers(draw, classes, every=draw.chance(0.3))


def caffe_val(draw):
    drawn = imagenet_numbers(draw)
    (_, inputs), (_, values) = drawn["columns"]
    return drawn | {"text": "".join(f"{name} {value}\n" for name, value in zip(inputs, values)), "style": "spaces"}


def matlab_order(draw):
    """ILSVRC2012_validation_ground_truth.txt: numbers from 1 in the order of the files, without names."""
    classes = draw.words(4)
    truth = draw.truth(classes, True)
    inputs = [f"ILSVRC2012_val_{at + 1:08d}.JPEG" for at in range(len(truth))]
    return case(classes, inputs, truth, text="".join(f"{at + 1}\n" for at in truth), reading="near", numbers=1)


def imagenet_wnids(draw):
    classes = [f"n{1440764 + at * 37:08d}" for at in range(draw.one_of([10, 100, 1000]))]
    truth = draw.truth(classes)
    inputs = [f"ILSVRC2012_val_{at + 1:08d}.JPEG" for at in range(len(truth))]
    boxes = draw.chance(0.3)
    cells = [f"{classes[at]} 85 1 499 272 " if boxes else classes[at] for at in truth]
    ids = [name.removesuffix(".JPEG") for name in inputs] if draw.chance(0.5) else inputs
    return case(classes, inputs, truth, [("ImageId", ids), ("PredictionString", cells)], reading="near" if boxes else "one")


def with_background_class(draw):
    """TensorFlow's 1001 classes: the first is the background, labels are places from 0 although none is 0."""
    classes = ["background", *draw.words()]
    drawn = numbers(draw, classes, 0)
    truth = [at or 1 for at in drawn["truth"]]
    key = drawn["columns"][0]
    return drawn | {"truth": truth, "columns": [key, ("label", truth)], "reading": reading_of_numbers(truth, classes, truth)}


def background_is_zero(draw):
    """VOC and COCO: labels from 1, where 0 is no object; with the last class absent nobody can tell."""
    classes = draw.words(3)
    drawn = numbers(draw, classes, 1, True)
    without_last = draw.chance(0.5)
    truth = [None if draw.chance(0.2) or (without_last and at == len(classes) - 1) else at for at in drawn["truth"]]
    values = [0 if at is None else at + 1 for at in truth]
    key = drawn["columns"][0]
    seen = max(values) == len(classes)
    return drawn | {
        "truth": truth,
        "columns": [key, ("label", values)],
        "reading": "near" if seen and 0 in values else reading_of_numbers(values, classes, truth),
        "apart": None if seen or 0 not in values else "0 is the background",
    }


def digits(draw):
    """MNIST: the name of a class is its place."""
    classes = [str(at) for at in range(draw.one_of([2, 5, 10, 12]))]
    truth = draw.truth(classes)
    inputs = [f"{at + 1}.png" for at in range(len(truth))]
    ids = [at + 1 for at in range(len(truth))] if draw.chance(0.4) else inputs
    values = [float(at) for at in truth] if draw.chance(0.2) else truth
    return case(classes, inputs, truth, [("ImageId", ids), ("Label", values)])


def street_digits(draw):
    """SVHN: 10 stands for the digit 0, the other labels for themselves."""
    classes = [str(at) for at in range(10)]
    truth = draw.truth(classes, True)
    inputs = draw.inputs(len(truth))
    return case(classes, inputs, truth, [("name", inputs), ("label", [at or 10 for at in truth])], reading="none")


def number_names(draw):
    """Names that are numbers, in another order than their own, or not from 0: folders sorted as text, stars, ages, grades, years."""
    classes = draw.one_of(
        [
            sorted(str(at) for at in range(12)),
            [str(at) for at in range(1, 6)],
            [str(at) for at in range(3, 9)],
            ["20", "30", "40", "50"],
            ["2019", "2020", "2021"],
            ["1", "0"],
            ["1", "2", "3", "5", "6", "7"],
            ["2", "4"],
        ]
    )
    truth = draw.truth(classes)
    inputs = draw.inputs(len(truth))
    key, label = draw.headers()
    first = draw.one_of([None, None, None, 0, 1])
    cells = [classes[at] if first is None else str(at + first) for at in truth]
    names = {name: at for at, name in enumerate(classes)}
    all_names = all(cell in names for cell in cells)
    same = [names.get(cell) for cell in cells] == truth
    places = reading_of_numbers([int(cell) for cell in cells], classes, truth)
    return case(
        classes,
        inputs,
        truth,
        [(key, inputs), (label, cells)],
        reading="one" if first is None else places,
        numbers="names" if first is None else first,
        apart="names of other classes" if all_names and not same else None,
    )


def number_names_as_floats(draw):
    """Names that are whole numbers, in a pandas column that has had a gap."""
    classes = draw.one_of([[str(at) for at in range(1, 6)], ["20", "30", "40"], sorted(str(at) for at in range(12))])
    truth = [None if draw.chance(0.1) else at for at in draw.truth(classes)]
    inputs = draw.inputs(len(truth))
    values = [None if at is None else float(classes[at]) for at in truth]
    whole = [None if value is None else int(value) for value in values]
    return case(
        classes, inputs, truth, [("file", inputs), ("label", values)], reading=reading_of_numbers(whole, classes, truth), numbers="names"
    )


def leading_zeros(draw):
    """Names with leading zeros that a spreadsheet has taken off: 1 is the name 01, and 02 has the place 1."""
    classes = draw.one_of([[f"{at:02d}" for at in range(1, 13)], [f"{at:03d}" for at in range(8)], ["007", "008", "011"]])
    truth = draw.truth(classes)
    inputs = draw.inputs(len(truth))
    taken = draw.chance(0.7)
    cells = [str(int(classes[at])) if taken else classes[at] for at in truth]
    whole = [int(cell) for cell in cells]
    places = reading_of_numbers(whole, classes, truth)
    same = [at if 0 <= at < len(classes) else None for at in whole] == truth
    return case(classes, inputs, truth, [("file", inputs), ("label", cells)], reading=("near" if same or places == "one" else "two") if taken else "one", numbers="names")


def half_stars(draw):
    classes = ["0.5", "1.0", "1.5", "2.0", "2.5", "3.0"]
    truth = draw.truth(classes)
    inputs = draw.inputs(len(truth))
    shortened = draw.chance(0.5)
    cells = [f"{float(classes[at]):g}" if shortened else classes[at] for at in truth]
    return case(classes, inputs, truth, [("file", inputs), ("rating", cells)], reading="near" if shortened else "one")


def uci_numbers(draw):
    """Wine, HAR, Covertype, letters of EMNIST: numbers from 1 as MATLAB, R's factors and their authors count."""
    classes = draw.one_of([["Barolo", "Grignolino", "Barbera"], WORDS["har"], WORDS["covertype"], list("abcdefghijklmnopqrstuvwxyz")])
    drawn = numbers(draw, classes, 1)
    label_first = draw.chance(0.4)
    return drawn | {"columns": drawn["columns"][::-1] if label_first else drawn["columns"]}


def uci_codes(draw):
    """Glass (1, 2, 3, 5, 6, 7), breast cancer (2, 4), -1 and 1: codes that are neither names nor places."""
    classes, codes = draw.one_of(
        [
            (["building float", "building", "vehicle float", "containers", "tableware", "headlamps"], [1, 2, 3, 5, 6, 7]),
            (["benign", "malignant"], [2, 4]),
            (["negative", "positive"], [-1, 1]),
            (["low", "middle", "high"], [10, 20, 30]),
        ]
    )
    truth = draw.truth(classes, True)
    inputs = draw.inputs(len(truth))
    return case(classes, inputs, truth, [("Id", inputs), ("Class", [codes[at] for at in truth])], reading="none")


def adult(draw):
    """UCI's Adult: a space before each cell, and a full stop in the test set."""
    classes = ["<=50K", ">50K"]
    truth = draw.truth(classes)
    inputs = draw.inputs(len(truth))
    stop = "." if draw.chance(0.5) else ""
    cells = [f" {classes[at]}{stop}" for at in truth]
    return case(classes, inputs, truth, [("id", inputs), ("income", cells)], reading="near" if stop else "one")


def iris(draw):
    classes = ["setosa", "versicolor", "virginica"]
    truth = draw.truth(classes)
    inputs = draw.inputs(len(truth))
    cells = [f"Iris-{classes[at]}" for at in truth]
    measured = [(name, [round(draw.random.uniform(1, 7), 1) for _ in truth]) for name in ["SepalLengthCm", "PetalWidthCm"]]
    exact = draw.chance(0.5)
    return case(
        [f"Iris-{name}" for name in classes] if exact else classes,
        inputs,
        truth,
        [("Id", inputs), *measured, ("Species", cells)],
        reading="one" if exact else "near",
        label="Species",
    )


def letters(draw):
    """Mushroom's e and p, EMNIST's letters of both cases, answers by letter."""
    classes = draw.one_of([["e", "p"], [*"ABCDEFGHIJKLMNOPQRSTUVWXYZabdefghnqrt"], ["A", "B", "C", "D", "E"], ["M", "F"], ["T", "F"], ["n", "y"]])
    truth = draw.truth(classes)
    inputs = draw.inputs(len(truth))
    key, label = draw.headers()
    return case(classes, inputs, truth, [(key, inputs), (label, [classes[at] for at in truth])])


def kaggle(draw):
    """id,label where the id is a file's name without its extension."""
    classes = draw.words()
    truth = draw.truth(classes)
    inputs = [f"{draw.random.getrandbits(48) + at:012x}.jpg" for at in range(len(truth))]
    ids = [name.removesuffix(".jpg") for name in inputs]
    as_numbers = draw.chance(0.4)
    key, label = draw.one_of([("id", "breed"), ("id_code", "diagnosis"), ("image_id", "label"), ("Id", "Category")])
    reading = reading_of_numbers(truth, classes, truth) if as_numbers else "one"
    return case(
        classes, inputs, truth, [(key, ids), (label, truth if as_numbers else [classes[at] for at in truth])], reading=reading, numbers=0 if as_numbers else None
    )


def kaggle_numbered(draw):
    """Numbered ids whose leading zeros pandas has taken off; 42 is 00042.png if no other input is."""
    classes = draw.words()
    truth = draw.truth(classes)
    padded = draw.chance(0.5)
    inputs = [f"{at + 1:05d}.png" if padded else f"{at + 1}.png" for at in range(len(truth))]
    return case(
        classes,
        inputs,
        truth,
        [("id", [at + 1 for at in range(len(truth))]), ("label", [classes[at] for at in truth])],
        reading="near" if padded else "one",
    )


def with_other_columns(draw):
    """train.csv: an index, splits, folds, sizes, who labeled it, and the model's own old answer."""
    classes = draw.words(3)
    truth = draw.truth(classes)
    inputs = draw.inputs(len(truth))
    key, label = draw.one_of(KEY_HEADERS), draw.one_of(LABEL_HEADERS)
    as_numbers = draw.chance(0.5)
    others = [
        ("split", ["test"] * len(truth)),
        ("fold", [draw.random.randrange(len(classes)) for _ in truth]),
        ("width", [draw.one_of([224, 256, 640]) for _ in truth]),
        ("height", [draw.one_of([224, 480]) for _ in truth]),
        ("sex", [draw.one_of(["male", "female"]) for _ in truth]),
        ("age", [float(draw.random.randrange(5, 90, 5)) for _ in truth]),
        ("annotator", [draw.one_of(["ann", "bo"]) for _ in truth]),
        ("confidence", [round(draw.random.random(), 3) for _ in truth]),
        ("quality", [draw.random.randrange(2) for _ in truth]),
    ]
    columns = [(key, inputs), (label, truth if as_numbers else [classes[at] for at in truth]), *draw.random.sample(others, draw.random.randint(1, 5))]
    if draw.chance(0.5):
        draw.random.shuffle(columns)
    reading = reading_of_numbers(truth, classes, truth) if as_numbers else "one"
    return case(
        classes,
        inputs,
        truth,
        columns,
        reading=reading,
        numbers=0 if as_numbers else None,
        label=label,
        style=draw.one_of(["pandas", "pandas with index", "Excel", "csv module", "Excel, semicolons"]),
    )


def two_label_columns(draw):
    """Two annotators, a label and a prediction, fine and coarse: without a statement there are two readings unless they agree."""
    classes = draw.words(3)
    truth = draw.truth(classes)
    inputs = draw.inputs(len(truth))
    other = [draw.random.randrange(len(classes)) if draw.chance(0.3) else at for at in truth]
    first, second = draw.one_of(
        [("label_1", "label_2"), ("annotator_a", "annotator_b"), ("label", "prediction"), ("target", "label"), ("label", "label"), ("class", "category"), ("y_true", "y_pred"), ("final", "draft")]
    )
    as_numbers = draw.chance(0.4)
    cells = [[at if as_numbers else classes[at] for at in column] for column in (truth, other)]
    columns = [("file", inputs), (first, cells[0]), (second, cells[1])]
    if draw.chance(0.5):
        columns[1:] = columns[:0:-1]
    return case(
        classes,
        inputs,
        truth,
        columns,
        reading="one" if other == truth and not as_numbers else "none" if first == second else "two",
        numbers=0 if as_numbers else None,
        label=first if first != second else None,
        style=draw.one_of(["pandas", "Excel", "csv module"]),
        **({"apart": "two columns of one name"} if first == second and other != truth else {}),
    )


def superclass(draw):
    """CIFAR-100 and pets: the coarse class beside the fine one, as names; only one of them has this pipeline's classes."""
    fine = {"cat": "animal", "dog": "animal", "horse": "animal", "car": "vehicle", "truck": "vehicle", "ship": "vehicle", "rose": "plant"}
    classes = list(fine) if draw.chance(0.5) else ["animal", "plant", "vehicle"]
    names = [draw.one_of(fine) for _ in range(30)]
    truth = [classes.index(name if name in classes else fine[name]) for name in names]
    inputs = draw.inputs(len(truth))
    columns = [("filename", inputs), ("coarse_label", [fine[name] for name in names]), ("fine_label", names)]
    return case(classes, inputs, truth, columns, label="fine_label" if "cat" in classes else "coarse_label", style="pandas")


def encoded(draw):
    """A name and what sklearn's LabelEncoder made of it, whose order is the alphabet's and not the model's."""
    classes = draw.words(3)
    draw.random.shuffle(classes)
    truth = draw.truth(classes)
    inputs = draw.inputs(len(truth))
    _, codes = numpy.unique(numpy.array([*classes, *(classes[at] for at in truth)]), return_inverse=True)
    codes = [int(code) for code in codes[len(classes) :]]
    columns = [("file", inputs), ("label", [classes[at] for at in truth]), (draw.one_of(["label_encoded", "target", "class_id", "label_idx"]), codes)]
    if draw.chance(0.3):
        columns[1:] = columns[:0:-1]
    return case(classes, inputs, truth, columns, reading="two", label="label", style=draw.one_of(["pandas", "pandas with index", "Excel"]))


def one_hot(draw):
    """ISIC and get_dummies: a column a class, in the model's order or another."""
    classes = draw.words(2)
    truth = draw.truth(classes)
    inputs = draw.inputs(len(truth))
    order = list(range(len(classes)))
    if draw.chance(0.5):
        draw.random.shuffle(order)
    yes, no = draw.one_of([(1, 0), (1.0, 0.0), (True, False), ("TRUE", "FALSE"), ("1,0", "0,0"), ("x", "")])
    prefix = draw.one_of(["", "", "", "label_", "class_"])
    columns = [("image", inputs), *((prefix + classes[at], [yes if at == meant else no for meant in truth]) for at in order)]
    style = "Excel, semicolons" if yes == "1,0" else draw.one_of(["pandas", "pandas with index", "Excel", "csv module", "tabs"])
    return case(classes, inputs, truth, columns, reading="near" if prefix or yes == "x" else "one", style=style)


def not_one_hot(draw):
    """Several classes at once, none, shares of annotators, or a binary table that has lost a column (drop_first)."""
    classes = draw.words(3)
    truth = draw.truth(classes)
    inputs = draw.inputs(len(truth))
    kind = draw.one_of(["several", "shares", "drop_first"])
    if kind == "several":
        rows = [[int(at == meant or draw.chance(0.2)) for at in range(len(classes))] for meant in truth]
        truth = [None if sum(row) != 1 else at for row, at in zip(rows, truth)]
    elif kind == "shares":
        rows = [numpy.round(numpy.array([0.6 if at == meant else 0.4 / (len(classes) - 1) for at in range(len(classes))]), 3).tolist() for meant in truth]
    else:
        rows = [[int(at == meant) for at in range(1, len(classes))] for meant in truth]
    names = classes[1:] if kind == "drop_first" else classes
    columns = [("image", inputs), *((name, [row[at] for row in rows]) for at, name in enumerate(names))]
    return case(classes, inputs, truth, columns, reading="none", style="pandas")


def keras(draw):
    """flow_from_directory: classes of sorted folders, file names below them, classes as np.savetxt writes them."""
    classes = sorted(draw.words(2))
    truth = draw.truth(classes, True)
    inputs = [f"{classes[at].replace('/', ' ')}/{number:03d}.jpg" for number, at in enumerate(truth)]
    if draw.chance(0.5):
        return case(classes, inputs, truth, [("filename", inputs), ("class", [classes[at] for at in truth])], style="pandas with index")
    cells = [f"{at:.18e}" for at in numpy.array(truth, dtype=float)]
    return case(classes, inputs, truth, [("filename", inputs), ("class", cells)], numbers=0, reading=reading_of_numbers(truth, classes, truth), style="csv module")


def binary(draw):
    classes = draw.one_of([["negative", "positive"], ["no", "yes"], ["cat", "dog"], ["0", "1"], ["false", "true"], ["False", "True"], ["normal", "pneumonia"]])
    truth = draw.truth(classes, draw.chance(0.8))
    inputs = draw.inputs(len(truth))
    key, label = draw.headers()
    kind = draw.one_of(["0/1", "1/2", "TRUE/FALSE", "True/False", "yes/no", "0.0/1.0"])
    pairs = {"TRUE/FALSE": ["FALSE", "TRUE"], "True/False": [False, True], "yes/no": ["no", "yes"]}
    stated = None
    if kind in pairs:
        cells = [pairs[kind][at] for at in truth]
        exact = [str(cell) for cell in pairs[kind]] == classes
        reading = "one" if exact else "near" if [str(cell).lower() for cell in pairs[kind]] == [name.lower() for name in classes] else "none"
    else:
        stated = 1 if kind == "1/2" else 0
        cells = [float(at) for at in truth] if kind == "0.0/1.0" else [at + stated for at in truth]
        reading = reading_of_numbers([at + stated for at in truth], classes, truth)
        if classes == ["0", "1"] and kind == "1/2":
            reading = "two"
    names = {name: at for at, name in enumerate(classes)}
    apart = kind == "1/2" and all(str(cell) in names for cell in cells)
    return case(classes, inputs, truth, [(key, inputs), (label, cells)], reading=reading, numbers=stated, apart="names of other classes" if apart else None)


def gaps(draw):
    """Missing labels as pandas, NumPy, R and people write them; whole numbers beside them become floats."""
    classes = draw.words()
    truth = [None if draw.chance(0.15) else at for at in draw.truth(classes, draw.chance(0.7))]
    inputs = draw.inputs(len(truth))
    key, label = draw.headers()
    gap = draw.one_of(["", "", "nan", "NaN", "NA", "N/A", "None", "<NA>", "null", "NULL", "?", "-", "-1"])
    kind = draw.one_of(["names", "floats", "whole"])
    cells = [gap if at is None else classes[at] if kind == "names" else f"{float(at)}" if kind == "floats" else str(at) for at in truth]
    reading = "one" if kind == "names" else reading_of_numbers([at for at in truth], classes, truth)
    return case(classes, inputs, truth, [(key, inputs), (label, cells)], reading=reading, numbers=None if kind == "names" else 0, gap=gap)


def gap_is_a_class(draw):
    """Namibia's NA, a class None, unknown: names that libraries take for gaps."""
    classes = draw.one_of([["NA", "ZA", "BW"], ["None", "Mild", "Severe"], ["nan", "pita", "lavash"], ["null", "one"], ["unknown", "cat", "dog"], ["-", "+"], ["?", "!"]])
    truth = draw.truth(classes)
    inputs = draw.inputs(len(truth))
    key, label = draw.headers()
    return case(classes, inputs, truth, [(key, inputs), (label, [classes[at] for at in truth])])


def spreadsheet_numbers(draw):
    """A decimal comma, thousands separators, exponents: whole numbers as a spreadsheet shows them."""
    kind = draw.one_of(["3,0", "3,00", "1.234", "1,234", "1 234", "1E+00", "03", "3.000000"])
    classes = [f"item {at}" for at in range(1500)] if "234" in kind else draw.words(3)
    drawn = numbers(draw, classes, 0, True)
    whole = drawn["truth"]
    separator = {"1.234": ".", "1,234": ",", "1 234": "\u00a0"}.get(kind)
    if separator:
        cells = [f"{at:,}".replace(",", separator) for at in whole]
    elif kind == "1E+00":
        cells = [f"{at:.2E}" for at in whole]
    else:
        cells = [{"3,0": f"{at},0", "3,00": f"{at},00", "03": f"{at:02d}", "3.000000": f"{at:.6f}"}[kind] for at in whole]
    return drawn | {"columns": [("file", drawn["inputs"]), ("label", cells)], "style": "Excel, semicolons", "reading": "near" if separator or kind == "1E+00" else "one"}


def spreadsheet_mangled(draw):
    """Names that a spreadsheet takes for dates, numbers or truth values."""
    classes, shown = draw.one_of(
        [
            (["MARCH1", "SEPT2", "DEC1", "TP53"], ["1-Mar", "2-Sep", "1-Dec", "TP53"]),
            (["1E5", "2E3", "A17"], ["1,00E+05", "2,00E+03", "A17"]),
            (["1/2", "3/4", "1/4"], ["01.Feb", "03.Apr", "01.Apr"]),
            (["true", "false"], ["TRUE", "FALSE"]),
            (["true", "false"], ["WAHR", "FALSCH"]),
            (["-cat", "+dog"], ["#NAME?", "#NAME?"]),
        ]
    )
    truth = draw.truth(classes)
    inputs = draw.inputs(len(truth))
    return case(classes, inputs, truth, [("file", inputs), ("label", [shown[at] for at in truth])], reading="none", style="Excel, semicolons")


def total_row(draw):
    """A row below that is no input: a total, a note, a signature."""
    drawn = draw.one_of([numbers, names_of_data_sets])(draw)
    (key, inputs), (label, cells) = drawn["columns"]
    foot = draw.one_of([("Total", len(cells)), ("Sum", ""), ("labeled by Ann", ""), ("", len(cells))])
    return drawn | {"columns": [(key, [*inputs, foot[0]]), (label, [*cells, foot[1]])], "style": draw.one_of(["pandas", "Excel"])}


def languages(draw):
    """The same name composed in another way: macOS and some keyboards decompose."""
    classes = draw.words(2, ACCENTED)
    truth = draw.truth(classes)
    inputs = draw.inputs(len(truth))
    form, other = draw.one_of([("NFD", "NFC"), ("NFC", "NFD"), ("NFC", "NFC"), ("NFD", "NFD")])
    key, label = draw.one_of(KEY_HEADERS), draw.one_of([*LABEL_HEADERS, "Etikett", "étiquette", "ラベル"])
    return case(
        [unicodedata.normalize(form, name) for name in classes],
        inputs,
        truth,
        [(key, inputs), (label, [unicodedata.normalize(other, classes[at]) for at in truth])],
        style=draw.one_of(["pandas", "Excel", "Excel, semicolons", "pandas without header", "tabs", "UTF-16"]),
    )


def plain_languages(draw):
    classes = draw.words(2, OTHERS)
    truth = draw.truth(classes)
    inputs = [unicodedata.normalize("NFC", f"{draw.one_of(['Bild', 'фото', '写真', 'imagen'])}{at}.jpg") for at in range(len(truth))]
    written = [unicodedata.normalize("NFD", name) for name in inputs] if draw.chance(0.2) else inputs
    return case(classes, inputs, truth, [("name", written), ("label", [classes[at] for at in truth])])


LOOKALIKES = str.maketrans("aceopxy", "асеорху")


def near_misses(draw):
    """Every label spelled otherwise in one manner: case, separators, plurals, look-alikes, invisible characters, full width."""
    manner, change = draw.one_of(
        [
            ("upper case", str.upper),
            ("lower case", str.lower),
            ("title", str.title),
            ("underscores", lambda name: name.replace(" ", "_").replace("-", "_")),
            ("spaces", lambda name: name.replace("_", " ").replace("-", " ")),
            ("plural", lambda name: name + "s"),
            ("full stop", lambda name: name + "."),
            ("Cyrillic", lambda name: name.translate(LOOKALIKES)),
            ("zero width", lambda name: "\u200b" + name),
            ("hard space", lambda name: name.replace(" ", "\u00a0") + "\u00a0"),
            ("full width", lambda name: "".join(chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in name)),
            ("accents lost", lambda name: unicodedata.normalize("NFD", name).encode("ascii", "ignore").decode()),
            ("quoted twice", lambda name: f'"{name}"'),
            ("numbered", lambda name: f"{name}_01"),
            ("path", lambda name: f"data/test/{name}"),
        ]
    )
    # Apfel and Äpfel are one word without accents: no reader can tell.
    classes = [name for name in draw.words(3, ["french", "german", "spanish"] if manner == "accents lost" else None) if name != "Apfel"]
    truth = draw.truth(classes)
    inputs = draw.inputs(len(truth))
    cells = [change(classes[at]) for at in truth]
    exact = all(cell.strip() == classes[at] for cell, at in zip(cells, truth))
    key, label = draw.headers()
    return case(classes, inputs, truth, [(key, inputs), (label, cells)], reading="one" if exact else "near", manner=manner)


def typos(draw):
    """A few rows are misspelled; one is another class's name by a letter."""
    classes = draw.one_of([["cat", "bat", "rat"], ["dog", "frog", "hog"], ["walk", "talk", "stalk"], draw.words(3)])
    truth = draw.truth(classes, True)
    inputs = draw.inputs(len(truth))

    def slip(name):
        if len(name) < 3:
            return name
        at = draw.random.randrange(len(name) - 1)
        return name[:at] + name[at + 1] + name[at] + name[at + 2 :]

    cells = [slip(classes[at]) if draw.chance(0.08) else classes[at] for at in truth]
    truth = [at if cell == classes[at] else None for cell, at in zip(cells, truth)]
    return case(classes, inputs, truth, [("file", inputs), ("label", cells)], reading="one" if None not in truth else "none")


def mixed(draw):
    """Two people's rows in one file: names of one, numbers of the other."""
    classes = draw.words(3)
    truth = draw.truth(classes, True)
    inputs = draw.inputs(len(truth))
    first = draw.one_of([0, 1])
    cells = [str(at + first) if draw.chance(0.4) else classes[at] for at in truth]
    return case(classes, inputs, truth, [("file", inputs), ("label", cells)], reading="none")


def other_labels(draw):
    """The file of another data set, or another pipeline."""
    classes = WORDS["flowers"]
    others = draw.one_of([WORDS["cifar10"], WORDS["trash"], [str(at) for at in range(50, 60)], ["benign", "malignant"], ["1.5", "2.25", "0.1"]])
    inputs = draw.inputs(20)
    return case(classes, inputs, [None] * 20, [("file", inputs), ("label", [draw.one_of(others) for _ in inputs])], reading="none")


def no_labels(draw):
    """Only a header, no file to speak of, a web page, a table that lies on its side."""
    classes = draw.words()
    inputs = draw.inputs(6)
    text = draw.one_of(["", "\n", "file,label\n", "\ufefffile,label\r\n", "<!doctype html>\n<title>Sign in</title>\n", "[]\n", "file," + ",".join(inputs) + "\nlabel," + ",".join([classes[0]] * 6) + "\n"])
    return case(classes, inputs, [None] * 6, text=text, reading="none")


def keys(draw):
    """How a file names its inputs: addresses, absolute paths, Windows, base names, addresses' escapes."""
    classes = draw.words()
    truth = draw.truth(classes)
    kind = draw.one_of(["s3://", "absolute", "./", "backslash", "escaped", "base name", "base name twice", "other case", "quoted", "below the drop"])
    folders = ["a", "b"] if kind in ("base name", "backslash", "absolute", "below the drop") else [""]
    inputs = []
    for at in range(len(truth)):
        name = f"img {at}, left.jpg" if kind in ("escaped", "quoted") else f"IMG_{at}.JPG"
        folder = draw.one_of(folders)
        inputs.append(f"{folder}/{name}" if folder else name)
    if kind == "base name twice":
        inputs = [f"{'ab'[at % 2]}/{at // 2}.jpg" for at in range(len(truth))]
    written = {
        "s3://": lambda name: f"s3://BUCKET/incoming/PIPELINE/DROP/{name}",
        "absolute": lambda name: f"/home/ann/data/{name}",
        "./": lambda name: f"./{name}",
        "backslash": lambda name: name.replace("/", "\\"),
        "escaped": lambda name: urllib.parse.quote(name),
        "base name": lambda name: name.split("/")[-1],
        "base name twice": lambda name: name.split("/")[-1],
        "other case": str.lower,
        "quoted": str,
        "below the drop": lambda name: f"DROP/{name}",
    }[kind]
    exact = kind in ("s3://", "quoted")
    reading = "one" if exact else "none" if kind == "base name twice" else "near"
    return case(
        classes,
        inputs,
        truth,
        [(draw.one_of(KEY_HEADERS), [written(name) for name in inputs]), ("label", [classes[at] for at in truth])],
        reading=reading,
        style=draw.one_of(["pandas", "csv module", "Excel"]),
    )


def twice(draw):
    """A key in two rows, of one label or of two."""
    drawn = names_of_data_sets(draw)
    (key, inputs), (label, cells) = drawn["columns"]
    classes, at = drawn["classes"], draw.random.randrange(len(inputs))
    other = draw.one_of(classes)
    truth = list(drawn["truth"])
    agrees = other == classes[truth[at]]
    return drawn | {
        "columns": [(key, [*inputs, inputs[at]]), (label, [*cells, other])],
        "truth": truth,
        "alternatives": {at: classes.index(other)},
        "reading": "one" if agrees else "two",
        "style": draw.one_of(["pandas", "Excel"]),
    }


def header_is_a_class(draw):
    """Classes whose names are words of headers, with a header and without one."""
    classes = draw.one_of([["label", "logo", "barcode"], ["class", "race"], ["target", "decoy"], ["name", "address", "date"], ["file", "folder"]])
    truth = draw.truth(classes, True)
    inputs = draw.inputs(len(truth))
    if draw.chance(0.5):
        return case(classes, inputs, truth, [("file", inputs), ("label", [classes[at] for at in truth])], style="pandas")
    return case(classes, inputs, truth, [("", inputs), ("", [classes[at] for at in truth])], style="pandas without header")


def json_lines(draw):
    classes = draw.words()
    as_numbers = draw.chance(0.5)
    truth = draw.truth(classes, True)
    inputs = draw.inputs(len(truth))
    kind = draw.one_of(["key", "file_name", "text", "float", "gap"])
    rows = []
    truth = [None if kind == "gap" and draw.chance(0.2) else at for at in truth]
    for name, at in zip(inputs, truth):
        value = None if at is None else (at if as_numbers else classes[at])
        value = str(value) if kind == "text" and at is not None else float(value) if kind == "float" and as_numbers else value
        rows.append(json.dumps({"file_name" if kind == "file_name" else "key": name, "label": value}, ensure_ascii=draw.chance(0.5)))
    reading = reading_of_numbers(truth, classes, truth) if as_numbers else "one"
    return case(classes, inputs, truth, text="\n".join(rows) + "\n", file="labels.jsonl", reading=reading, numbers=0 if as_numbers else None)


def manifests(draw):
    """Ground Truth's output manifest, im2rec's list, Vertex AI's import file."""
    classes = draw.words()
    truth = draw.truth(classes, True)
    inputs = draw.inputs(len(truth))
    kind = draw.one_of(["Ground Truth", "im2rec", "Vertex AI"])
    if kind == "Ground Truth":
        order = list(range(len(classes)))
        draw.random.shuffle(order)
        rows = [
            {
                "source-ref": f"s3://BUCKET/incoming/PIPELINE/DROP/{name}",
                "sort": order[at],
                "sort-metadata": {"class-name": classes[at], "confidence": 0.9, "human-annotated": "yes", "type": "groundtruth/image-classification"},
            }
            for name, at in zip(inputs, truth)
        ]
        return case(classes, inputs, truth, text="".join(json.dumps(row) + "\n" for row in rows), file="labels.jsonl", reading="near")
    if kind == "im2rec":
        rows = [f"{number}\t{at:.6f}\t{name}\n" for number, (name, at) in enumerate(zip(inputs, truth))]
        return case(classes, inputs, truth, text="".join(rows), reading=reading_of_numbers(truth, classes, truth), numbers=0)
    rows = [f"TEST,s3://BUCKET/incoming/PIPELINE/DROP/{name},{classes[at]}\n" for name, at in zip(inputs, truth)]
    return case(classes, inputs, truth, text="".join(rows))


def in_order(draw):
    """np.savetxt of the truth alone, in the order of the files."""
    classes = draw.words()
    truth = draw.truth(classes, True)
    inputs = [f"{at:05d}.png" for at in range(len(truth))]
    out = io.BytesIO()
    numpy.savetxt(out, numpy.array(truth), fmt=draw.one_of(["%d", "%.18e", "%.1f"]))
    return case(classes, inputs, truth, text=out.getvalue(), reading="near", numbers=0)


def folders(draw):
    """No file: the folder is the label, as a name, a number, another spelling."""
    classes = [name.replace("/", " ") for name in draw.words(2, ENGLISH + OTHERS)]
    if draw.chance(0.3):
        classes = draw.one_of([[str(at) for at in range(10)], sorted(str(at) for at in range(12)), [str(at) for at in range(1, 6)]])
    kind = draw.one_of(["names", "names", "NFD", "from 0", "from 1", "upper case"])
    truth = draw.truth(classes, draw.chance(0.6))
    numbers_are = {"from 0": 0, "from 1": 1}.get(kind)
    written = {
        "NFD": lambda at: unicodedata.normalize("NFD", classes[at]),
        "upper case": lambda at: classes[at].upper(),
        "from 0": lambda at: str(at),
        "from 1": lambda at: str(at + 1),
    }.get(kind, lambda at: classes[at])
    labels = [written(at) for at in truth]
    reading, apart = "one", None
    if numbers_are is not None:
        reading = reading_of_numbers([int(name) for name in labels], classes, truth)
        names = {name: at for at, name in enumerate(classes)}
        if all(name in names for name in labels) and [names[name] for name in labels] != truth:
            apart = "names of other classes"
    elif kind == "upper case" and labels != [classes[at] for at in truth]:
        reading = "near"
    elif classes[0].isdigit():
        numbers_are = "names"
    inputs = [f"{label}/{at:04d}.jpg" for at, label in enumerate(labels)]
    return case(classes, inputs, truth, labels=labels, reading=reading, numbers=numbers_are, apart=apart)


FAMILIES = [
    (names_of_data_sets, 8), (numbers, 8), (imagenet_numbers, 2), (caffe_val, 1), (matlab_order, 1), (imagenet_wnids, 2),
    (with_background_class, 2), (background_is_zero, 2), (digits, 3), (street_digits, 1), (number_names, 4), (number_names_as_floats, 2),
    (leading_zeros, 2), (half_stars, 1), (uci_numbers, 3), (uci_codes, 2), (adult, 1), (iris, 1), (letters, 2), (kaggle, 3),
    (kaggle_numbered, 2), (with_other_columns, 5), (two_label_columns, 3), (superclass, 1), (encoded, 2), (one_hot, 4), (not_one_hot, 2),
    (keras, 2), (binary, 5), (gaps, 4), (gap_is_a_class, 2), (spreadsheet_numbers, 2), (spreadsheet_mangled, 2), (total_row, 2),
    (languages, 4), (plain_languages, 2), (near_misses, 4), (typos, 2), (mixed, 2), (other_labels, 2), (no_labels, 1), (keys, 3), (twice, 1),
    (header_is_a_class, 2), (json_lines, 3), (manifests, 2), (in_order, 1), (folders, 6),
]  # fmt: skip


def draw_case(seed, number):
    draw = Draw(f"{seed}/{number}")
    family = draw.random.choices([family for family, _ in FAMILIES], [weight for _, weight in FAMILIES])[0]
    drawn = family(draw)
    content = write(drawn, draw)
    return {
        "id": f"{seed}/{number}",
        "family": family.__name__.replace("_", " "),
        "apart": None,
        **{name: value for name, value in drawn.items() if name not in ("columns", "text")},
        "bytes": None if content is None else base64.b64encode(content).decode(),
    }


def main():
    seed, count = sys.argv[1], int(sys.argv[2])
    only = int(sys.argv[3]) if len(sys.argv) > 3 else None
    for number in range(count) if only is None else [only]:
        print(json.dumps(draw_case(seed, number)))


main()
