import { FRAMEWORKS } from '../../frameworks/frameworks.ts';
import type { PipelineConfig } from '../../pipeline/pipeline-config.ts';
import { grouped } from '../../text/figures.ts';
import { bundleRoom, inputsOfBundle } from '../../transform/bundle-cutter.ts';
import { opensFiles } from '../../transform/one-record.ts';
import { type BundleBounds, REQUEST_LIMITS } from '../../transform/request-limits.ts';
import type { PlannedWork, Sending } from './engine-planning.ts';

/** Runs of fewer files end sooner without the step that makes bundles. */
const MIN_FILES = 256;
const BYTES_PER_MB = 1_000_000;
/** Room for the end of the tar in a request. */
const SPARE_BYTES = 100_000;

/** With this many files, requests, reads and writes cost enough to say why they aren't sent in bundles: 10,000 writes are five cents. */
const WORTH_SAYING = 10_000;

const ONE_BY_ONE: Sending = { outputs: 'objects', bundle: null };

/**
 * How SageMaker is sent the inputs of a run: in bundles if that pays, else one by one, or as lines of objects.
 *
 * @param refused why the archive is sent no bundles, if it doesn't answer them
 */
export function sendingOf(
  config: PipelineConfig,
  work: PlannedWork,
  refused?: string,
): Sending & { readonly notes: readonly string[] } {
  const isNever = config.transform.bundle === 'never';
  const isTable = opensFiles({ ...config.transform, columns: config.columns });
  const { maxPayloadInMB } = config.transform;
  const form = isTable ? 'records' : 'tar';
  const limits = REQUEST_LIMITS[form];
  const most = maxPayloadInMB === 'auto' ? Infinity : maxPayloadInMB * BYTES_PER_MB - SPARE_BYTES;
  const bundle = { form, ...limits, bytes: Math.min(limits.bytes, bundleRoom(form, most)) } as const;
  const why = isNever ? 'transform.bundle is "never"' : (whyOneByOne(config, work, bundle) ?? refused);
  if (isTable && why !== undefined) return inLines(why);
  if (why !== undefined) {
    const isTold = why === refused || (work.objects >= WORTH_SAYING && !isNever);
    return { ...ONE_BY_ONE, notes: isTold ? [`files are sent one by one: ${why}`] : [] };
  }
  const note =
    `${isTable ? 'records' : 'files'} are sent in bundles of up to ${grouped(limits.inputs)}, each one request. The ` +
    'quote includes making them, and each one’s time as if it were sent on its own';
  return { outputs: 'bundles', bundle, notes: [note] };
}

/** Objects of records for SageMaker to cut. A bad record costs its whole object the answer. */
function inLines(why: string): ReturnType<typeof sendingOf> {
  const { inputs } = REQUEST_LIMITS.lines;
  const note =
    `${why}: records are sent as lines of objects, up to ${grouped(inputs)} in each. A record that the model refuses ` +
    'leaves its object without answers, which is sent again in parts: up to three jobs more';
  return { outputs: 'lines', bundle: { form: 'lines', ...REQUEST_LIMITS.lines }, notes: [note] };
}

function whyOneByOne(
  { model, transform, columns, gate }: PipelineConfig,
  work: PlannedWork,
  bundle: BundleBounds,
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
  return inputsOfBundle(bundle, mean) < 2
    ? `they have ${grouped(mean)} bytes on average, so that no two fit into a request of ${grouped(bundle.bytes)}`
    : undefined;
}

/** Why the handler for bundles would not be called in a model's container. */
function whyUnserved(model: PipelineConfig['model']): string | undefined {
  return model.image === null
    ? FRAMEWORKS[model.framework].whyNoBundles(model)
    : "model.image names an image of your own, and a handler for bundles is made for AWS's";
}
