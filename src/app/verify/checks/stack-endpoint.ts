import * as z from 'zod';
import { bucketLayout } from '../../../drop/bucket-layout.ts';
import { CPU_INSTANCE, instanceUsd } from '../../../verify/estimates.ts';
import { VERIFY_PIPELINE } from '../../../verify/probe-name.ts';
import { judgeStackEndpoint } from '../../../verify/stack-endpoint.ts';
import type { StackEndpointFacts } from '../../../verify/stack-endpoint.ts';
import { startEndpointChange } from '../../endpoint/start-endpoint-change.ts';
import type { EndpointRequest } from '../../endpoint/start-endpoint-change.ts';
import type { Check, VerifyServices } from '../check.ts';
import { outputOf } from '../stack-resource.ts';
import { awaitExecution, verificationRun } from '../verification-run.ts';
import { stackRunId } from './stack-run.ts';

const HOURS = 1;
/** In Base64 more than the 6 MB that a function takes, and yet less than the 10 MB that API Gateway reads at all. */
const TOO_LARGE_BYTES = 5_000_000;
const SHOWN = 200;
/** Bytes that are no text in any encoding: a flag of Base64 that is not set would change them. */
const BINARY = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0x00, 0x80]);
const REQUESTS = [
  { sent: 'PNG', type: 'image/png', body: BINARY, expected: 1 },
  { sent: 'JSON Lines', type: 'application/jsonlines', body: Buffer.from('{"x":1}\n{"x":2}\n'), expected: 2 },
] as const;

/** The endpoint of the verification's run: with autoscaling, asked through the API, deleted again. */
export const stackEndpoint: Check = {
  name: 'stack-endpoint',
  asks: 'Is an endpoint with autoscaling deployed, does it answer binary and text bodies through the API, and is it deleted?',
  usd: (region) => instanceUsd(CPU_INSTANCE, region, HOURS),
  run: async (services) => {
    const { store, id } = services;
    if ((await store.describe(bucketLayout.reportJson(verificationRun(id)))) === undefined)
      return {
        answered: '–',
        verdict: 'not run',
        means: 'It serves the model of stack-run, which has no report.',
      };
    const deployed = await change(services, {
      action: 'deploy',
      pipeline: VERIFY_PIPELINE,
      run: stackRunId(id),
    });
    const answers: StackEndpointFacts['answers'][number][] = [];
    let tooLarge: StackEndpointFacts['tooLarge'];
    if (deployed === 'SUCCEEDED') {
      for (const { sent, type, body, expected } of REQUESTS) {
        const { status, text } = await post(services, type, body);
        answers.push({ sent, status, text, expected, predictions: predictionsIn(text) });
      }
      tooLarge = await post(services, 'image/png', new Uint8Array(TOO_LARGE_BYTES));
    }
    const deleted = await change(services, {
      action: 'delete',
      pipeline: VERIFY_PIPELINE,
      reason: 'inferdrop verify is done with it',
    });
    return judgeStackEndpoint({ deployed, deleted, answers, tooLarge });
  },
};

async function change(services: VerifyServices, request: EndpointRequest): Promise<string> {
  const { endpointChanges, id } = services;
  const { arn } = await startEndpointChange(endpointChanges, request, `verification ${id}`);
  const { status, error, cause } = await awaitExecution(endpointChanges, arn, services);
  return [status, error, cause].filter((part) => part !== undefined).join(' ');
}

async function post(
  { callApi, stack }: Pick<VerifyServices, 'callApi' | 'stack'>,
  type: string,
  body: Uint8Array,
): Promise<{ readonly status: number; readonly text: string }> {
  const url = new URL(`${outputOf(stack, 'ApiUrl').replace(/\/$/, '')}/predict/${VERIFY_PIPELINE}`);
  const response = await callApi({ method: 'POST', url, headers: { 'content-type': type }, body });
  return { status: response.status, text: (await response.text()).slice(0, SHOWN * 10) };
}

const Predicted = z.object({ predictions: z.array(z.unknown()) });

function predictionsIn(text: string): number {
  try {
    return Predicted.safeParse(JSON.parse(text)).data?.predictions.length ?? 0;
  } catch (error) {
    if (error instanceof SyntaxError) return 0;
    throw error;
  }
}
