/** Places of the installed package, relative to its root, which the build writes and the stand-ins in `instead/` read. */
export const LAYOUT = {
  /** Programs and their shared chunks. */
  dist: 'dist',
  plugins: 'dist/plugins',
  functionWorker: 'dist/function-worker.mjs',
  consoleScript: 'web/console/console.js',
  converterDigest: 'packages/savedmodel/converter-digest.txt',
  example: 'examples/fashion-mnist',
  exampleModel: 'examples/fashion-mnist/model.tar.zst',
  /** Application as it is deployed. */
  bucketTemplate: 'application/bucket-template.json',
  template: 'application/template.json',
  functions: 'application/functions.zst',
  billOfMaterials: 'application/sbom.cdx.json',
  /** Folder of serverless.yml and of all that it names. */
  service: 'application/service',
} as const;

/** Stage of the packaged template, replaced by the real one when it is read: no other word of a template contains it. */
export const STAGE_OF_PACKAGE = 'stage-of-package';
