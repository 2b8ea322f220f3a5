import type { LabelCheck } from '../label/label-check.ts';
import type { Problem } from '../problem/problem.ts';
import { unlessOn } from '../problem/unless-on.ts';
import type { InputKinds } from './input-kinds.ts';
import { type AnsweringModel, judgeAnswers, type JudgedAnswers } from './judge-answers.ts';
import type { JudgedConfiguration } from './judge-configuration.ts';
import { headerNotes, headerProblems, isCsv } from './judge-header.ts';
import { judgeProcessing, type SampledInput, type SampledProcessing } from './judge-processing.ts';
import { requestProblems } from './judge-requests.ts';
import type { DrawnRounds, DrawnSample, Plan, PlannedBaseline } from './plan.ts';
import { type ResolvedEndpoint, resolveEndpoint } from './resolve-endpoint.ts';

type FoundModel = Pick<
  Plan['model'],
  'artifact' | 'artifactVersion' | 'artifactEtag' | 'sha256' | 'sizeBytes'
> &
  Partial<Pick<Plan['model'], 'served' | 'given'>>;

/** Facts from model, inputs, labels and other runs. */
export interface Findings {
  readonly preflight: {
    readonly model?: FoundModel;
    readonly answers?: AnsweringModel;
    readonly problems: readonly Problem[];
    /** Why a function cannot run the model, each with what to change in its archive. */
    readonly functionReasons?: readonly string[];
    /** Notes for the reader, in sentences. */
    readonly notes?: readonly string[];
  };
  readonly profile: {
    readonly sent: { readonly count: number; readonly bytes: number; readonly largest: number };
    readonly excluded: Plan['excluded'];
    readonly kinds: Pick<InputKinds, 'notes'>;
  };
  readonly labelled: {
    readonly problems: readonly Problem[];
    readonly notes: readonly string[];
    readonly check: LabelCheck | null;
    readonly file: string | null;
    readonly index: string | null;
  };
  /** Slices of the inputs, and what their reading costs. */
  readonly sliced: { readonly problems: readonly Problem[]; readonly notes: readonly string[] };
  /** The newest run of the pipeline that has ended. */
  readonly previous?: Plan['previous'];
  readonly compared: {
    readonly baseline: PlannedBaseline | null;
    readonly notes: readonly string[];
    readonly problems: readonly Problem[];
  };
  /** Which of the manifest the run predicts: a sample, or null where it is all. */
  readonly sampled: {
    readonly sample: DrawnSample | null;
    /** The first round, where the gate is decided early. */
    readonly rounds?: DrawnRounds;
    readonly problems: readonly Problem[];
  };
  /** First records of a few inputs. */
  readonly samples: readonly SampledInput[];
}

/** How the findings contradict the configuration, and facts for the plan. */
export interface JudgedFindings {
  readonly problems: readonly Problem[];
  readonly answers: JudgedAnswers | undefined;
  /** Notes on the first records, in sentences. */
  readonly notes: readonly string[];
  readonly processing: SampledProcessing | undefined;
  readonly served: ResolvedEndpoint;
}

/** Compares the findings with the configuration; settings that depend on a wrong field are judged once that field is corrected. */
export function judgeFindings(
  { config, classes, hasClasses, labelsFile, prices, processing, problems: wrong }: JudgedConfiguration,
  { preflight, profile, labelled, sliced, compared, sampled: drawn, samples }: Findings,
  { region, hasVpc }: { readonly region: string; readonly hasVpc: boolean },
): JudgedFindings {
  const answers =
    preflight.answers && judgeAnswers({ ...config.labels, classes }, preflight.answers, labelsFile);
  const sampled =
    processing && judgeProcessing(processing, samples, { ...config.transform, classes, labelsFile });
  const { contentType } = config.transform;
  const rows = isCsv(contentType) ? samples : [];
  const isRead = isReadByRow(config) || preflight.answers?.isPlain === true;
  const headers = isRead ? headerProblems(rows) : [];
  // With a filter, or a label in the records, the container does not get the records as they are.
  const shapes =
    processing === undefined && preflight.answers !== undefined && headers.length === 0
      ? requestProblems(samples, config.transform, preflight.answers)
      : [];
  const served = resolveEndpoint(config, {
    region,
    prices,
    hasVpc,
    archiveBytes: preflight.model?.sizeBytes,
    largestObjectBytes: profile.sent.largest,
    functionReasons: preflight.functionReasons ?? [],
  });
  return {
    problems: [
      ...unlessOn(['model'], wrong, preflight.problems),
      ...unlessOn(['report.baseline'], wrong, compared.problems),
      ...unlessOn(['labels'], wrong, labelled.problems),
      ...unlessOn(['labels', 'sample'], wrong, drawn.problems),
      ...unlessOn(['report.slices', 'labels'], wrong, sliced.problems),
      ...unlessOn(['labels', 'model', 'transform'], wrong, hasClasses ? (answers?.problems ?? []) : []),
      ...(profile.sent.count === 0 ? [nothingToSend(profile.excluded)] : []),
      ...unlessOn(['labels', 'transform'], wrong, sampled?.problems ?? []),
      ...headers.filter(({ file }) => !(sampled?.problems ?? []).some((known) => known.file === file)),
      ...unlessOn(['model', 'transform'], wrong, shapes),
      ...unlessOn(['endpoint', 'gate', 'model', 'transform'], wrong, served.problems),
    ],
    answers,
    notes: isRead ? [] : headerNotes(rows),
    processing: sampled,
    served,
  };
}

/** Whether SageMaker cuts files into rows and sends each alone, or joins each with its answer: a header is a record then. */
function isReadByRow({ transform, labels }: JudgedConfiguration['config']): boolean {
  if (transform.splitType !== 'Line') return false;
  return transform.batchStrategy === 'SingleRecord' || labels.truth?.from === 'record';
}

/** The problems without duplicates for a field. */
export function eachOnce(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(
    ({ field, message }, index) =>
      problems.findIndex((other) => other.field === field && other.message === message) === index,
  );
}

function nothingToSend(excluded: Plan['excluded']): Problem {
  const reasons = Object.entries(excluded).filter(([, count]) => count > 0);
  const why =
    reasons.length === 0
      ? 'has no files'
      : `has no file that can be sent: ${reasons.map(([reason, count]) => `${count} ${reason}`).join(', ')}`;
  return {
    file: 'drop',
    field: '',
    value: '',
    message: `${why}. Upload at least one file that is not empty`,
  };
}
