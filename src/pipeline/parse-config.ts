import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Problem } from '../problem/problem.ts';
import { REFUSED_SETTINGS } from '../tasks/refused-settings.ts';
import { parseWrittenJson } from '../text/written-json.ts';
import { toExpectation } from './expectation.ts';
import { JobConfig } from './job-config.ts';
import { nearestName } from './nearest-name.ts';
import { PipelineConfig } from './pipeline-config.ts';
import { repair } from './repair.ts';
import { ReportSettings } from './report-settings.ts';
import { nodesAt, pathsOf, type SchemaNode, toSchemaNode, valueAt } from './schema-node.ts';
import { toShownValue } from './shown-value.ts';
import { TrainingJobConfig } from './training-job-config.ts';

/** A configuration, or everything that is wrong with the file. */
export type Parsed<T> =
  | { readonly value: T; readonly problems: readonly [] }
  | {
      readonly problems: readonly Problem[];
      /** The configuration with defaults instead of the wrong fields, if the rest can be checked. */
      readonly repaired?: T;
    };

const pipelineNode = toSchemaNode(PipelineConfig);
const jobNode = toSchemaNode(JobConfig);
const trainingJobNode = toSchemaNode(TrainingJobConfig);

/** Cap on the unknown fields that are named, each with a suggestion; the others are counted. */
const MAX_UNKNOWN = 20;

/** Fields that a drop may not set, in addition to the fields of pipeline.json that job.json doesn't have. */
const OWNED_BY_PIPELINE = new Set([
  'notifications',
  'training',
  'gate.slices',
  'endpoint',
  'model',
  ...pathsOf(pipelineNode),
]);

/** Fields that are gone, with their replacements. */
const REMOVED = new Map([
  [
    'gate.significance',
    'was removed: it let a loss pass for lack of evidence. Write "maxAccuracyDrop": 0.01 with "confidence": 0.95: the ' +
      'change must then be shown to be above −1 point. An equal model that differs on 6% of the inputs is shown so by ' +
      '3,000 inputs in 70% of runs, by 1,000 in 33%',
  ],
  [
    'report.calibrationBins',
    'was removed: errors over different numbers of bins cannot be compared. Leave it out: every report has the ' +
      'calibration error over 15 bins',
  ],
]);

/** Reads pipeline.json and reports all problems at once. */
export function parsePipelineConfig(text: string): Parsed<PipelineConfig> {
  const parsed = withoutRefused(parseFile(text, 'pipeline.json', PipelineConfig, pipelineNode), text);
  if ('value' in parsed || parsed.problems.some(({ field }) => field === '')) return parsed;
  const wrong = parsed.problems.map(({ field }) => field);
  const repaired = PipelineConfig.safeParse(repair(parseWrittenJson(text), wrong));
  return repaired.success ? { ...parsed, repaired: repaired.data } : parsed;
}

/** Settings that a task may refuse, with their defaults. */
const UNSET = { report: ReportSettings.parse({}) };

/** Refuses settings of a right file that its task doesn't take. */
function withoutRefused(parsed: Parsed<PipelineConfig>, text: string): Parsed<PipelineConfig> {
  if (!('value' in parsed)) return parsed;
  const written = parseWrittenJson(text);
  const problems = REFUSED_SETTINGS[parsed.value.labels.task]('pipeline.json', (field) => {
    const place = field.split('.');
    const value = valueAt(written, place);
    // A default asks for nothing.
    return isDeepStrictEqual(value, valueAt(UNSET, place)) ? undefined : value;
  });
  return problems.length === 0 ? parsed : { problems };
}

/** Reads a drop's job.json and reports all problems at once. */
export function parseJobConfig(text: string): Parsed<JobConfig> {
  return parseFile(text, 'job.json', JobConfig, jobNode);
}

/** Reads the job.json of a drop of training data and reports all problems at once. */
export function parseTrainingJobConfig(text: string): Parsed<TrainingJobConfig> {
  return parseFile(text, 'job.json', TrainingJobConfig, trainingJobNode);
}

function parseFile<T>(text: string, file: string, schema: z.ZodType<T>, root: SchemaNode): Parsed<T> {
  let value: unknown;
  try {
    value = parseWrittenJson(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problems: [{ file, field: '', value: '', message: `is not JSON: ${reason}` }] };
  }
  const result = schema.safeParse(value);
  if (result.success) return { value: result.data, problems: [] };
  return { problems: result.error.issues.flatMap((issue) => toProblems(issue, { file, root, value })) };
}

interface FileContext {
  readonly file: string;
  readonly root: SchemaNode;
  readonly value: unknown;
}

function toProblems(issue: z.core.$ZodIssue, context: FileContext): Problem[] {
  const { file, root, value } = context;
  if (issue.code === 'unrecognized_keys') {
    const named = issue.keys.slice(0, MAX_UNKNOWN);
    const others = issue.keys.length - named.length;
    const problems = named.map((name) => toUnknownField(name, issue.path, context));
    const message = `and ${others} more fields are unknown`;
    return others === 0 ? problems : [...problems, { file, field: toField(issue.path), value: '', message }];
  }
  const given = valueAt(value, issue.path);
  const matching = nodesAt(root, issue.path, value);
  const nodes = matching.length > 0 ? matching : nodesAt(root, issue.path, undefined);
  if (given === undefined) return toMissing(nodes, issue.path, file);
  const deepest = issue.code === 'invalid_union' ? deepestIssue(issue) : undefined;
  if (deepest !== undefined) return toProblems(deepest, context);
  const message =
    issue.code === 'invalid_format' && issue.format === 'regex'
      ? issue.message
      : `must be ${toExpectation(nodes)}`;
  return [
    {
      file,
      field: toField(issue.path),
      value: toShownValue(given),
      message: `${message}, is ${toShownValue(given)}`,
    },
  ];
}

/** If one alternative of a union got further than its first level, its issue is the relevant one. */
function deepestIssue(issue: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue | undefined {
  const found = issue.errors
    .flat()
    .find((candidate) => candidate.path.length > 0 || candidate.code === 'unrecognized_keys');
  return found && { ...found, path: [...issue.path, ...found.path] };
}

function toMissing(nodes: readonly SchemaNode[], path: readonly PropertyKey[], file: string): Problem[] {
  const required = nodes.length === 1 ? (nodes[0]?.required ?? []) : [];
  const children = nodes[0]?.properties ?? {};
  if (required.length > 0) {
    return required.flatMap((name) => {
      const child = children[name];
      return child === undefined
        ? []
        : toMissing(child.anyOf ?? [child], [...path, name], file).map((problem) => withHelp(problem, child));
    });
  }
  const help = nodes.find((node) => node.description !== undefined)?.description;
  const message = `is missing: it must be ${toExpectation(nodes)}${help === undefined ? '' : `. ${help}`}`;
  return [{ file, field: toField(path), value: '', message }];
}

function withHelp(problem: Problem, node: SchemaNode): Problem {
  if (node.anyOf === undefined || node.description === undefined) return problem;
  return { ...problem, message: `${problem.message}. ${node.description}` };
}

function toUnknownField(
  name: string,
  path: readonly PropertyKey[],
  { file, root, value }: FileContext,
): Problem {
  const field = toField([...path, name]);
  const shown = toShownValue(valueAt(value, [...path, name]));
  if (file === 'job.json' && OWNED_BY_PIPELINE.has(field)) {
    const message = `cannot be set by a drop: it belongs to those who may write pipelines/. Remove it here, or change it in pipeline.json`;
    return { file, field, value: shown, message };
  }
  const removed = REMOVED.get(field);
  if (removed !== undefined) return { file, field, value: shown, message: removed };
  const siblings = nodesAt(root, path, value).flatMap((node) => Object.keys(node.properties ?? {}));
  const elsewhere = pathsOf(root).find((known) => known.endsWith(`.${name}`));
  const nearest = nearestName(name, siblings);
  const meant = nearest === undefined ? elsewhere : toField([...path, nearest]);
  const remedy = meant === undefined ? `known here: ${siblings.join(', ')}` : `did you mean ${meant}?`;
  return { file, field, value: shown, message: `is not a known field; ${remedy}` };
}

function toField(path: readonly PropertyKey[]): string {
  return path.map(String).join('.');
}
