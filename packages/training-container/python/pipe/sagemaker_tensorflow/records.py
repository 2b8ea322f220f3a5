"""Records of a stream, in pure Python: TFRecord, RecordIO, TextLine."""

import struct

_TFRECORD = struct.Struct("<QI")
_RECORDIO = struct.Struct("<II")
_MAGIC = 0xCED7230A
_LENGTH_BITS = (1 << 29) - 1


def read_records(stream, record_format):
    """Yields bytes; checksums of TFRecords are not compared."""
    return _READERS[record_format](stream)


def _exactly(stream, size):
    data = stream.read(size)
    if len(data) != size:
        raise EOFError("the stream ended within a record: %d bytes of %d" % (len(data), size))
    return data


def _tfrecords(stream):
    while True:
        head = stream.read(1)
        if not head:
            return
        size, _ = _TFRECORD.unpack(head + _exactly(stream, _TFRECORD.size - 1))
        yield _exactly(stream, size)
        _exactly(stream, 4)


def _recordio(stream):
    while True:
        head = stream.read(1)
        if not head:
            return
        magic, word = _RECORDIO.unpack(head + _exactly(stream, _RECORDIO.size - 1))
        if magic != _MAGIC or word > _LENGTH_BITS:
            raise ValueError("not a whole record of RecordIO: %08x %08x" % (magic, word))
        yield _exactly(stream, word)
        _exactly(stream, -word % 4)


def _lines(stream):
    for line in stream:
        yield line[:-1] if line.endswith(b"\n") else line


_READERS = {"TFRecord": _tfrecords, "RecordIO": _recordio, "TextLine": _lines}
FORMATS = tuple(_READERS)
