import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { toShownValue } from '../../pipeline/shown-value.ts';
import type { SliceSource } from '../../pipeline/slice-settings.ts';
import type { Problem } from '../../problem/problem.ts';
import { type Clusters, Dimension, labelColumns } from '../../slice/dimension.ts';
import { parseSliceName } from '../../slice/slice-name.ts';
import { IMAGE_VALUES, MAX_VALUE_LENGTH } from '../../slice/slice-values.ts';
import { isOneRecord, opensFiles } from '../../transform/one-record.ts';
import { writtenPattern } from './written-pattern.ts';

/** Cap on dimensions: the tally of a shard holds 1,000 values of each. */
const MAX_DIMENSIONS = 8;

/** The dimensions of `report.slices` and `report.clusters`, each with the field that it comes from. */
export interface ResolvedSlices {
  readonly dimensions: readonly Dimension[];
  readonly clusters: Clusters | null;
  /** Columns of the label file that the dimensions read, then the ones that the clusters read. */
  readonly columns: readonly string[];
  /** Fields of pipeline.json that the dimensions come from, in their order. */
  readonly places: readonly string[];
  readonly problems: readonly Problem[];
}

/** Resolves `report.slices` and `report.clusters`, and finds what shows without reading an input. */
export function resolveSlices(config: PipelineConfig): ResolvedSlices {
  const problems: Problem[] = [];
  const dimensions: Dimension[] = [];
  const places: string[] = [];
  for (const [at, source] of config.report.slices.entries()) {
    const place = `report.slices.${at}`;
    const refuse = refuseAt(place, problems);
    refuseSource(source, config, refuse);
    for (const dimension of dimensionsOf(source, refuse)) {
      const { name } = dimension;
      const taken = places[dimensions.findIndex((other) => other.name === name)];
      if (taken !== undefined) {
        const field = source.from === 'key' ? 'pattern' : 'name';
        refuse(field, name, `must give each dimension a name of its own, and ${taken} already has ${name}`);
        continue;
      }
      dimensions.push(dimension);
      places.push(place);
    }
  }
  if (dimensions.length > MAX_DIMENSIONS) {
    const message =
      `must have at most ${MAX_DIMENSIONS} dimensions, has ${dimensions.length}: ` +
      `${dimensions.map(({ name }) => name).join(', ')}`;
    problems.push({ file: 'pipeline.json', field: 'report.slices', value: '', message });
  }
  const clusters = resolveClusters(config, refuseAt('report.clusters', problems));
  // Without its dimensions the gate's slices cannot be judged.
  return {
    dimensions,
    clusters,
    columns: labelColumns([...dimensions, ...(clusters?.by ?? [])]),
    places,
    problems: problems.length > 0 ? problems : gateSliceProblems(config, dimensions),
  };
}

type Refuse = (field: string, value: unknown, message: string) => void;

function refuseAt(place: string, problems: Problem[]): Refuse {
  return (field, value, message) => {
    problems.push({
      file: 'pipeline.json',
      field: `${place}.${field}`,
      value: toShownValue(value),
      message,
    });
  };
}

function resolveClusters(config: PipelineConfig, refuse: Refuse): Clusters | null {
  const source = config.report.clusters;
  if (source === null) return null;
  const { name = 'group' } = source;
  if (source.from === 'object') return { noun: name, by: [] };
  const named = { ...source, name };
  refuseSource(named, config, refuse);
  return { noun: name, by: dimensionsOf(named, refuse) };
}

function refuseSource(
  source: SliceSource,
  { labels, transform, columns }: PipelineConfig,
  refuse: Refuse,
): void {
  if (source.from === 'file' && labels.truth?.from !== 'file') {
    const is = labels.truth === null ? 'null' : JSON.stringify(labels.truth.from);
    refuse(
      'from',
      'file',
      `reads the label file, and labels.truth is ${is}: set it to {"from": "file", "path": "labels.csv"}, or slice by folder or key`,
    );
  }
  const sends = { ...transform, columns };
  if (source.from === 'image' && (opensFiles(sends) || !isOneRecord(sends)))
    refuse(
      'from',
      'image',
      `reads images, and transform.contentType ${JSON.stringify(transform.contentType)} with splitType ` +
        `${JSON.stringify(transform.splitType)} sends other records: leave it out`,
    );
}

function dimensionsOf(source: SliceSource, refuse: Refuse): Dimension[] {
  if (source.from !== 'key') return [source];
  const { pattern } = source;
  const compiled = writtenPattern(pattern);
  if ('message' in compiled) {
    refuse('pattern', pattern, compiled.message);
    return [];
  }
  const groups = Object.entries(compiled.namedGroups()).sort(([, a], [, b]) => a - b);
  if (groups.length === 0)
    refuse(
      'pattern',
      pattern,
      'must have a named group for each dimension, as in "/(?P<camera>cam[0-9]+)_" for ' +
        'incoming/cats/monday/cam7_0001.jpg: it is searched anywhere in the key',
    );
  return groups.flatMap(([name]) => {
    const dimension = Dimension.safeParse({ from: 'key', name, pattern });
    if (dimension.success) return [dimension.data];
    refuse(
      'pattern',
      pattern,
      `must name its groups in small letters, digits and underscores, as site, has ${toShownValue(name)}`,
    );
    return [];
  });
}

/** Slices of the gate that cannot exist. */
function gateSliceProblems({ gate }: PipelineConfig, dimensions: readonly Dimension[]): Problem[] {
  const known = dimensions.map(({ name }) => name).join(', ');
  return Object.keys(gate?.slices ?? {}).flatMap((slice) => {
    const message = whyNoSlice(slice, dimensions, known);
    return message === undefined
      ? []
      : [{ file: 'pipeline.json', field: `gate.slices.${slice}`, value: toShownValue(slice), message }];
  });
}

function whyNoSlice(slice: string, dimensions: readonly Dimension[], known: string): string | undefined {
  if (dimensions.length === 0)
    return 'bounds a slice, and report.slices names no dimension: add one, such as {"from": "folder", "level": 1, "name": "site"}';
  if (slice === '*') return undefined;
  const parsed = parseSliceName(slice);
  if (parsed === undefined) return `must be "*" or <dimension>=<value>; the dimensions are ${known}`;
  const dimension = dimensions.find(({ name }) => name === parsed.dimension);
  if (dimension === undefined)
    return `names the dimension ${parsed.dimension}, which report.slices does not have: it has ${known}`;
  if (parsed.value !== null && parsed.value.length > MAX_VALUE_LENGTH)
    return `must have a value of at most ${MAX_VALUE_LENGTH} characters, at which longer ones are cut, has ${parsed.value.length}`;
  if (dimension.from !== 'image' || parsed.value === null) return undefined;
  const values = IMAGE_VALUES[dimension.property];
  return values.includes(parsed.value)
    ? undefined
    : `must be a value that ${dimension.property} can have, is ${toShownValue(parsed.value)}: ${values.join(', ')}`;
}
