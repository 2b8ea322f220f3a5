import type { Column } from '../../pipeline/column-settings.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { toShownValue } from '../../pipeline/shown-value.ts';
import { isSingle, parseJsonPath } from '../../prediction/json-path.ts';
import type { Problem } from '../../problem/problem.ts';
import { normalTitle } from '../../text/normal-title.ts';

const TYPES = ['text/csv', 'application/json', 'application/jsonlines'];

/**
 * Problems of `columns`, or of the paths to each line's input and label, given the settings of the requests and the place of the
 * labels.
 */
export function columnProblems(
  { columns, transform, labels }: PipelineConfig,
  labelsFile: string,
): Problem[] {
  const problems: Problem[] = [];
  const refuse = (field: string, value: unknown, message: string, file = 'pipeline.json'): void => {
    problems.push({
      file,
      field,
      value: toShownValue(value),
      message: `${message}, is ${toShownValue(value)}`,
    });
  };
  const { truth } = labels;
  const { contentType, splitType, inputFilter } = transform;
  if (columns === null) {
    if (truth?.from === 'column')
      refuse(
        'labels.truth.from',
        'column',
        'needs columns, which opens the tables: set columns.features',
        labelsFile,
      );
    const path = truth?.from === 'record' ? truth.path : null;
    if (inputFilter === null && path === null) return problems;
    const why = path === null ? 'transform.inputFilter' : 'labels.truth.from "record"';
    if (!TYPES.includes(contentType))
      refuse('transform.contentType', contentType, `must be one of ${TYPES.join(', ')} with ${why}`);
    if (splitType !== 'Line')
      refuse(
        'transform.splitType',
        splitType,
        `must be "Line", a record a line or JSON document, with ${why}`,
      );
    const filterReason = inputFilter === null ? undefined : reasonOf(parseJsonPath(inputFilter));
    if (filterReason !== undefined) refuse('transform.inputFilter', inputFilter, filterReason);
    const truthReason = path === null ? undefined : labelReason(parseJsonPath(path), contentType);
    if (truthReason !== undefined) refuse('labels.truth.path', path, truthReason, labelsFile);
    return problems;
  }
  const { features, id, ignore } = columns;
  if (new Set(features.map((feature) => typeof feature)).size > 1)
    refuse('columns.features', features, 'must be all titles, or all places from 0');
  const known = new Set(features.map((feature) => normalTitle(String(feature))));
  if (known.size < features.length) refuse('columns.features', features, 'must name each column once');
  if (!TYPES.includes(contentType.toLowerCase()))
    refuse('transform.contentType', contentType, `must be one of ${TYPES.join(', ')} with columns`);
  if (splitType !== 'None')
    refuse(
      'transform.splitType',
      splitType,
      'must be "None" with columns, which cuts tables itself: leave it out',
    );
  if (inputFilter !== null)
    refuse(
      'transform.inputFilter',
      inputFilter,
      'must be null with columns.features, which names what is sent: leave it out',
    );
  if (truth?.from === 'record' || truth?.from === 'member')
    refuse(
      'labels.truth.from',
      truth.from,
      'must be another source with columns: {"from": "column", "column": …} names the column of the labels',
      labelsFile,
    );
  const others: readonly (readonly [field: string, column: Column, why: string, file?: string])[] = [
    ...(truth?.from === 'column'
      ? [['labels.truth.column', truth.column, 'the model would see the label', labelsFile] as const]
      : []),
    ...(id === null ? [] : [['columns.id', id, 'an id is never sent'] as const]),
    ...ignore.map((column) => ['columns.ignore', column, 'what is ignored is not sent'] as const),
  ];
  for (const [field, column, why, file] of others)
    if (typeof column !== typeof features[0])
      refuse(field, column, 'must be a title or a place as columns.features are', file);
    else if (known.has(normalTitle(String(column))))
      refuse(field, column, `must be none of columns.features: ${why}`, file);
  return problems;
}

type ParsedPath = ReturnType<typeof parseJsonPath>;

function reasonOf(path: ParsedPath): string | undefined {
  return 'reason' in path ? path.reason : undefined;
}

/** Why a path can't lead to a label. */
function labelReason(path: ParsedPath, contentType: string): string | undefined {
  if ('reason' in path) return path.reason;
  const [first] = path.steps;
  if (first === undefined || !isSingle(path)) return 'must lead to one value, as $.label or $[0]';
  if (contentType === 'text/csv' && (first.kind !== 'places' || path.steps.length > 1))
    return 'must be the place of a cell for transform.contentType "text/csv", such as $[0] or $[-1]';
  return undefined;
}
