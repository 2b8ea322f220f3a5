import { forOrganizations } from './for-organizations.ts';
import { generatedRoles } from './generated-roles.ts';
import type { ServerlessTools } from './serverless-plugin.ts';
import type { TemplateStep } from './template-step.ts';

/** Steps that the template of every package goes through, in this order. */
const STEPS: readonly TemplateStep[] = [generatedRoles, forOrganizations];

/** Takes the template through its steps as soon as serverless has merged functions and resources. */
export default class TemplateSteps {
  readonly hooks: Readonly<Record<string, () => Promise<void>>>;

  constructor({ service, classes }: ServerlessTools) {
    this.hooks = {
      'after:aws:package:finalize:mergeCustomProviderResources': async () => {
        try {
          for (const step of STEPS) step(service.provider.compiledCloudFormationTemplate, service);
        } catch (error) {
          throw new classes.Error(error instanceof Error ? error.message : String(error));
        }
      },
    };
  }
}
