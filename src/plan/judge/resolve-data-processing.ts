import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { toShownValue } from '../../pipeline/shown-value.ts';
import { JOINABLE_TYPES } from '../../prediction/input-record.ts';
import { isSingle, type JsonPath, parseJsonPath } from '../../prediction/json-path.ts';
import type { Problem } from '../../problem/problem.ts';

/** SageMaker's data processing, by the settings. */
export interface AskedProcessing {
  /** `$` where the container gets whole records. */
  readonly filter: JsonPath;
  /** Path of the label in each record; undefined if labels are elsewhere, and nothing is joined. */
  readonly truth: JsonPath | undefined;
}

const WHOLE: JsonPath = { text: '$', steps: [] };

/**
 * Processing by `transform.inputFilter` and `labels.truth`; undefined without either, or with problems.
 * SageMaker filters and joins CSV, JSON and JSON Lines alone, in the same form before and after the container.
 */
export function resolveDataProcessing(
  { transform, labels }: Pick<PipelineConfig, 'transform' | 'labels'>,
  labelsFile: string,
): { readonly asked: AskedProcessing | undefined; readonly problems: readonly Problem[] } {
  const { inputFilter } = transform;
  const path = labels.truth?.from === 'record' ? labels.truth.path : null;
  if (inputFilter === null && path === null) return { asked: undefined, problems: [] };
  const problems: Problem[] = [];
  const refuse = (field: string, value: unknown, message: string, file = 'pipeline.json'): void => {
    problems.push({ file, field, value: toShownValue(value), message });
  };
  const why = path === null ? 'transform.inputFilter' : 'labels.truth.from "record"';

  const filter = inputFilter === null ? WHOLE : parseJsonPath(inputFilter);
  if ('reason' in filter)
    refuse('transform.inputFilter', inputFilter, `${filter.reason}, is ${toShownValue(inputFilter)}`);
  const truth = path === null ? undefined : parseJsonPath(path);
  if (truth !== undefined) {
    const reason = 'reason' in truth ? truth.reason : labelReason(truth, transform.contentType);
    if (reason !== undefined)
      refuse('labels.truth.path', path, `${reason}, is ${toShownValue(path)}`, labelsFile);
  }
  refuseForms(transform, why, refuse);
  if (problems.length > 0 || 'reason' in filter || (truth !== undefined && 'reason' in truth))
    return { asked: undefined, problems };
  return { asked: { filter, truth }, problems };
}

type Refuse = (field: string, value: unknown, message: string) => void;

function refuseForms(
  { contentType, accept, splitType, assembleWith }: PipelineConfig['transform'],
  why: string,
  refuse: Refuse,
): void {
  if (!JOINABLE_TYPES.some((type) => type === contentType)) {
    const message =
      `must be one of ${JOINABLE_TYPES.join(', ')} with ${why}, is ${toShownValue(contentType)}: SageMaker filters and joins ` +
      'no other records (images have their labels in keys, folders or labels.csv)';
    refuse('transform.contentType', contentType, message);
    return;
  }
  if (accept !== contentType) {
    const message = `must be the same as transform.contentType ${toShownValue(contentType)} with ${why}, is ${toShownValue(accept)}`;
    refuse('transform.accept', accept, message);
  }
  const allowed = contentType === 'application/json' ? ['Line', 'None'] : ['Line'];
  if (!allowed.includes(splitType)) {
    const message = `must be ${allowed.map((type) => JSON.stringify(type)).join(' or ')} for ${contentType} with ${why}, is ${toShownValue(splitType)}`;
    refuse('transform.splitType', splitType, message);
  } else if (assembleWith !== splitType) {
    const message = `must be the same as transform.splitType ${toShownValue(splitType)} with ${why}, is ${toShownValue(assembleWith)}`;
    refuse('transform.assembleWith', assembleWith, message);
  }
}

/** Why a path cannot lead to a label. */
function labelReason(path: JsonPath, contentType: string): string | undefined {
  const [first] = path.steps;
  if (first === undefined || !isSingle(path)) return 'must lead to one value, as $.label or $[0]';
  if (contentType === 'text/csv' && (first.kind !== 'places' || path.steps.length > 1))
    return 'must be the place of a cell for transform.contentType "text/csv", such as $[0] or $[-1]';
  if (first.kind === 'names' && /^SageMaker(In|Out)put$/.test(first.names[0] ?? ''))
    return "must lead to a field of the record itself: SageMaker's own fields are added later";
  return undefined;
}
