import {
  ListEndpointConfigsCommand,
  ListEndpointsCommand,
  ListModelsCommand,
  type SageMakerClient,
} from '@aws-sdk/client-sagemaker';
import { required } from '../calls/answer.ts';
import { request } from './sagemaker-request.ts';

/** Names of endpoints that contain a text; all where no text is given. */
export function endpointNames(client: SageMakerClient, NameContains?: string): AsyncIterable<string> {
  return names(async (NextToken) => {
    const page = await request(client.send(new ListEndpointsCommand({ NameContains, NextToken })));
    return { names: page.Endpoints?.map((one) => one.EndpointName), next: page.NextToken };
  });
}

/** Names of endpoint configurations that contain a text; all where no text is given. */
export function configNames(client: SageMakerClient, NameContains?: string): AsyncIterable<string> {
  return names(async (NextToken) => {
    const page = await request(client.send(new ListEndpointConfigsCommand({ NameContains, NextToken })));
    return { names: page.EndpointConfigs?.map((one) => one.EndpointConfigName), next: page.NextToken };
  });
}

/** Names of models that contain a text. */
export function modelNames(client: SageMakerClient, NameContains: string): AsyncIterable<string> {
  return names(async (NextToken) => {
    const page = await request(client.send(new ListModelsCommand({ NameContains, NextToken })));
    return { names: page.Models?.map((one) => one.ModelName), next: page.NextToken };
  });
}

interface Page {
  readonly names: readonly (string | undefined)[] | undefined;
  readonly next: string | undefined;
}

async function* names(read: (token: string | undefined) => Promise<Page>): AsyncGenerator<string> {
  let token: string | undefined;
  do {
    const page = await read(token);
    for (const name of page.names ?? []) yield required(name, 'Name');
    token = page.next;
  } while (token !== undefined);
}
