import { mostErrors } from '../../gate/proof.ts';
import { resolveGate } from '../../pipeline/resolve-gate.ts';
import { eachOnce } from '../../problem/each-once.ts';
import type { Problem } from '../../problem/problem.ts';
import { unlessOn } from '../../problem/unless-on.ts';
import { toRunId } from '../../run/run-id.ts';
import { grouped } from '../../text/figures.ts';
import { sharePercent } from '../../text/share-percent.ts';
import { quoted } from '../../text/shell-quoted.ts';
import type { EngineName } from '../../transform/engine-settings.ts';
import { isOneRecord, opensFiles } from '../../transform/one-record.ts';
import { type ResolvedEndpoint, resolveEndpoint } from '../endpoint/resolve-endpoint.ts';
import { type EngineAsked, engineAsked } from '../engine/engine-asked.ts';
import type { Found, FoundInputs } from '../found.ts';
import type { Plan } from '../plan.ts';
import { rescoreProblems } from '../rescored.ts';
import { isLabelGate } from './gate-problems.ts';
import { judgeImageSlices } from './image-slices.ts';
import { judgeAnswers, type JudgedAnswers, regressionProblems } from './judge-answers.ts';
import type { JudgedConfiguration } from './judge-configuration.ts';
import { judgeLabels } from './judge-labels.ts';
import { type JudgedModel, judgeModel, keptModel } from './judge-model.ts';
import { requestProblems } from './judge-requests.ts';

/** The second of the four values of planning: how a run would go on one engine. */
export interface Verdict extends EngineAsked {
  /** All that speaks against it, each thing once. */
  readonly problems: readonly Problem[];
  readonly inputs: FoundInputs;
  readonly model: JudgedModel;
  readonly answers: JudgedAnswers | undefined;
  readonly served: ResolvedEndpoint;
  /** Notes for the reader, in sentences, by their subject. */
  readonly notes: {
    readonly labels: readonly string[];
    readonly slices: readonly string[];
  };
}

/**
 * Judges a run for an engine, given the findings. It reads and writes nothing, so that you can try each engine. Settings that
 * depend on a wrong field are judged once that field is corrected.
 */
export function judge(found: Found, engine: EngineName): Verdict {
  const asked = engineAsked(found, engine, found.opened);
  const { configuration, planning, isBundled } = asked;
  const { config, classes, hasClasses, labelsFile, prices, problems: wrong } = configuration;
  const { run, bucket, settings, original } = found;
  const inputs = found.inputs.get(engine);
  if (inputs === undefined) throw new RangeError(`nothing was read for ${engine}`);
  const model =
    original === null
      ? judgeModel(found.model, { run, bucket, config, planning, isBundled })
      : keptModel(found.model, original);
  const { profile, texts, drawn } = inputs;
  const answers = model.answers && judgeAnswers({ ...config.labels, classes }, model.answers, labelsFile);
  const labeled = labelsOf(found, asked, inputs);
  const regression = regressionProblems(inputs.labels, model.answers, labelsFile);
  const shapes = model.answers === undefined ? [] : requestProblems(texts, config.transform, model.answers);
  const images = judgeImageSlices(configuration.slices, profile.sent, config.limits.inputsPerShard);
  const served = resolveEndpoint(config, {
    region: settings.region,
    prices,
    hasVpc: settings.vpc !== null,
    archiveBytes: model.sizeBytes,
    largestObjectBytes: profile.sent.largest,
    functionReasons: model.functionReasons,
  });
  const against = [
    ...unlessOn(['model'], wrong, model.problems),
    ...unlessOn(['report.baseline'], wrong, found.compared.problems),
    ...unlessOn(['labels', 'model'], wrong, regression),
    ...unlessOn(['labels'], wrong, regression.length > 0 ? [] : labeled.problems),
    ...unlessOn(['labels', 'sample'], wrong, drawn.problems),
    ...unlessOn(['report.slices', 'labels'], wrong, [...inputs.slices.problems, ...images.problems]),
    ...unlessOn(
      ['labels', 'model', 'transform'],
      wrong,
      hasClasses && regression.length === 0 ? (answers?.problems ?? []) : [],
    ),
    ...(found.opened.refusal === undefined ? [] : [ofDrop(found.opened.refusal)]),
    ...(profile.sent.count === 0 && found.opened.refusal === undefined
      ? [nothingToSend(profile.excluded)]
      : []),
    ...unlessOn(['gate', 'transform'], wrong, errorRateProblems(found, configuration, inputs)),
    ...unlessOn(['model', 'transform'], wrong, shapes),
    ...unlessOn(['endpoint', 'gate', 'model', 'transform'], wrong, served.problems),
  ];
  const ofOriginal =
    original?.purpose === 'rescore' ? rescoreProblems(found.configuration, original.plan) : [];
  const { defects, refusal } = found.opened;
  const named = profile.sent.count === 0 || refusal !== undefined ? defects : [];
  return {
    ...asked,
    problems: [
      ...eachOnce([...found.written, ...configuration.further, ...against, ...ofOriginal]),
      ...named.map(({ name, defect }) => ({ file: name, field: '', value: '', message: defect })),
    ],
    inputs,
    model,
    answers,
    served,
    notes: {
      labels: labeled.notes,
      slices: [...inputs.slices.notes, ...images.notes],
    },
  };
}

function labelsOf(
  { run, frozen, labelFile, original }: Found,
  { configuration: { config, labelsFile } }: EngineAsked,
  { labels, profile, drawn }: FoundInputs,
): { readonly problems: readonly Problem[]; readonly notes: readonly string[] } {
  const ofFile = labelFile?.problems ?? [];
  if (labels === null) return { problems: ofFile, notes: [] };
  // A drop with nothing to send is refused only for that.
  const isGated = isLabelGate(config.gate) && profile.sent.count > 0;
  // A training with too few files to judge its model is paid for already, and finishes without a verdict. Further rounds may have
  // more labels than the first.
  const gate = resolveGate(config);
  const least = frozen.candidate === undefined && drawn.rounds === undefined ? gate?.minInputs : 1;
  const asked = {
    minInputs: isGated ? least : undefined,
    minLabeled: isGated ? (gate?.minLabeled ?? null) : null,
    isEarly: frozen.candidate === undefined && config.gate?.decide === 'early',
  };
  const isWhole = isOneRecord({ ...config.transform, columns: config.columns });
  const again = `inferdrop pipeline put FOLDER --name ${run.pipeline} and inferdrop ${
    original?.purpose === 'rescore' ? `rescore ${quoted(original.plan.run)}` : `rerun ${quoted(toRunId(run))}`
  }`;
  const judged = judgeLabels({
    ...labels,
    ...config.labels,
    ...asked,
    labelsFile,
    isOneRecord: isWhole,
    copies: profile.copies,
    again,
  });
  return { problems: [...ofFile, ...judged.problems], notes: judged.notes };
}

function ofDrop(message: string): Problem {
  return { file: 'drop', field: '', value: '', message };
}

function nothingToSend(excluded: Plan['excluded']): Problem {
  const reasons = Object.entries(excluded).filter(([, count]) => count > 0);
  const why =
    reasons.length === 0
      ? 'has no files'
      : `has no file that can be sent: ${reasons.map(([reason, count]) => `${grouped(count)} ${reason}`).join(', ')}`;
  const remedy =
    excluded.unreadable > 0
      ? 'Correct the files or records that the other problems name'
      : 'Upload at least one file that is not empty';
  return ofDrop(`${why}. ${remedy}`);
}

/** Refuses a run if its unreadable inputs already exceed `gate.maxErrorRate`, before anything is paid for. */
function errorRateProblems(
  { original, frozen, opened }: Pick<Found, 'original' | 'frozen' | 'opened'>,
  { config }: Pick<JudgedConfiguration, 'config'>,
  { profile, drawn }: FoundInputs,
): Problem[] {
  const { maxErrorRate, confidence = null } = resolveGate(config) ?? {};
  const cut = { ...config.transform, columns: config.columns };
  const isWhole = isOneRecord(cut);
  // A training is paid for already, later rounds have more inputs, and copies don't count.
  const isPart = original !== null || frozen.candidate !== undefined || drawn.rounds !== undefined;
  const [first] = opened.defects;
  if (maxErrorRate === undefined || first === undefined || !isWhole || isPart || profile.copies > 0)
    return [];
  const { unreadable } = profile.excluded;
  const excluded = Object.values(profile.excluded).reduce((sum, count) => sum + count, 0);
  const inputs = profile.sent.count + excluded;
  const most = mostErrors(maxErrorRate, confidence, inputs);
  if (profile.sent.count === 0 || most < 0 || unreadable <= most) return [];
  const proof =
    confidence === null ? '' : `, which ${grouped(inputs)} can prove with at most ${grouped(most)} errors`;
  const allowed = `allows ${sharePercent(maxErrorRate)}${proof}`;
  const noun = opensFiles(cut) ? 'records' : 'inputs';
  return [
    {
      file: 'pipeline.json',
      field: 'gate.maxErrorRate',
      value: String(maxErrorRate),
      message:
        `${allowed}, and ${grouped(unreadable)} of ${grouped(inputs)} ${noun} cannot be read ` +
        `(${sharePercent(unreadable / inputs, maxErrorRate)}): nothing was sent. The first: ${first.name} ` +
        `${first.defect}`,
    },
  ];
}
