import { jsonService } from '../kernel/json-service.ts';
import type { Service, Site } from '../kernel/service.ts';
import { describeRepositories } from './actions/describe-repositories.ts';

/** The container registry, which has no repository here: images are made elsewhere. */
export function createEcr({ site }: { readonly site: Site }): { readonly service: Service } {
  const service = jsonService({
    name: 'ecr',
    target: 'AmazonEC2ContainerRegistry_V20150921',
    version: '1.1',
    actions: [describeRepositories(site)],
    validationCode: 'InvalidParameterException',
  });
  return { service };
}
