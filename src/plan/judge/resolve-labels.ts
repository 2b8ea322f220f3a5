import { kindOf } from '../../drop/drop-key.ts';
import { normal } from '../../label/reading.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { toShownValue } from '../../pipeline/shown-value.ts';
import { parseJsonPath } from '../../prediction/json-path.ts';
import type { Problem } from '../../problem/problem.ts';
import { writtenPattern } from './written-pattern.ts';

/** Class names as a list, from pipeline.json or from the text of the file it names. */
export function resolveClasses(
  classes: PipelineConfig['labels']['classes'],
  fileText: string | undefined,
  file: string,
): { readonly classes: readonly string[]; readonly problems: readonly Problem[] } {
  if (Array.isArray(classes)) return { classes, problems: repeated(classes, file, 'labels.classes') };
  const name = classes.file;
  if (fileText === undefined) {
    const message = `names a file that isn't there: put ${name} next to pipeline.json, one class name on each line`;
    return {
      classes: [],
      problems: [{ file, field: 'labels.classes.file', value: toShownValue(name), message }],
    };
  }
  const names = fileText
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (names.length < 2) {
    const message = `must list at least 2 classes, one name on each line, has ${names.length}`;
    return { classes: names, problems: [{ file: name, field: '', value: '', message }] };
  }
  return { classes: names, problems: repeated(names, name, '') };
}

function repeated(names: readonly string[], file: string, field: string): Problem[] {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(normal(name))) {
      const message = `must name each class once, ${JSON.stringify(name)} stands there twice`;
      return [{ file, field, value: toShownValue(name), message }];
    }
    seen.add(normal(name));
  }
  return [];
}

/** Problems of `labels.truth` that show without reading an object. */
export function truthProblems(truth: PipelineConfig['labels']['truth'], file: string): Problem[] {
  if (truth?.from === 'key') return patternProblems(truth.pattern, file);
  if (truth?.from === 'member' && truth.path !== null) {
    const path = parseJsonPath(truth.path);
    if ('reason' in path)
      return [
        {
          file,
          field: 'labels.truth.path',
          value: toShownValue(truth.path),
          message: `${path.reason}, is ${toShownValue(truth.path)}`,
        },
      ];
  }
  if (truth?.from === 'file' && !/^labels\.(csv|jsonl)$/.test(truth.path)) {
    const kept =
      kindOf(truth.path, 'inference') === 'labels'
        ? ''
        : ': another file of the drop would be sent to the model';
    const message = `must be labels.csv or labels.jsonl, is ${toShownValue(truth.path)}${kept}`;
    return [{ file, field: 'labels.truth.path', value: toShownValue(truth.path), message }];
  }
  return [];
}

function patternProblems(pattern: string, file: string): Problem[] {
  const problem = (message: string): Problem[] => [
    { file, field: 'labels.truth.pattern', value: toShownValue(pattern), message },
  ];
  const compiled = writtenPattern(pattern);
  if ('message' in compiled) return problem(compiled.message);
  if (compiled.groupCount() > 0) return [];
  return problem('must have a group around the class, as in "([a-z]+)\\\\.png$"');
}
