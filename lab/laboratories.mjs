// The table of the laboratories, in the order in which .ci/run has the first ones.
import path from 'node:path';
import { root } from '../scripts/bootstrap.mjs';

/** Environments are kept between runs, next to the clients' ones; the user's own cache is not touched. */
const KEPT = { INFERDROP_CACHE: path.join(root, '.venv', 'inferdrop') };
const IN_PYTHON = '--config=lab/vitest.config.ts';

/**
 * Each laboratory's needs besides Node, its purpose, and how it's started: by `programs`, one after another until one fails, each
 * with the given arguments, or by vitest; there, the arguments name tests instead of `files`.
 */
export const LABORATORIES = {
  flow: {
    does: 'the other flows on the real stack: runs, endpoints, trainings, deployments, and mistakes that it must refuse',
    // The one of `npm test` isn't run once more.
    files: [
      'test/flow',
      'lab/mutations',
      'lab/faults/check-round.test.ts',
      '--exclude=test/flow/main-job.test.ts',
    ],
  },
  template: {
    needs: 'Python',
    does: 'the packaged template against the schemas that CloudFormation publishes, and against good practice',
    programs: [['scripts/check-package.ts'], ['lab/template/judge-template.ts']],
  },
  oracle: {
    needs: 'Python',
    does: 'tables, metrics, label errors, Parquet rows, converted operations and images against the libraries that people use',
    programs: [['lab/oracle/compare-all.ts']],
  },
  onnx: {
    needs: 'Python',
    does: 'ONNX models of others against AWS’s toolkit and their libraries, and the whole way: installs PyTorch, gigabytes',
    programs: [['lab/oracle/onnx/compare-onnx.ts']],
  },
  trees: {
    needs: 'Python',
    does: 'random models of XGBoost, LightGBM and CatBoost, as ONNX and in their library: --count N --seed N',
    programs: [['lab/oracle/trees/compare-trees.ts']],
  },
  browser: {
    needs: 'Chromium',
    does: 'the report page, the console on the stack, and pages that attack the stack from there',
    programs: [
      ['lab/browser/report-page.ts'],
      ['lab/browser/foreign-pages.ts'],
      ['lab/browser/console.ts'],
      ['lab/browser/console-keyboard.ts'],
    ],
  },
  clients: {
    needs: 'Python',
    does: 'boto3, the AWS CLI and the SageMaker SDK against the stack; arguments go to pytest',
    programs: [['packages/laptop/lab/clients/run-clients.ts']],
  },
  offline: {
    needs: 'Linux',
    does: 'the example without a network: it asks for nothing outside and has the same report',
    programs: [['lab/offline/example.ts']],
  },
  package: {
    does: 'the npm package: built, installed in an empty folder from the registry, its commands and inferdrop/laptop run there',
    programs: [['lab/package/try-package.ts']],
  },
  reports: {
    does: 'what people report in public, rebuilt small: each thread gets the result its reporter needed, or is open',
    files: ['lab/reports'],
  },
  training: {
    needs: 'Python',
    does: "training jobs, and AWS's toolkit as the oracle; CI runs `site`, the rest installs PyTorch and TensorFlow",
    options: [IN_PYTHON, '--project=training'],
    env: KEPT,
  },
  faults: {
    needs: 'Linux',
    does: 'drops on the real stack while it is killed, throttled, out of disk: --seed N --minutes M',
    programs: [['lab/faults/campaign.ts']],
  },
  notebooks: {
    needs: 'Python',
    does: "the notebooks' estimators of the SageMaker SDK: installs PyTorch and TensorFlow",
    programs: [['packages/laptop/lab/clients/run-clients.ts', '--frameworks']],
  },
  packages: {
    needs: 'Python',
    does: 'each package of packages/: packed, installed in an empty folder, the example of its README run there',
    programs: [['lab/package/try-packages.ts']],
  },
  estimators: {
    needs: 'Python',
    does: 'the estimators of scikit-learn, converted as init does it, in single and double precision: --seed N',
    programs: [['lab/oracle/scikit-learn/compare-estimators.ts']],
  },
  python: {
    needs: 'Python',
    does: 'handlers in Python, containers of TensorFlow and PyTorch: installs gigabytes',
    options: [IN_PYTHON, '--project=python'],
    env: KEPT,
  },
  mutations: {
    does: 'deliberate mistakes in template, roles, machines and calls: what AWS and the laptop say of each, as a table',
    programs: [['lab/mutations/show-mistakes.ts']],
  },
  api: {
    needs: 'Python',
    does: 'docs/openapi.json against the stack, with schemathesis',
    programs: [['lab/api/contract.ts']],
  },
  fuzz: {
    does: 'changed inputs for every reader of outside data: --seed N --minutes M --target X',
    programs: [['lab/fuzz/campaign.ts']],
  },
  load: {
    does: 'callers, runs, files and days on the laptop stack, and its memory: --only predict|runs|files|week',
    programs: [['--expose-gc', 'lab/load/campaign.ts']],
  },
  mutants: {
    does: 'StrykerJS changes src/ line by line; do the tests notice? src/drop names folders; all take hours',
    programs: [['lab/mutants/judge-folders.ts']],
  },
  cases: {
    does: 'tests that `npm test` draws a share of, whole: kept answers of TensorFlow, images of an endpoint, orders of events of a drop',
    files: [
      'packages/savedmodel/test/operation-cases.test.ts',
      'packages/savedmodel/test/independent-rows.test.ts',
      'packages/laptop/test/sagemaker/endpoint/batch-agreement.test.ts',
      'test/model/drop.test.ts',
    ],
    env: { CASES: 'all', MODEL: 'deep' },
  },
  regexps: {
    does: 'every regular expression is proved linear again, also those that the gate knows as proved',
    programs: [['scripts/check-expressions.ts', '--all']],
  },
  recipes: {
    does: 'a made-up name in each union: do docs/recipes.md and the compiler name the same files?',
    programs: [['lab/recipes/try-recipes.ts']],
  },
  realtime: {
    does: 'batch and real-time answers of all 1,000 example images',
    files: ['test/flow/endpoint.test.ts'],
    env: { INFERDROP_IMAGES: '1000' },
  },
  bench: {
    needs: 'Python',
    does: 'the cost of one more input, next to the programs that people use for the same work: --record, --try',
    programs: [['lab/bench/bench.ts']],
    env: KEPT,
  },
  scale: {
    does: 'the steps of a run of ten million inputs, for docs/scale.md: 10000000 8',
    programs: [['lab/bench/scale.ts']],
  },
};
