import { RequestProblem } from '../../api/problem-details.ts';
import type { Served, ServedVariant } from '../../endpoint/served.ts';
import { Condition } from '../../problem/conditions.ts';
import type { ServedFacts } from './served-facts.ts';

const NOT_READY_SECONDS = 30;

/**
 * The endpoint that serves a pipeline now.
 *
 * @throws {RequestProblem} `no-endpoint`, `endpoint-not-ready`
 */
export async function requireServing(pipeline: string, facts: ServedFacts): Promise<Served> {
  const known = await facts(pipeline);
  const found = known?.status === 'in-service' ? known : await facts(pipeline, true);
  if (found === undefined || found.status === 'deleting') throw noEndpoint(pipeline);
  if (found.status === 'creating') {
    const detail = `the endpoint of ${pipeline} is being created: ask again in ${NOT_READY_SECONDS} seconds`;
    const retryAfterSeconds = NOT_READY_SECONDS;
    throw new RequestProblem('endpoint-not-ready', detail, { retryAfterSeconds, isPlanned: true });
  }
  return found;
}

/** The problem of a pipeline without an endpoint; it names the command that deploys one. */
export function noEndpoint(pipeline: string): RequestProblem {
  const detail =
    `nothing serves ${pipeline}: inferdrop endpoints deploy ${pipeline} serves its newest run that passed its gate, or ` +
    'with --run RUN another one';
  return new RequestProblem('no-endpoint', detail);
}

/**
 * The facts of each variant that has answered. During an update there are two, and the new one may be younger than `served`, which is then
 * read again.
 *
 * @throws `VariantUnknown` when asked for a variant that served.json does not name
 */
export async function factsOf(
  pipeline: string,
  served: Served,
  variants: readonly string[],
  read: ServedFacts,
): Promise<(variant: string) => ServedVariant> {
  const isKnown = variants.every((variant) => served.variants[variant] !== undefined);
  const current = isKnown ? served : await read(pipeline, true);
  return (variant) => {
    const found = current?.variants[variant];
    if (found !== undefined) return found;
    throw new Condition(
      'VariantUnknown',
      `variant ${variant} of ${served.endpointName} is not in served.json`,
    );
  };
}
