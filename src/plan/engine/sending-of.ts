import { compareVersions } from '../../model/version-order.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { grouped } from '../../text/figures.ts';
import { bundleRoom } from '../../transform/bundle-cutter.ts';
import { opensFiles } from '../../transform/one-record.ts';
import { REQUEST_LIMITS } from '../../transform/request-limits.ts';
import type { PlannedWork, Sending } from './engine-planning.ts';

/** Runs of fewer files end sooner without the step that makes bundles. */
const MIN_FILES = 256;
/** Larger files gain little: reading and decoding them costs more than their requests. */
const MAX_MEAN_BYTES = 64_000;
const BYTES_PER_MB = 1_000_000;
/** Room for the end of the tar in a request. */
const SPARE_BYTES = 100_000;

/** Files whose requests, reads and writes cost enough for a hint at bundles: 10,000 writes are five cents. */
const WORTH_SAYING = 10_000;

const ONE_BY_ONE: Sending = { outputs: 'objects', bundle: null };

/** How SageMaker is sent the inputs of a run: one by one, or, where `transform.bundle` asks for it and it pays, in bundles. */
export function sendingOf(
  config: PipelineConfig,
  work: PlannedWork,
): Sending & { readonly notes: readonly string[] } {
  const why = whyOneByOne(config, work);
  const isTable = opensFiles({ ...config.transform, columns: config.columns });
  if (isTable && (config.transform.bundle === 'never' || why !== undefined)) return inLines(work, why);
  if (config.transform.bundle === 'never') {
    const pays = why === undefined && work.objects >= WORTH_SAYING;
    return { ...ONE_BY_ONE, notes: pays ? [hint(work)] : [] };
  }
  if (why !== undefined)
    return { ...ONE_BY_ONE, notes: [`transform.bundle is "auto", and files are sent one by one: ${why}`] };
  const { maxPayloadInMB } = config.transform;
  const form = isTable ? 'records' : 'tar';
  const limits = REQUEST_LIMITS[form];
  const most = maxPayloadInMB === 'auto' ? Infinity : maxPayloadInMB * BYTES_PER_MB - SPARE_BYTES;
  const bundle = { form, ...limits, bytes: Math.min(limits.bytes, bundleRoom(form, most)) } as const;
  const requests = Math.ceil(Math.max(work.objects / bundle.inputs, work.bytes / bundle.bytes));
  return {
    outputs: 'bundles',
    bundle,
    notes: [
      `transform.bundle is "auto": ${grouped(work.objects)} ${isTable ? 'records' : 'files'} are sent in bundles of up to ${grouped(limits.inputs)}, each one request: some ${grouped(requests)}. The quote has their making, and the time of each as if it were sent alone`,
    ],
  };
}

/** Objects of records for SageMaker to cut, of which one with a bad record has no answer. */
function inLines(
  { objects }: PlannedWork,
  why = 'transform.bundle is "never"',
): ReturnType<typeof sendingOf> {
  const { inputs } = REQUEST_LIMITS.lines;
  const note = `${why}: ${grouped(objects)} records are sent as lines of objects, up to ${grouped(inputs)} in each. A record that the model refuses leaves its object without answers, which is sent again in parts: up to three jobs more`;
  return { outputs: 'lines', bundle: { form: 'lines', ...REQUEST_LIMITS.lines }, notes: [note] };
}

function hint({ objects }: PlannedWork): string {
  return `"transform": {"bundle": "auto"} would send these ${grouped(objects)} small files in some ${grouped(Math.ceil(objects / REQUEST_LIMITS.tar.inputs))} requests, and store their answers in as many objects`;
}

function whyOneByOne(
  { model, transform, columns, gate }: PipelineConfig,
  work: PlannedWork,
): string | undefined {
  const unserved = whyUnserved(model);
  const isOpened = opensFiles({ ...transform, columns });
  if (unserved !== undefined || isOpened) return unserved;
  const { splitType, contentType } = transform;
  if (splitType !== 'None') return `transform.splitType ${JSON.stringify(splitType)} cuts each into records`;
  if (gate?.decide === 'early') return 'gate.decide is "early", which sends them in rounds';
  if (/^application\/x-tar\b/i.test(contentType)) return 'they are tars already';
  if (work.objects < MIN_FILES)
    return `there are ${grouped(work.objects)}, and bundles pay from ${MIN_FILES} on`;
  const mean = Math.round(work.bytes / work.objects);
  return mean > MAX_MEAN_BYTES
    ? `they have ${grouped(mean)} bytes on average, and bundles pay up to ${grouped(MAX_MEAN_BYTES)}`
    : undefined;
}

/** TorchServe came with it; the images before have another server and older toolkits. */
const FIRST_PYTORCH = '1.6';

/** Why the handler for bundles would not be called in a model's container. */
function whyUnserved({
  framework,
  frameworkVersion,
  image,
  environment,
}: PipelineConfig['model']): string | undefined {
  if (image !== null)
    return 'model.image names an image of your own, and a handler for bundles is made for those of AWS';
  if (framework === 'tensorflow') return undefined;
  if (compareVersions(frameworkVersion, FIRST_PYTORCH) < 0)
    return `model.frameworkVersion is ${JSON.stringify(frameworkVersion)}, and bundles go to PyTorch ${FIRST_PYTORCH} and later`;
  const program = environment['SAGEMAKER_PROGRAM'] ?? 'inference.py';
  return program === 'inference.py'
    ? undefined
    : `model.environment.SAGEMAKER_PROGRAM names ${program}, and the handler for bundles is an inference.py`;
}
