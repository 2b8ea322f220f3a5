import {
  DescribeEndpointCommand,
  DescribeEndpointConfigCommand,
  DescribeModelCommand,
  DescribeTransformJobCommand,
  SageMakerClient,
} from '@aws-sdk/client-sagemaker';
import { isNamed } from '../calls/aws-error.ts';
import { request } from '../sagemaker/sagemaker-request.ts';

/** SageMaker's answer for a name that does not exist. */
export interface UnknownNameAnswer {
  readonly call: string;
  /** AWS's own code. */
  readonly code: string;
  /** Undefined if the adapters of this folder treat the answer as "missing". */
  readonly error: string | undefined;
}

/** Calls each Describe operation of SageMaker with a name that does not exist. */
export type UnknownNames = (name: string) => Promise<readonly UnknownNameAnswer[]>;

/** Asks SageMaker of the account and region that the environment names. */
export const unknownNames: UnknownNames = async (name) => {
  const client = new SageMakerClient();
  const calls: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['DescribeTransformJob', () => client.send(new DescribeTransformJobCommand({ TransformJobName: name }))],
    ['DescribeModel', () => client.send(new DescribeModelCommand({ ModelName: name }))],
    ['DescribeEndpoint', () => client.send(new DescribeEndpointCommand({ EndpointName: name }))],
    [
      'DescribeEndpointConfig',
      () => client.send(new DescribeEndpointConfigCommand({ EndpointConfigName: name })),
    ],
  ];
  return Promise.all(calls.map(([call, send]) => ask(call, send)));
};

async function ask(call: string, send: () => Promise<unknown>): Promise<UnknownNameAnswer> {
  let code = 'an answer, although the name does not exist';
  const sent = send().catch((error: unknown) => {
    if (error instanceof Error) code = error.name;
    throw error;
  });
  try {
    await request(sent);
    return { call, code, error: code };
  } catch (error) {
    if (isNamed(error, 'NotFound')) return { call, code, error: undefined };
    // A request without an answer, or a denied one, says nothing about names.
    if (isNamed(error, 'ValidationException', 'ResourceNotFound'))
      return { call, code, error: error.message };
    throw error;
  }
}
