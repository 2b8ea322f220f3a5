import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { validationError } from '../../kernel/aws-error.ts';
import { onTemplate } from '../asked-of-role.ts';
import { shownCapabilities } from '../capabilities.ts';
import type { CloudFormationDeps } from '../deployment-input.ts';
import { resourceSchemaOf, topLevelNames } from '../schemas/resource-schema.ts';
import { parseTemplate, type Template, type TemplateParameter } from '../template.ts';
import { readTemplate, TemplateSource } from '../template-source.ts';

/** Declarations of a template: a stack's (give the id of a deleted one), or one that isn't deployed yet. */
export const getTemplateSummary = ({ stacks, objects }: CloudFormationDeps) =>
  action('GetTemplateSummary', {
    input: TemplateSource.extend({
      StackName: z.string().optional(),
      TemplateSummaryConfig: z
        .strictObject({ TreatUnrecognizedResourceTypesAsWarnings: z.boolean().optional() })
        .optional(),
    }).strict(),
    permissions: onTemplate(stacks),
    run: async ({ StackName, TemplateSummaryConfig: _, ...source }) => {
      const isStack = StackName !== undefined;
      if (isStack && (source.TemplateBody ?? source.TemplateURL) !== undefined)
        throw validationError('Only one of StackName, TemplateBody and TemplateURL may be given');
      const text = isStack
        ? stacks.book.find(StackName).template
        : await readTemplate(source, { objects, site: stacks.site });
      if (isStack && text === '')
        throw validationError(`Stack ${StackName} has no template before a change set is executed`);
      return summaryOf(parseTemplate(text));
    },
  });

function summaryOf(template: Template) {
  const { Parameters, Resources, Description, AWSTemplateFormatVersion, Metadata } = template;
  const types = [...new Set(Object.values(Resources).map(({ Type }) => Type))];
  return {
    Parameters: Object.entries(Parameters).map(([name, parameter]) => toDeclaration(name, parameter)),
    Description,
    ...shownCapabilities(template),
    ResourceTypes: types,
    Version: AWSTemplateFormatVersion,
    Metadata: Metadata === undefined ? undefined : JSON.stringify(Metadata),
    DeclaredTransforms: [],
    ResourceIdentifierSummaries: types.flatMap((type) => {
      const schema = resourceSchemaOf(type);
      const ids = Object.keys(Resources).filter((id) => Resources[id]?.Type === type);
      return schema
        ? [
            {
              ResourceType: type,
              LogicalResourceIds: ids,
              ResourceIdentifiers: topLevelNames(schema.primaryIdentifier),
            },
          ]
        : [];
    }),
  };
}

function toDeclaration(
  name: string,
  { Type, Default, NoEcho, Description, AllowedValues }: TemplateParameter,
) {
  return {
    ParameterKey: name,
    DefaultValue: Default?.toString(),
    ParameterType: Type,
    NoEcho: NoEcho ?? false,
    Description,
    ParameterConstraints: AllowedValues ? { AllowedValues: AllowedValues.map(String) } : {},
  };
}
