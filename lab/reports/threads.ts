import { onnxModel, savedModel } from './models.ts';

type Files = Readonly<Record<string, string | Buffer>>;

/** A public thread, rebuilt small. To add one, add an object to {@link THREADS}; nothing of its text is copied. */
export interface Thread {
  /** `owner/repository#number` on GitHub. */
  readonly thread: string;
  /** The input, in words of our own. */
  readonly what: string;
  /** Files of model.tar.gz. */
  readonly model: Files;
  readonly pipeline: object;
  /** Files of the drop. */
  readonly files: Files;
  /** The outcome that the reporter needed. */
  readonly wanted: {
    /** `refused by put`, `refused by drop` (before any upload), or the status of the run's report. */
    readonly ends: string;
    readonly jobs?: number;
    /** Right answers. */
    readonly right?: number;
    /** Texts in the refusal, the report or errors.csv. */
    readonly says?: readonly string[];
  };
  /** The work that has to come first. A row that is open and passes fails the suite: then it's closed by deleting this field. */
  readonly open?: string;
}

const TAB: Files = { '1/saved_model.pb': savedModel() };
const ONNX: Files = { 'model.onnx': onnxModel() };

const [CAT, DOG, BIRD] = ['4,1,0,0', '0,4,0,0', '1,2,3,4'];
const json = (row: string | undefined): string => `{"instances":[[${row}]]}`;
const BY_FOLDER: Files = { 'cat/a.json': json(CAT), 'dog/b.json': json(DOG), 'bird/c.json': json(BIRD) };
const withLabels = (labels: string | Buffer): Files => ({
  'a.json': json(CAT),
  'b.json': json(DOG),
  'c.json': json(BIRD),
  'labels.csv': labels,
});

const CLASSES = ['cat', 'dog', 'bird'];
const pipeline = (transform: object = {}, labels: object = {}, more: object = {}): object => ({
  model: { framework: 'tensorflow', frameworkVersion: '2.19' },
  transform: { contentType: 'application/json', invocationsMaxRetries: 0, ...transform },
  labels: { classes: CLASSES, truth: { from: 'folder' }, ...labels },
  ...more,
});
const IN_FILE = { truth: { from: 'file', path: 'labels.csv' } };
const LINES = pipeline(
  {
    contentType: 'application/jsonlines',
    accept: 'application/jsonlines',
    inputFilter: '$.features',
    splitType: 'Line',
    assembleWith: 'Line',
  },
  { truth: { from: 'record', path: '$.label' } },
);
const line = (label: string, features: string | undefined): string =>
  `{"label":"${label}","features":[${features}]}`;
const RECORDS = [line('cat', CAT), line('dog', DOG), line('bird', BIRD)];
const rows = (count: number): string[] => Array.from({ length: count }, (_, at) => RECORDS[at % 3] ?? '');
const CSV = pipeline(
  {
    contentType: 'text/csv',
    accept: 'text/csv',
    splitType: 'Line',
    assembleWith: 'Line',
    inputFilter: '$[0,1,2,3]',
  },
  { truth: { from: 'record', path: '$[4]' } },
  { model: { framework: 'onnx', frameworkVersion: '2.6', networkIsolation: false } },
);

/** A handler that turns rows round, so that its absence shows in the answers. */
const REVERSING = `import json
def input_handler(data, context):
    return json.dumps({'instances': [row[::-1] for row in json.loads(data.read())['instances']]})
def output_handler(response, context):
    return response.content, context.accept_header
`;
const SLOW = `import time
def handler(data, context):
    time.sleep(3)
    return '{"predictions": [[1, 0, 0]]}', 'application/json'
`;
const IMPORTING = `from code.helper import reverse\n${REVERSING}`;

/** Outcomes that several threads need. */
const BY_PUT = { ends: 'refused by put', jobs: 0 };
const BY_PLAN = { ends: 'refused', jobs: 0 };
const ALL_RIGHT = { ends: 'completed', right: 3 };

export const THREADS: readonly Thread[] = [
  // Archives.
  {
    thread: 'aws/sagemaker-tensorflow-serving-container#162',
    what: 'the handler lies in the folder of the version',
    model: { ...TAB, '1/code/inference.py': REVERSING },
    pipeline: pipeline(),
    files: BY_FOLDER,
    wanted: {
      ...BY_PUT,
      says: ['has 1/code/inference.py, which no container reads: move it to code/inference.py'],
    },
  },
  {
    thread: 'aws/sagemaker-tensorflow-serving-container#148',
    what: 'the handler lies at the root',
    model: { ...TAB, 'inference.py': REVERSING },
    pipeline: pipeline(),
    files: BY_FOLDER,
    wanted: { ...BY_PUT, says: ['move it to code/inference.py'] },
  },
  {
    thread: 'aws/sagemaker-python-sdk#831',
    what: 'handler and requirements.txt lie in the folder of the version',
    model: { ...TAB, '1/code/inference.py': REVERSING, '1/code/requirements.txt': 'requests' },
    pipeline: pipeline(),
    files: BY_FOLDER,
    wanted: { ...BY_PUT, says: ['move it to code/inference.py'] },
  },
  {
    thread: 'aws/sagemaker-python-sdk#828',
    what: 'the folder of the model has a name that is no number',
    model: { 'v1/saved_model.pb': savedModel() },
    pipeline: pipeline(),
    files: BY_FOLDER,
    wanted: { ...BY_PUT, says: ['move it to 1/saved_model.pb'] },
  },
  {
    thread: 'aws/sagemaker-tensorflow-serving-container#121',
    what: 'two versions of a model: the higher one answers',
    model: { '9/saved_model.pb': savedModel({ outputs: ['twice'] }), '10/saved_model.pb': savedModel() },
    pipeline: pipeline(),
    files: BY_FOLDER,
    wanted: { ...ALL_RIGHT, jobs: 1 },
  },
  {
    thread: 'aws/sagemaker-tensorflow-serving-container#37',
    what: 'two models in an archive, and none is named',
    model: {
      'one/1/saved_model.pb': savedModel(),
      'two/1/saved_model.pb': savedModel({ outputs: ['twice'] }),
    },
    pipeline: pipeline(),
    files: BY_FOLDER,
    wanted: { ...BY_PUT, says: ['SAGEMAKER_TFS_DEFAULT_MODEL_NAME', 'one, two'] },
  },
  {
    thread: 'amirpandi/Deep_AMP#5',
    what: 'the handler imports a module from code, which is Python’s own',
    model: { ...TAB, 'code/inference.py': IMPORTING, 'code/helper.py': 'reverse = None' },
    pipeline: pipeline(),
    files: BY_FOLDER,
    wanted: { ...BY_PUT, says: ['import helper'] },
  },
  {
    thread: 'onnx/sklearn-onnx#550',
    what: 'a converted classifier that has an output for each class',
    model: { 'model.onnx': onnxModel({ isByColumn: true }) },
    pipeline: CSV,
    files: { 'a.csv': `${CAT},cat\n` },
    wanted: { ...BY_PUT, says: ['options={"zipmap": False}'] },
  },

  // Requests.
  {
    thread: 'tensorflow/serving#1339',
    what: 'the model has no signature serving_default',
    model: { '1/saved_model.pb': savedModel({ signature: 'predict_scores' }) },
    pipeline: pipeline(),
    files: BY_FOLDER,
    wanted: { ...BY_PLAN, says: ['it has predict_scores'] },
  },
  {
    thread: 'aws/amazon-sagemaker-examples#729',
    what: 'a content type with its charset, which images before 2.20 do not know',
    model: TAB,
    pipeline: pipeline({ contentType: 'application/json; charset=utf-8' }),
    files: BY_FOLDER,
    wanted: { ...BY_PUT, says: ['write "application/json"'] },
  },
  {
    thread: 'huggingface/notebooks#227',
    what: 'lines that are whole requests, and are not glued into one',
    model: TAB,
    pipeline: pipeline(
      { splitType: 'Line', assembleWith: 'Line', batchStrategy: 'MultiRecord' },
      { truth: null },
    ),
    files: { 'a.jsonl': `${json(CAT)}\n${json(DOG)}\n` },
    wanted: { ends: 'completed', jobs: 1 },
  },
  {
    thread: 'aws/amazon-sagemaker-examples#1073',
    what: 'a handler that is slower than the timeout',
    model: { ...TAB, 'code/inference.py': SLOW },
    pipeline: pipeline({ invocationsTimeoutInSeconds: 1, maxConcurrentTransforms: 1 }),
    files: { 'cat/a.json': json(CAT), 'dog/b.json': json(DOG) },
    wanted: { ends: 'failed', jobs: 1, says: ['transform.invocationsTimeoutInSeconds'] },
  },
  {
    thread: 'aws/sagemaker-tensorflow-serving-container#207',
    what: 'a request that is a bare list of rows',
    model: TAB,
    pipeline: pipeline(),
    files: { 'cat/a.json': `[[${CAT}]]`, 'dog/b.json': `[[${DOG}]]`, 'bird/c.json': `[${BIRD}]` },
    wanted: ALL_RIGHT,
  },

  // Labels.
  {
    thread: 'csvbase/csvbase#11',
    what: 'classes 1, 2, 3 and labels that pandas wrote as 1.0, 2.0, 3.0',
    model: TAB,
    pipeline: pipeline({}, { classes: ['1', '2', '3'], ...IN_FILE }),
    files: withLabels('file,label\na.json,1.0\nb.json,2.0\nc.json,3.0\n'),
    wanted: ALL_RIGHT,
  },
  {
    thread: 'mlcommons/GaNDLF#900',
    what: 'labels from 0 for classes that are named from 1: neither reading is certain',
    model: TAB,
    pipeline: pipeline({}, { classes: ['1', '2', '3'], ...IN_FILE }),
    files: withLabels('file,label\na.json,0\nb.json,1\nc.json,2\n'),
    wanted: BY_PLAN,
  },
  {
    thread: 'modestyachts/ImageNetV2#10',
    what: 'folder 1 is class 01, not the class of index 1',
    model: TAB,
    pipeline: pipeline({}, { classes: ['01', '02', '10'] }),
    files: { '01/a.json': json(CAT), '02/b.json': json(DOG), '10/c.json': json(BIRD), '1/d.json': json(CAT) },
    wanted: BY_PLAN,
  },
  {
    thread: 'roboflow/supervision#625',
    what: 'labels with a column for each class',
    model: TAB,
    pipeline: pipeline({}, IN_FILE),
    files: withLabels('filename,cat,dog,bird\na.json,1,0,0\nb.json,0,1,0\nc.json,0,0,1\n'),
    wanted: ALL_RIGHT,
  },
  {
    thread: 'harelba/q#98',
    what: 'a label file in UTF-16, as Excel writes Unicode text',
    model: TAB,
    pipeline: pipeline({}, IN_FILE),
    files: withLabels(Buffer.from('\ufefffile,label\na.json,cat\nb.json,dog\nc.json,bird\n', 'utf16le')),
    wanted: ALL_RIGHT,
  },

  // Tables.
  {
    thread: 'aws/amazon-sagemaker-examples#3783',
    what: 'empty lines at the end of a file of records',
    model: TAB,
    pipeline: LINES,
    files: { 'a.jsonl': `${RECORDS.join('\n')}\n\n\n` },
    wanted: ALL_RIGHT,
  },
  {
    thread: 'aws/amazon-sagemaker-examples#2951',
    what: 'an empty line between records',
    model: TAB,
    pipeline: LINES,
    files: { 'a.jsonl': `${RECORDS[0]}\n\n${RECORDS[1]}\n${RECORDS[2]}\n` },
    wanted: ALL_RIGHT,
  },
  {
    thread: 'aws/sagemaker-python-sdk#1951',
    what: 'one broken record among a hundred others of its file',
    model: TAB,
    pipeline: LINES,
    files: {
      'a.jsonl': `${rows(99).join('\n')}\n`,
      'b.jsonl': `${[...rows(60), line('cat', '4,"x",0,0'), ...rows(39)].join('\n')}\n`,
    },
    wanted: { ends: 'completed-with-errors', right: 198 },
  },
  {
    thread: 'PacktPublishing/Getting-Started-with-Amazon-SageMaker-Studio#2',
    what: 'one escape that JSON does not know, in a file of records',
    model: TAB,
    pipeline: LINES,
    files: {
      'a.jsonl': `${rows(9).join('\n')}\n`,
      'b.jsonl': `${[...rows(6), `{"label":"cat","features":[${CAT}],"note":"a\\xb"}`, ...rows(3)].join('\n')}\n`,
    },
    wanted: { ends: 'completed-with-errors', right: 18 },
  },
  {
    thread: 'aws/amazon-sagemaker-examples#898',
    what: 'a line break within the quotes of a cell',
    model: ONNX,
    pipeline: CSV,
    files: { 'a.csv': `${CAT},cat\n"0",4,"0",0,"dog"\n1,2,3,4,"bi\nrd"\n` },
    // The label is no class, and its record is sent all the same.
    wanted: { ends: 'completed', right: 2 },
  },
  {
    thread: 'aws/sagemaker-inference-toolkit#127',
    what: 'a Parquet file for a model that takes CSV',
    model: ONNX,
    pipeline: CSV,
    files: { 'a.parquet': Buffer.from('PAR1\u0015\u0004name\n1,2\nPAR1') },
    wanted: { ends: 'refused by drop', jobs: 0, says: ['Parquet'] },
  },
  {
    thread: 'open-metadata/OpenMetadata#16094',
    what: 'the file _SUCCESS that Spark leaves',
    model: TAB,
    pipeline: pipeline({}, {}, { gate: { maxErrorRate: 0.01 } }),
    files: { ...BY_FOLDER, _SUCCESS: '' },
    wanted: ALL_RIGHT,
  },
];
