import { action } from '../../kernel/action.ts';
import { onTemplate } from '../asked-of-role.ts';
import { shownCapabilities } from '../capabilities.ts';
import { checkReferences } from '../check-references.ts';
import type { CloudFormationDeps } from '../deployment-input.ts';
import { deploymentOrder } from '../deployment-order.ts';
import { parseTemplate } from '../template.ts';
import { readTemplate, TemplateSource } from '../template-source.ts';

/** Lists the parameters and capabilities that a template needs. Refuses text that is not a template. */
export const validateTemplate = ({ stacks, objects }: CloudFormationDeps) =>
  action('ValidateTemplate', {
    input: TemplateSource,
    permissions: onTemplate(stacks),
    run: async (input) => {
      const text = await readTemplate(input, { objects, site: stacks.site });
      const template = parseTemplate(text);
      checkReferences(template);
      deploymentOrder(template.Resources);
      return {
        Parameters: Object.entries(template.Parameters).map(([name, parameter]) => ({
          ParameterKey: name,
          DefaultValue: parameter.Default?.toString(),
          NoEcho: parameter.NoEcho ?? false,
          Description: parameter.Description,
        })),
        Description: template.Description,
        ...shownCapabilities(template),
        DeclaredTransforms: [],
      };
    },
  });
