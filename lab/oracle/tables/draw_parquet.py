"""Draws Parquet files of all types, codings and codecs, one JSON object a line, each with its cells as pyarrow reads them: draw_parquet.py SEED COUNT [small]

A cell is its JSON text and its text in CSV, null for a list or a structure: numbers with all digits, times in ISO 8601, bytes in Base64; a float
is its repr behind an F. `defect` stands for a text that is not UTF-8. `how` says how the file was written.
"""

import base64
import datetime as dt
import decimal
import io
import json
import math
import random
import sys

import pyarrow as pa
import pyarrow.parquet as pq

seed, count = int(sys.argv[1]), int(sys.argv[2])
small = "small" in sys.argv
draw = random.Random(seed)
D = decimal.Decimal
decimal.getcontext().prec = 60
US = dt.timedelta(microseconds=1)


def integer(bits, signed=True):
    low = -(2 ** (bits - 1)) if signed else 0
    high = low + 2**bits - 1
    return lambda: draw.choice([low, high, 0, draw.randint(low, high), min(high, 2**53 + 1)])


def fixed(digits, scale):
    return lambda: D(draw.choice([draw.randint(-(10**digits) + 1, 10**digits - 1), 0, 7, -7])).scaleb(-scale)


def when(unit, zone=None):
    # Nanoseconds of 64 bits end in 2262, and begin in 1677.
    span = {"s": 10**9, "ms": 10**12, "us": 10**15, "ns": 4 * 10**18}[unit]
    return pa.timestamp(unit, tz=zone), lambda: draw.randint(-span, span)


def some(inner, most=4, none=0.2):
    return lambda: [None if draw.random() < none else inner() for _ in range(draw.randint(0, most))]


FLOATS = [0.1, 1e300, -0.0, math.inf, -math.inf, math.nan, 5e-324, 1e21]
FLOATS32 = [0.5, 1.1, -0.0, math.inf, -math.inf, math.nan, 3.4e38, 1e-45, 16777217.0]
TEXTS = ["cat", "", "é", "日本", 'a,"b"', "line\nbreak", "😀", " x ", "1", "null"]
blob = lambda size: lambda: draw.randbytes(size)
KINDS = {
    **{f"int{bits}": (getattr(pa, f"int{bits}")(), integer(bits)) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": (getattr(pa, f"uint{bits}")(), integer(bits, False)) for bits in (8, 16, 32, 64)},
    "float16": (pa.float16(), lambda: draw.choice([0.5, -2.0, 1.0, 65504.0, math.nan, 6e-8])),
    "float32": (pa.float32(), lambda: draw.choice([*FLOATS32, draw.gauss(0, 1)])),
    "float64": (pa.float64(), lambda: draw.choice([*FLOATS, draw.gauss(0, 1)])),
    "bool": (pa.bool_(), lambda: draw.random() < 0.5),
    "string": (pa.string(), lambda: draw.choice(TEXTS)),
    "large_string": (pa.large_string(), lambda: draw.choice(TEXTS)),
    "dictionary": (pa.dictionary(pa.int32(), pa.string()), lambda: draw.choice(["red", "green", "blue"])),
    "broken": (pa.binary(), lambda: draw.choice([b"a", b"\xe4", "ä".encode()])),
    "binary": (pa.binary(), blob(5)),
    "fixed": (pa.binary(4), blob(4)),
    "decimal9": (pa.decimal128(9, 2), fixed(9, 2)),
    "decimal18": (pa.decimal128(18, 4), fixed(18, 4)),
    "decimal38": (pa.decimal128(38, 10), fixed(38, 10)),
    "decimal0": (pa.decimal128(20, 0), fixed(20, 0)),
    "decimal50": (pa.decimal256(50, 50), fixed(50, 50)),
    "date": (pa.date32(), lambda: dt.date(1970, 1, 1) + dt.timedelta(days=draw.randint(-700_000, 2_900_000))),
    "ts_s": when("s"),
    "ts_ms": when("ms"),
    "ts_us": when("us"),
    "ts_ns": when("ns"),
    "ts_utc": when("us", "UTC"),
    "ts_zone": when("ms", "Europe/Zurich"),
    "time_ms": (pa.time32("ms"), lambda: draw.randint(0, 86_399_999)),
    "time_us": (pa.time64("us"), lambda: draw.randint(0, 86_399_999_999)),
    "time_ns": (pa.time64("ns"), lambda: draw.randint(0, 86_399_999_999_999)),
    "list_float32": (pa.list_(pa.float32()), some(lambda: draw.choice([0.5, 1.1, math.nan]))),
    "fixed_list": (pa.list_(pa.float32(), 3), lambda: [0.5, 1.0, 2.0]),
    "list_list": (pa.list_(pa.list_(pa.int64())), some(some(integer(64)), 3, 0)),
    "list_decimal": (pa.list_(pa.decimal128(30, 3)), some(fixed(30, 3))),
    "list_ts": (pa.list_(pa.timestamp("us")), some(lambda: draw.randint(0, 10**15))),
    "struct": (
        pa.struct([("a", pa.int64()), ("b", pa.string()), ("c", pa.decimal128(9, 2)), ("d", pa.date32())]),
        lambda: {"a": draw.choice([2**53 + 1, None]), "b": "x", "c": fixed(9, 2)(), "d": dt.date(2020, 1, 2)},
    ),
    "list_struct": (pa.list_(pa.struct([("a", pa.int32())])), some(lambda: {"a": draw.randint(0, 5)}, 3, 0)),
    "map": (pa.map_(pa.string(), pa.int64()), lambda: [("k", 2**60), ("é", None)][: draw.randint(0, 2)]),
    "map_time": (pa.map_(pa.string(), pa.time64("us")), lambda: [("k", 1), ("l", 2)][: draw.randint(0, 2)]),
}


def moment(units, unit, zone=None):
    digits = {"s": 3, "ms": 3, "us": 6, "ns": 9}[unit]
    if unit == "s":
        units *= 1000
    whole, rest = divmod(units, 10**digits)
    day = dt.datetime(1970, 1, 1) + dt.timedelta(seconds=whole)
    return f"{day.isoformat()}.{rest:0{digits}}{'Z' if zone else ''}"


def clock(units, unit):
    return moment(units, unit)[11:]


def plain(value, kind):
    """A value of an Arrow type as a tree of texts for JSON."""
    if value is None:
        return "null"
    if pa.types.is_timestamp(kind):
        return json.dumps(moment(value.value, kind.unit, kind.tz))
    if pa.types.is_time(kind):
        return json.dumps(clock(value.value, kind.unit))
    if pa.types.is_list(kind) or pa.types.is_fixed_size_list(kind):
        return "[" + ",".join(plain(one if one.is_valid else None, kind.value_type) for one in value.values) + "]"
    if pa.types.is_map(kind):
        pairs = [(one["key"].as_py(), one["value"]) for one in value.values]
        return members((name, plain(one if one.is_valid else None, kind.item_type)) for name, one in pairs)
    if pa.types.is_struct(kind):
        fields = [(field.name, field.type, value[field.name]) for field in kind]
        return members((name, plain(one if one.is_valid else None, own)) for name, own, one in fields)
    own = value.as_py()
    if isinstance(own, bool):
        return json.dumps(own)
    if isinstance(own, float) or pa.types.is_floating(kind):
        own = float(own)
        return "null" if math.isnan(own) or math.isinf(own) else f"F{own!r}"
    if isinstance(own, D):
        return format(own, "f")
    if isinstance(own, bytes):
        return json.dumps(base64.b64encode(own).decode())
    if isinstance(own, dt.date):
        return json.dumps(own.isoformat())
    return json.dumps(own, ensure_ascii=False)


def members(pairs):
    return "{" + ",".join(f"{json.dumps(name, ensure_ascii=False)}:{text}" for name, text in pairs) + "}"


def cell(value, kind, name):
    if name == "broken" and value.is_valid:
        try:
            text = value.as_buffer().to_pybytes().decode()
            return [json.dumps(text, ensure_ascii=False), text]
        except UnicodeDecodeError:
            return "defect"
    text = plain(value if value.is_valid else None, kind)
    if pa.types.is_nested(kind):
        return [text, None if value.is_valid else ""]
    if not value.is_valid:
        return ["null", ""]
    if pa.types.is_floating(kind) and text == "null":
        own = float(value.as_py())
        return [text, "nan" if math.isnan(own) else "inf" if own > 0 else "-inf"]
    return [text, json.loads(text) if text.startswith('"') else text]


for _ in range(count):
    names = draw.sample(sorted(KINDS), draw.randint(1, 6))
    rows = draw.choice([0, 1, 5, 12] if small else [0, 1, 10, 1000, 3000])
    nulls = draw.choice([0, 0.2])
    columns, fields = [], []
    for name in names:
        kind, value = KINDS[name]
        values = [None if draw.random() < nulls else value() for _ in range(rows)]
        # A column that has no null may say so.
        required = nulls == 0 and draw.random() < 0.3
        array = pa.array(values, type=kind)
        if name == "broken":
            array, kind = array.view(pa.string()), pa.string()
        columns.append(array)
        fields.append(pa.field(name, kind, nullable=not required))
    table = pa.Table.from_arrays(columns, schema=pa.schema(fields))
    how = {
        "compression": draw.choice(["none", "snappy", "gzip", "zstd", "brotli", "lz4"]),
        "row_group_size": draw.choice([5, 100, 10_000]),
        "data_page_size": draw.choice([100, 4_000, 2**20]),
        "write_batch_size": draw.choice([1, 10, 1024]),
        "data_page_version": draw.choice(["1.0", "2.0"]),
        "use_dictionary": draw.random() < 0.5,
        "version": draw.choice(["1.0", "2.4", "2.6"]),
        "write_page_index": draw.random() < 0.5,
        "store_schema": draw.random() < 0.5,
        "use_deprecated_int96_timestamps": draw.random() < 0.1,
        "store_decimal_as_integer": draw.random() < 0.3,
    }
    if not how["use_dictionary"] and draw.random() < 0.4:
        split = [name for name in names if name.startswith(("float", "int32", "int64"))]
        how["use_byte_stream_split"] = split or False
    out = io.BytesIO()
    # Older versions have no nanoseconds.
    older = {} if how["version"] == "2.6" else {"coerce_timestamps": "us", "allow_truncated_timestamps": True}
    pq.write_table(table, out, **how, **older)
    read = pq.ParquetFile(io.BytesIO(out.getvalue())).read()
    cells = [[cell(value, column.type, name) for value in column] for name, column in zip(names, read.columns)]
    drawn = {
        "bytes": base64.b64encode(out.getvalue()).decode(),
        "titles": names,
        "rows": [list(row) for row in zip(*cells)],
        "how": how,
    }
    print(json.dumps(drawn))
