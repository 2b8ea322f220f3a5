import * as z from 'zod';
import { action } from '../../kernel/action.ts';
import { validationError } from '../../kernel/aws-error.ts';
import { onStack, onTemplate } from '../asked-of-role.ts';
import { shownCapabilities } from '../capabilities.ts';
import { findChangeSet } from '../change-sets.ts';
import { checkReferences } from '../check-references.ts';
import type { CloudFormationDeps } from '../deployment-input.ts';
import { deploymentOrder } from '../deployment-order.ts';
import { resourceSchemaOf, topLevelNames } from '../schemas/resource-schema.ts';
import { parseTemplate, type Template, type TemplateParameter } from '../template.ts';
import { readTemplate, TemplateSource } from '../template-source.ts';

/** Calls that read templates. */
export const templateActions = (deps: CloudFormationDeps) => [
  /** The template of a stack or a change set, as it was given. */
  action('GetTemplate', {
    input: z.strictObject({
      StackName: z.string().optional(),
      ChangeSetName: z.string().optional(),
      TemplateStage: z.enum(['Original', 'Processed']).optional(),
    }),
    permissions: onStack(deps.stacks),
    run: ({ StackName, ChangeSetName }) => {
      const { template } =
        ChangeSetName === undefined
          ? deps.stacks.book.find(StackName ?? '')
          : findChangeSet(deps.stacks.book, { ChangeSetName, StackName });
      return { TemplateBody: template, StagesAvailable: ['Original', 'Processed'] };
    },
  }),
  /** Declarations of a template: a stack's (give the id of a deleted one), or one that isn't deployed yet. */
  action('GetTemplateSummary', {
    input: TemplateSource.extend({
      StackName: z.string().optional(),
      TemplateSummaryConfig: z
        .strictObject({ TreatUnrecognizedResourceTypesAsWarnings: z.boolean().optional() })
        .optional(),
    }).strict(),
    permissions: onTemplate(deps.stacks),
    run: async ({ StackName, TemplateSummaryConfig: _, ...source }) => {
      const isStack = StackName !== undefined;
      if (isStack && (source.TemplateBody ?? source.TemplateURL) !== undefined)
        throw validationError('Only one of StackName, TemplateBody and TemplateURL may be given');
      const text = isStack
        ? deps.stacks.book.find(StackName).template
        : await readTemplate(source, { objects: deps.objects, site: deps.stacks.site });
      if (isStack && text === '')
        throw validationError(`Stack ${StackName} has no template before a change set is executed`);
      return summaryOf(parseTemplate(text));
    },
  }),
  /** Lists the parameters and capabilities that a template needs. Refuses text that is not a template. */
  action('ValidateTemplate', {
    input: TemplateSource,
    permissions: onTemplate(deps.stacks),
    run: async (input) => {
      const text = await readTemplate(input, { objects: deps.objects, site: deps.stacks.site });
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
  }),
];

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
