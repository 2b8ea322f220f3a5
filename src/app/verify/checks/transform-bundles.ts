import { bundleFiles } from '../../../frameworks/bundle-files.ts';
import { bundleBody } from '../../../transform/bundle-body.ts';
import { headOf } from '../../../transform/output-bundle.ts';
import { BUNDLE_TYPES } from '../../../transform/request-limits.ts';
import type { Check } from '../check.ts';
import { CPU_INSTANCE, instanceUsd } from '../estimates.ts';
import { type Finding, ok, warning } from '../finding.ts';
import { BROKEN, TEST_HANDLER } from '../probe/handler.ts';
import { runTestJob, type TestJobEnd } from '../probe/job.ts';

const FORMS = ['tar', 'records'] as const;
/** The second of them is refused. */
const INPUTS = ['first', BROKEN, 'third'];
/** Estimated hours of both jobs; most of it is start-up and not billed. */
const HOURS = 1;

/** A transform job for each form of bundles, to the handler that is added to archives. */
export const transformBundles: Check = {
  name: 'transform-bundles',
  asks: 'Does a handler that inferdrop adds answer bundles of files and of records, and does a refused input cost only itself?',
  usd: (region) => instanceUsd(CPU_INSTANCE, region, HOURS),
  run: async (services) => {
    const bodies = INPUTS.map((input) => Buffer.from(input));
    const ends: BundlesSeen[] = [];
    for (const form of FORMS) {
      const bundle = await bundleBody(form, 'application/x-image', bodies);
      const { status, failureReason, outputs } = await runTestJob(services, {
        purpose: form,
        files: { bundle },
        spec: { contentType: BUNDLE_TYPES[form] ?? '', accept: 'application/json' },
        added: bundleFiles('tensorflow', TEST_HANDLER),
      });
      ends.push({ form, status, failureReason, answer: outputs.get('bundle.out') });
    }
    return judgeTransformBundles(ends);
  },
};

/** Outcome of a job of one bundle. */
interface BundlesSeen extends Pick<TestJobEnd, 'status' | 'failureReason'> {
  readonly form: (typeof FORMS)[number];
  /** Text of the bundle's answer; undefined without one. */
  readonly answer: string | undefined;
}

/** Whether each form of bundles is answered, and all inputs but the broken one. */
export function judgeTransformBundles(seen: readonly BundlesSeen[]): Finding {
  const texts = seen.map(({ form, status, failureReason, answer }) => {
    const head = headOf(answer ?? '');
    const refused = head?.failed.map(([at]) => at);
    const isRight = head?.inputs === INPUTS.length && JSON.stringify(refused) === '[1]';
    const said =
      head === undefined
        ? `no answer${failureReason === undefined ? '' : ` (${failureReason})`}`
        : `${head.inputs - head.failed.length} of ${head.inputs} inputs answered`;
    return { isRight, text: `${form}: job ${status}, ${said}` };
  });
  const answered = texts.map(({ text }) => text).join('; ');
  return texts.every(({ isRight }) => isRight)
    ? ok(answered, 'Inputs are sent in bundles, and one that the model refuses costs only itself.')
    : warning(
        answered,
        'A run tries one bundle and goes on without: it is right, but costs a request for each input. "transform": ' +
          '{"bundle": "never"} saves the try. Report this file.',
      );
}
