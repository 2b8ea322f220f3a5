/** The arrows of docs/architecture.md, held by a machine. */
/**
 * Which nouns a noun may use. Every noun may use `text`, `run`, `problem` and `file-kind`: order and slugs, run ids and keys of the
 * bucket, the conditions that end a run, and what a file is by its bytes.
 */
const BELOW = {
  text: [],
  concurrency: [],
  'file-kind': [],
  table: ['concurrency', 'label', 'prediction'],
  run: [],
  problem: [],
  drop: [],
  input: ['drop'],
  price: [],
  model: [],
  frameworks: ['model'],
  models: ['frameworks'],
  transform: ['drop', 'frameworks', 'input', 'model'],
  endpoint: ['drop', 'endpoints', 'model', 'tasks'],
  slice: ['input', 'judging'],
  pipeline: ['drop', 'frameworks', 'model', 'slice', 'tasks'],
  endpoints: ['frameworks', 'model', 'pipeline', 'price', 'transform'],
  prediction: ['drop'],
  label: ['drop', 'prediction'],
  metric: ['drop', 'input', 'label', 'prediction'],
  report: ['drop', 'input', 'metric', 'judging', 'label', 'prediction', 'slice', 'tasks'],
  judging: ['metric'],
  tasks: ['drop', 'input', 'label', 'metric', 'prediction'],
  review: ['input', 'judging', 'label', 'prediction', 'report'],
  gate: ['drop', 'pipeline', 'metric', 'judging', 'slice'],
  plan: [
    'drop',
    'input',
    'pipeline',
    'frameworks',
    'model',
    'transform',
    'endpoint',
    'endpoints',
    'gate',
    'label',
    'prediction',
    'price',
    'judging',
    'metric',
    'probe',
    'slice',
    'tasks',
  ],
  training: ['drop', 'metric', 'pipeline', 'frameworks', 'model', 'plan', 'price', 'transform'],
  api: ['drop', 'endpoint', 'input', 'label', 'prediction', 'tasks'],
  notice: ['drop', 'label', 'report', 'endpoint'],
  deployment: ['pipeline'],
  init: ['frameworks', 'label'],
  probe: ['drop'],
};
const NOUNS = Object.keys(BELOW).join('|');
const COMMON = { text: [], concurrency: [], 'file-kind': [], problem: ['text'], run: ['text', 'problem'] };

/**
 * Which areas of src/app an area may use in addition to `records`, the documents that runs leave behind: starting, stopping and
 * cleaning up runs is the business of `run`.
 */
const BESIDE = {
  records: [],
  outputs: [],
  inputs: ['outputs'],
  engine: ['outputs'],
  run: ['engine', 'plan'],
  drop: ['run'],
  plan: ['inputs'],
  transform: ['engine', 'outputs', 'run'],
  training: ['drop', 'engine', 'inputs', 'plan', 'run'],
  report: ['engine', 'outputs'],
  review: ['plan'],
  endpoint: ['outputs'],
  api: ['run'],
  removal: ['endpoint', 'engine', 'run'],
  progress: ['drop', 'endpoint', 'plan', 'report', 'training', 'transform'],
  overview: ['endpoint', 'engine', 'progress', 'report', 'review', 'run'],
  deployment: [],
  verify: ['endpoint'],
  probe: ['outputs', 'run'],
};

/** Modules of src that the script of a page may use: pure, without Node, importing only each other. */
const LEAVES =
  '^src/(report/(colors|text/share-text|page/(matrix|threshold)-data)|api/(console/[a-z-]+|request-type)|drop/tar-key|file-kind/(?!unpacked)[a-z-]+|input/(file-refusal|looked-at|shown-place)|text/(dates|figures|size|name-draw))\\.ts$';

/** Rules of AWS's containers: pure modules, by which the laptop's containers answer and plans foresee what they would answer. */
const CONTAINER_RULES =
  '^packages/(savedmodel/bundle-paths|model-container/(image|tensorflow/(served-model|front/(convert-request|image-generation))))\\.ts$';

/** Readers of tables: pure modules, for whoever reads one. */
const TABLES = '^packages/table/';

/** Converters, loaded when a model is opened. */
const TREES = '^packages/trees/';

const areaRules = Object.entries(BESIDE).map(([area, beside]) => ({
  name: `src/app/${area} uses only the areas below it`,
  severity: 'error',
  from: { path: `^src/app/${area}/` },
  to: {
    path: '^src/app/',
    pathNot: `^src/app/((${[area, 'records', ...beside].join('|')})/|use-case\\.ts$)`,
  },
}));

const nounRules = Object.entries(BELOW).map(([noun, below]) => ({
  name: `src/${noun} uses only the nouns below it`,
  severity: 'error',
  from: { path: `^src/${noun}/` },
  to: {
    path: '^(src|functions|packages|test|lab)/',
    pathNot: `^src/(${[noun, ...(COMMON[noun] ?? ['text', 'run', 'problem', 'file-kind']), ...below].join('|')})/${['frameworks', 'plan'].includes(noun) ? `|${CONTAINER_RULES}` : ''}${noun === 'models' ? `|${TREES}` : ''}|${TABLES}`,
  },
}));

module.exports = {
  forbidden: [
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'unresolvable',
      severity: 'error',
      from: {},
      // pyodide/ffi is types only; its package has no such module. inferdrop is installed where a laboratory tries the package.
      to: { couldNotResolve: true, pathNot: '^(pyodide/ffi|inferdrop/laptop)$' },
    },
    {
      name: 'only src/app/outputs knows where answers lie',
      severity: 'error',
      // The check of an AWS account asks SageMaker how it names them.
      from: { path: '^(src|functions)/', pathNot: '^src/(app/(outputs|verify)|transform)/' },
      to: { path: '^src/transform/(output-key|manifest-chunk)\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    ...nounRules,
    ...areaRules,
    {
      name: 'every noun and area stands in the tables above',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        path: '^src/',
        pathNot: `^src/(aws|cli|(${NOUNS})|app/(${Object.keys(BESIDE).join('|')}))/|^src/app/use-case\\.ts$`,
      },
    },
    {
      name: 'nouns are pure: no SDK, no node I/O',
      severity: 'error',
      from: { path: `^src/(${NOUNS})/` },
      to: { path: '(^(node:)?(fs|http|https|net|child_process|os|worker_threads|timers)(/|$))|@aws-sdk/' },
    },
    {
      name: 'only src/aws, tests, benches and the Step Functions service integrations use the AWS SDK',
      severity: 'error',
      from: {
        path: '^(src|functions|packages)/',
        pathNot: '^(src/aws|packages/laptop/states|packages/[^/]+/test)/',
      },
      to: { path: '@aws-sdk/' },
    },
    {
      name: 'src/app reads no function, CLI or stack',
      severity: 'error',
      from: { path: '^src/app/' },
      to: { path: '^(functions|packages|src/cli|test|lab)/', pathNot: TABLES },
    },
    {
      name: 'src/app takes only types from src/aws',
      severity: 'error',
      from: { path: '^src/app/' },
      to: { path: '^src/aws/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'src/aws knows only the nouns',
      severity: 'error',
      from: { path: '^src/aws/' },
      to: { path: '^(functions|packages|src/cli|src/app|test|lab)/' },
    },
    {
      name: 'a function is deployed without the packages, but for image and table',
      severity: 'error',
      // One function runs models, and one converts them for it.
      from: {
        path: '^functions/',
        pathNot: '^functions/runtime/((open|convert|unpack)-model|model-refusal|unpack-kept)\\.ts$',
      },
      to: { path: '^packages/', pathNot: '^packages/(image|table)/' },
    },
    {
      name: 'web uses itself and a few modules of src',
      severity: 'error',
      from: { path: '^web/' },
      to: { pathNot: `^web/|${LEAVES}` },
    },
    {
      name: 'what web uses of src imports nothing else',
      severity: 'error',
      from: { path: LEAVES },
      to: { pathNot: LEAVES },
    },
    {
      name: 'only browsers run web',
      severity: 'error',
      from: { path: '^(src|functions|packages)/' },
      to: { path: '^web/' },
    },
    {
      name: 'packages know nothing of the application',
      severity: 'error',
      from: { path: '^packages/' },
      // What a laboratory needs of Python is installed in one way.
      to: { path: '^(src|functions|lab)/', pathNot: '^lab/python-environment\\.ts$' },
    },
    {
      name: 'a package is used by its name: package.json says what it offers',
      severity: 'error',
      from: { path: '^(src|scripts|functions)/' },
      to: { path: '^packages/', dependencyTypesNot: ['aliased-workspace', 'undetermined'] },
    },
    {
      name: 'the rules of containers import nothing else',
      severity: 'error',
      from: { path: CONTAINER_RULES },
      to: { pathNot: CONTAINER_RULES },
    },
    {
      name: 'packages use each other by name',
      severity: 'error',
      // Tests may open what they look into.
      from: { path: '^packages/([^/]+)/', pathNot: '^packages/[^/]+/(test|lab)/' },
      to: {
        path: '^packages/',
        pathNot: '^packages/$1/',
        dependencyTypesNot: ['aliased-workspace', 'undetermined'],
      },
    },
    {
      name: 'packages use no test',
      severity: 'error',
      from: { path: '^packages/', pathNot: '^packages/[^/]+/(test|lab)/' },
      to: { path: '^(test|packages/[^/]+/(test|lab))/' },
    },
    {
      name: 'image and table use no other package',
      severity: 'error',
      from: { path: '^packages/(image|table)/' },
      to: { path: '^packages/', pathNot: '^packages/$1/' },
    },
    {
      name: 'savedmodel uses only image',
      severity: 'error',
      from: { path: '^packages/savedmodel/' },
      to: { path: '^packages/', pathNot: '^packages/(savedmodel|image)/' },
    },
    {
      name: 'trees uses only savedmodel',
      severity: 'error',
      from: { path: '^packages/trees/' },
      to: { path: '^packages/', pathNot: '^packages/(trees|savedmodel)/' },
    },
    {
      name: 'model-container uses only savedmodel, image and table',
      severity: 'error',
      from: { path: '^packages/model-container/' },
      to: { path: '^packages/', pathNot: '^packages/(model-container|savedmodel|image|table)/' },
    },
    {
      name: 'training-container uses only model-container',
      severity: 'error',
      from: { path: '^packages/training-container/' },
      to: { path: '^packages/', pathNot: '^packages/(training-container|model-container)/' },
    },
    {
      name: 'functions and tests are imported by no module',
      severity: 'error',
      // A bench and a script stand on the fixtures of the tests.
      from: { pathNot: '^(functions|test|lab|scripts|packages/[^/]+/(test|lab))/' },
      to: { path: '^(functions|test|packages/[^/]+/(test|lab))/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(node_modules|build)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
