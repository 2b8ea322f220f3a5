import { execFileSync } from 'node:child_process';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { pythonEnvironment } from '../../python-environment.ts';
import { BUILD } from '../build-folder.ts';
import type { Side } from '../side-by-side.ts';
import { labelsOf, writeOutputs } from './outputs.ts';

/**
 * Reading, folding and rendering a run, compared with the usual ways by hand on the same files: our fold and report, bundled as the
 * Lambdas are; the loop of AWS's notebook with scikit-learn's report and a plot; and `JSON.parse` with argmax, which makes no figures.
 */
export function reportSides({
  classes,
  counts,
  withPython,
}: {
  readonly classes: number;
  readonly counts: readonly number[];
  readonly withPython: boolean;
}): readonly Side[] {
  for (const records of counts) prepare(classes, records);
  const bundle = bundleFold();
  const root = (records: number): string => path.join(BUILD, `outputs-${classes}-${records}`);
  const outputs = (records: number): string => path.join(root(records), PREDICTIONS);
  const notebook: Side = {
    name: "the notebook's loop, scikit-learn, a plot",
    command: (records) => [
      path.join(pythonEnvironment('bench/report'), 'python'),
      path.join(import.meta.dirname, 'notebook.py'),
      outputs(records),
      path.join(root(records), 'labels.json'),
      path.join(root(records), 'plot.png'),
    ],
  };
  return [
    { name: 'fold and report', command: (records) => [process.execPath, bundle, root(records)] },
    ...(withPython ? [notebook] : []),
    {
      name: 'JSON.parse and argmax, no figures',
      command: (records) => [
        process.execPath,
        path.join(import.meta.dirname, 'json-parse.ts'),
        outputs(records),
        String(classes),
      ],
    },
  ];
}

const PREDICTIONS = path.join('runs', 'bench', 'drop', '000001', 'predictions');

function prepare(classes: number, records: number): void {
  const root = path.join(BUILD, `outputs-${classes}-${records}`);
  if (!existsSync(root)) {
    const making = `${root}.part`;
    writeOutputs(path.join(making, PREDICTIONS), { classes, records });
    writeFileSync(path.join(making, 'labels.json'), JSON.stringify(labelsOf(classes)));
    renameSync(making, root);
  }
  // The plan follows the code, so it's written each time.
  execFileSync(process.execPath, [path.join(import.meta.dirname, 'reconcile.ts'), root, String(classes)]);
}

function bundleFold(): string {
  const outfile = path.join(BUILD, 'fold.mjs');
  buildSync({
    entryPoints: [path.join(import.meta.dirname, 'fold.ts')],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return outfile;
}
