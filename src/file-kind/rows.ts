import { isText, isUtf16, jsonForm } from './text-form.ts';
import { type FileEnds, ZIP_MARKS } from './zip-names.ts';

/** A file as the rows look at it. */
export interface Seen extends FileEnds {
  /** Its first 8 kB, a character a byte. */
  readonly text: string;
  /** Names of its members, of a ZIP archive or a tar. */
  readonly names: readonly string[];
  /** Whether all members of a ZIP archive are named. */
  readonly isWhole: boolean;
}

/** A kind of file: its words, what becomes of it in a drop, and how it is recognized. */
export interface Row {
  /** Words that follow "is". */
  readonly what: string;
  /** `open`: a file of records, or of files. `send`: one input. `refuse`: never sent, if a content type is one that it can't be. */
  readonly role: 'open' | 'send' | 'refuse';
  /** The way out for a file that is refused. */
  readonly remedy?: string;
  /** The way out if it was given as a table; `remedy` if there is none. */
  readonly asTable?: string;
  /** Content types under which it's sent all the same; `none` for files that are never an input, such as an error page. */
  readonly types?: RegExp | 'none';
  /** The word for it among kinds that a model may read alike; `what` if there is none. */
  readonly family?: string;
  /** How to get a model of this kind into an archive that a container serves. */
  readonly model?: string;
  readonly is: RegExp | ((file: Seen) => boolean);
}

const SCRIPT =
  'set model.framework to "pytorch" and pack it with a code/inference.py that loads it in model_fn (and ' +
  'code/requirements.txt with the package that reads it)';
const PACKED = 'inferdrop model pack model.tar.gz -o model.tar.gz converts it';
const EXPORT =
  'inferdrop model pack FILE --python PYTHON -o model.tar.gz exports it in the Python that made it';
const FUNCTION = 'add --code with an inference.py and a model_fn that';
const AS_MODEL = 'inferdrop init takes models; a drop only holds inputs';
const toCsv = (read: string): string =>
  `write it as CSV: pandas.read_${read}.to_csv("table.csv", index=False)`;
const EXCEL = `save it as CSV UTF-8, or ${toCsv('excel(FILE)')}`;
const UNPACK = 'unpack it, or pack its files as a .tar';
const GZIP = 'unpack it';
const TAR = 'unpack it, or if it is a tar, compress it with gzip';
const REPACK = 'unpack it, or compress it with gzip';
const UNSEEN =
  'what is in it is not looked at, so write a model again with joblib.dump(model, FILE, compress=3), and compress an ' +
  'archive with gzip';
const MARKUP = /xml|html|svg|^text\/(?!csv)/;

const open = (what: string, is: Row['is'], family = what): Row => ({ what, role: 'open', is, family });
const send = (what: string, is: Row['is'], family = what): Row => ({ what, role: 'send', is, family });
const image = (format: string, is: RegExp): Row => send(`a ${format} image`, is, 'images');
const refuse = (what: string, remedy: string, is: Row['is'], types?: Row['types']): Row => ({
  what,
  role: 'refuse',
  remedy,
  is,
  ...(types && { types }),
});
const model = (what: string, how: string, is: Row['is']): Row => ({
  what,
  role: 'refuse',
  remedy: AS_MODEL,
  model: how,
  is,
});

const zip =
  (...names: readonly RegExp[]) =>
  (file: Seen): boolean =>
    isZip(file) && names.every((name) => file.names.some((one) => name.test(one)));
const isZip = ({ text }: Seen): boolean => ZIP_MARKS.some((mark) => text.startsWith(mark));
/** A mark of letters, which a text may begin with. */
const binary =
  (mark: RegExp) =>
  ({ text }: Seen): boolean =>
    mark.test(text) && !isText(text);
const brand =
  (brands: RegExp) =>
  ({ text }: Seen): boolean =>
    text.startsWith('ftyp', 4) && brands.test(text.slice(8, 12));

/** Members by which a tar is a model, or the unpacked content of one. */
export const MODEL_MEMBER =
  /(?:^|\/)saved_model\.pb$|^(?:\.\/)?(?:model\.(?:onnx|pt|pth)|code\/inference\.py)$/;

/* eslint-disable no-control-regex -- files begin with them */
/** Kinds in the order in which they are tried. */
export const ROWS = {
  empty: refuse('empty', 'take the whole file', ({ sizeBytes }) => sizeBytes === 0, 'none'),
  lfs: refuse(
    'a pointer of Git LFS instead of the file',
    'run git lfs pull, and take the file that it fetches',
    /^version https:\/\/git-lfs\.github\.com\/spec\//,
    'none',
  ),
  's3-error': refuse(
    'an error message of S3 instead of the file',
    'download the file again',
    /^(?:<\?xml[^>]*>\s*)?<Error>\s*<Code>/,
    'none',
  ),
  // Tables.
  parquet: refuse(
    'a Parquet table',
    `set columns in pipeline.json, which opens it, or ${toCsv('parquet(FILE)')}`,
    binary(/^PAR1/),
  ),
  'parquet-encrypted': refuse('an encrypted Parquet table', 'write it without encryption', binary(/^PARE/)),
  xlsx: refuse('an Excel workbook', EXCEL, zip(/^xl\//)),
  ods: refuse('an OpenDocument file', EXCEL, ({ text }) =>
    text.slice(0, 200).includes('mimetypeapplication/vnd.oasis.opendocument.'),
  ),
  xls: refuse(
    'an Office file of before 2007, or one with a password',
    `save a table as CSV UTF-8, without a password`,
    /^\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1/,
  ),
  docx: refuse('a Word document', 'save its text as a file, or its pages as images', zip(/^word\//)),
  avro: refuse('an Avro file', 'write its records as CSV or JSON Lines', /^Obj\u0001/),
  orc: refuse('an ORC table', toCsv('orc(FILE)'), binary(/^ORC/)),
  arrow: refuse('an Arrow or Feather table', toCsv('feather(FILE)'), /^(?:ARROW1|FEA1)\0\0/),
  sqlite: refuse('an SQLite database', toCsv('sql("select …", connection)'), /^SQLite format 3\u0000/),
  // Models.
  keras: model(
    'a Keras model',
    EXPORT,
    (file) => zip(/^model\.weights\.h5$/)(file) || zip(/^metadata\.json$/, /^config\.json$/)(file),
  ),
  'torch-export': model(
    'a program of torch.export, which the container does not load on its own',
    `${FUNCTION} calls torch.export.load(FILE).module(), or write torch.jit.script(model).save("model.pt")`,
    zip(/^(?:[^/]+\/)?(?:serialized_exported_program\.json|archive_format|models\/[^/]+\.json)$/),
  ),
  torchscript: model(
    'TorchScript, which the PyTorch container loads',
    'set model.framework to "pytorch" and pack it with inferdrop model pack FILE -o model.tar.gz',
    zip(/^[^/]+\/constants\.pkl$/),
  ),
  'torch-state': model(
    'a PyTorch file without TorchScript, such as a state dict, which holds no network',
    `${FUNCTION} builds the network and loads it, or write torch.jit.script(model).save("model.pt")`,
    // The number that torch.save wrote first until PyTorch 1.6.
    (file) =>
      file.text.startsWith('\u0080\u0002\u008a\nl\u00fc\u009cF\u00f9 j\u00a8P\u0019') ||
      (file.isWhole && zip(/^[^/]+\/data\.pkl$/)(file)),
  ),
  hdf5: {
    ...refuse('an HDF5 file, as Keras or pandas writes it', toCsv('hdf(FILE)'), /^\u0089HDF\r\n\u001a\n/),
    model: `${EXPORT} (if it only has weights, build the network and call load_weights first)`,
  },
  gguf: model('a language model in GGUF', 'give an image that serves it in model.image', /^GGUF[^]\0{3}/),
  tflite: model(
    'a TensorFlow Lite model, which TensorFlow Serving does not load',
    'write the network that it was converted from as a SavedModel: model.export("saved")',
    binary(/^[^]{4}TFL3/),
  ),
  safetensors: model(
    'weights in safetensors, which hold no network',
    `set model.framework to "pytorch", and ${FUNCTION} builds the network and loads them`,
    /^[^]{6}\0\0\{"/,
  ),
  pickle: model(
    'a pickled Python object, as scikit-learn and joblib write it',
    `inferdrop model pack FILE --python PYTHON -o model.tar.gz converts it in the Python that made it; or ${SCRIPT}`,
    // A byte of an operation is third, which the length of a TFRecord's first record is not.
    /^\u0080[\u0002-\u0005][(-}\u0085-\u0095]/,
  ),
  xgboost: model(
    'an XGBoost model',
    PACKED,
    /^\{(?:[iU][^]|I[^]{2}|l[^]{4}|L[^]{8})(?:learner|version)|^\{\s*"learner"\s*:\s*\{\s*"(?:attributes|feature_names|gradient_booster)"/,
  ),
  lightgbm: model('a LightGBM model', PACKED, /^tree\r?\nversion=/),
  catboost: model(
    'a CatBoost model',
    PACKED,
    (file) => binary(/^CBM1/)(file) || /^\{\s*"(?:ctr_data|features_info)"\s*:\s*\{/.test(file.text),
  ),
  onnx: model(
    'an ONNX model',
    'set model.framework to "onnx" and pack it with inferdrop model pack FILE -o model.tar.gz',
    // Field 1 is the version of the format, which a SavedModel has too, but as 1; field 2 the name of a producer, or 3, 7, 8.
    /^\u0008[\u0003-\u001f][\u0012\u001a:B]/,
  ),
  'model-tar': refuse(
    'an archive of a model',
    AS_MODEL,
    ({ names, text }) => isTar(text) && names.some((name) => MODEL_MEMBER.test(name)),
  ),
  // Archives.
  npz: refuse(
    'NumPy arrays in a ZIP archive (npz)',
    'write each array as a file, numpy.save("0.npy", array), with transform.contentType "application/x-npy"',
    zip(/\.npy$/),
  ),
  zip: {
    ...refuse('a ZIP archive', UNPACK, isZip),
    asTable: 'unpack it, and drop the tables that are in it',
  },
  tar: {
    ...open('a tar', ({ text }) => isTar(text)),
    asTable: 'unpack it, and drop the tables that are in it',
  },
  gzip: {
    ...refuse('compressed with gzip', GZIP, /^\u001f\u008b\u0008/),
    model:
      'no container looks into it, so unpack it, and pack its files at the root (tar czf model.tar.gz -C FOLDER .)',
  },
  zstd: { ...refuse('compressed with zstd', TAR, /^\u0028\u00b5\u002f\u00fd/), asTable: REPACK },
  bzip2: { ...refuse('compressed with bzip2', TAR, /^BZh[1-9]1AY&SY/), asTable: REPACK, model: UNSEEN },
  xz: { ...refuse('compressed with xz', TAR, /^\u00fd7zXZ\u0000/), asTable: REPACK, model: UNSEEN },
  lzma: {
    ...refuse('compressed with LZMA', TAR, /^\]\0\0[^]\0\u00ff{8}\0/),
    asTable: REPACK,
    model: UNSEEN,
  },
  '7z': { ...refuse('a 7z archive', UNPACK, /^7z\u00bc\u00af\u0027\u001c/), asTable: REPACK },
  rar: { ...refuse('a RAR archive', UNPACK, /^Rar!\u001a\u0007/), asTable: REPACK },
  // Images, sound, arrays.
  png: image('PNG', /^\u0089PNG\r\n\u001a\n/),
  jpeg: image('JPEG', /^\u00ff\u00d8\u00ff/),
  gif: image('GIF', /^GIF8[79]a/),
  webp: image('WebP', /^RIFF[^]{4}WEBP/),
  bmp: image('BMP', /^BM[^]{4}\0{4}/),
  tiff: image('TIFF', /^(?:II\*\0|MM\0\*)/),
  heic: refuse(
    'an HEIC photograph, as iPhones take it',
    'convert it to JPEG: no container of AWS decodes it',
    brand(/^(?:hei[cmsx]|hev[cmsx]|mif1|msf1)$/),
    /hei[cf]/,
  ),
  avif: refuse('an AVIF image', 'convert it to JPEG or PNG', brand(/^avi[fs]$/), /avif/),
  video: refuse(
    'a video',
    'take images from it, as ffmpeg -i FILE frame-%05d.png does',
    (file) => brand(/^(?!M4A)/)(file) || /^\u001aE\u00df\u00a3|^RIFF[^]{4}AVI /.test(file.text),
  ),
  sound: send('a sound file', /^(?:RIFF[^]{4}WAVE|ID3[\u0002-\u0004]|fLaC|OggS|[^]{4}ftypM4A)/),
  dicom: send('a DICOM image', /^[^]{128}DICM/),
  npy: send('a NumPy array', /^\u0093NUMPY/),
  matlab: refuse('a MATLAB file', 'write each array with numpy.save', /^MATLAB 5\.0 MAT-file/),
  recordio: send('RecordIO', /^\u000a\u0023\u00d7\u00ce/),
  pdf: refuse('a PDF document', 'take its pages as images, as pdftoppm -png FILE page does', /^%PDF-/),
  // Texts.
  html: refuse(
    'a web page',
    'if it was saved instead of the file, as an error page is, download the file again',
    /^(?:\u00ef\u00bb\u00bf)?\s*<(?:!doctype\s+html|html|head|body)\b/i,
    MARKUP,
  ),
  svg: refuse(
    'an SVG drawing',
    'convert it to PNG',
    /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)?(?:<!DOCTYPE svg[^>]*>\s*)?<svg\b/i,
    MARKUP,
  ),
  xml: refuse(
    'an XML document',
    'write its records as CSV or JSON Lines',
    /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml\b/,
    MARKUP,
  ),
  notebook: refuse(
    'a Jupyter notebook',
    'a drop only holds inputs',
    /^\s*\{[^]*"(?:cell_type|nbformat)"\s*:/,
    MARKUP,
  ),
  'utf-16': refuse('text in UTF-16', 'save it as UTF-8, in Excel as "CSV UTF-8"', ({ head }) =>
    isUtf16(head),
  ),
  'json-list': open('one JSON list', (file) => jsonForm(file) === 'list', 'JSON'),
  'json-lines': open('JSON Lines', (file) => jsonForm(file) === 'lines', 'JSON'),
  json: send('a JSON document', (file) => jsonForm(file) === 'document', 'JSON'),
  text: open('text', ({ text }) => isText(text)),
  unknown: send('of no known kind', () => true),
} as const satisfies Readonly<Record<string, Row>>;
/* eslint-enable no-control-regex */

function isTar(text: string): boolean {
  return text.startsWith('ustar', 257);
}
