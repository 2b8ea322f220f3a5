import { AwsError, validationError } from '../kernel/aws-error.ts';
import { type Reference, referencesIn } from './references.ts';
import { resourceSchemaOf } from './schemas/resource-schema.ts';
import { formatError, type Template } from './template.ts';

/** Attributes that CloudFormation documents and its schemas do not name as read-only. */
const FURTHER_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  'AWS::SNS::Topic': ['TopicName'],
  'AWS::SQS::Queue': ['QueueName'],
};

/**
 * Refuses a template that names what it does not have.
 *
 * @throws {AwsError} `ValidationError` in AWS's words
 */
export function checkReferences(template: Template): void {
  checkFunctions(template);
  const { Resources, Outputs, Conditions } = template;
  const inResources = Object.values(Resources).flatMap(({ Properties, DependsOn }) => [
    ...referencesIn(Properties),
    ...DependsOn.map((name) => ({ by: 'Ref', name }) as const),
  ]);
  const inOutputs = Object.values(Outputs).flatMap(({ Value }) => referencesIn(Value));
  const inConditions = referencesIn(Object.values(Conditions));

  const beyondParameters = unresolved(inConditions, (name) => isParameter(template, name));
  if (beyondParameters.length > 0)
    throw formatError(
      `Unresolved dependencies [${beyondParameters.join(', ')}]. Cannot reference resources in the Conditions block of the template`,
    );
  for (const [block, references] of [
    ['Resources', inResources],
    ['Outputs', inOutputs],
  ] as const) {
    const missing = unresolved(references, (name) => isKnown(template, name));
    if (missing.length > 0) throw unresolvedDependencies(missing, block);
  }
  for (const [block, members] of [
    ['Resources', Resources],
    ['Outputs', Outputs],
  ] as const)
    for (const { Condition } of Object.values(members))
      if (Condition !== undefined && !Object.hasOwn(Conditions, Condition))
        throw formatError(
          `Unresolved condition dependency ${Condition} in the ${block} block of the template`,
        );
  for (const reference of [...inResources, ...inOutputs, ...inConditions]) checkOne(template, reference);
}

/** The message for names that are neither a parameter nor a resource of the deployment. */
export function unresolvedDependencies(names: readonly string[], block: 'Resources' | 'Outputs'): AwsError {
  return formatError(
    `Unresolved resource dependencies [${names.join(', ')}] in the ${block} block of the template`,
  );
}

function unresolved(references: readonly Reference[], isThere: (name: string) => boolean): readonly string[] {
  const names = references
    .filter(({ by, attribute }) => by === 'Ref' || (by === 'Fn::Sub' && attribute === undefined))
    .map(({ name }) => name);
  return [...new Set(names)].filter((name) => !isThere(name));
}

function checkOne(template: Template, { by, name, attribute }: Reference): void {
  if (by === 'Condition' || by === 'Fn::If') {
    if (!Object.hasOwn(template.Conditions, name))
      throw templateError(`unresolved condition dependency ${name} in ${by}`);
  } else if (by === 'Fn::FindInMap') {
    if (!Object.hasOwn(template.Mappings, name))
      throw templateError(`Mapping named '${name}' is not present in the 'Mappings' section of template.`);
  } else if (attribute !== undefined) {
    const type = Object.hasOwn(template.Resources, name) ? template.Resources[name]?.Type : undefined;
    if (type === undefined)
      throw by === 'Fn::Sub'
        ? templateError(`instance of Fn::Sub references invalid resource attribute ${name}.${attribute}`)
        : templateError(`instance of Fn::GetAtt references undefined resource ${name}`);
    if (!hasAttribute(type, attribute))
      throw templateError(`resource ${name} does not support attribute type ${attribute} in Fn::GetAtt`);
  }
}

function hasAttribute(type: string, attribute: string): boolean {
  const schema = resourceSchemaOf(type);
  if (!schema) return true;
  const pointer = `/properties/${attribute.replaceAll('.', '/')}`;
  return (
    schema.readOnlyProperties.includes(pointer) || FURTHER_ATTRIBUTES[type]?.includes(attribute) === true
  );
}

function isParameter({ Parameters }: Template, name: string): boolean {
  return name.startsWith('AWS::') || Object.hasOwn(Parameters, name);
}

function isKnown(template: Template, name: string): boolean {
  return isParameter(template, name) || Object.hasOwn(template.Resources, name);
}

function templateError(message: string): AwsError {
  return validationError(`Template error: ${message}`);
}

/** Every CloudFormation function, including the rule functions and the language extensions. */
const FUNCTIONS = [
  'Fn::Base64',
  'Fn::GetAtt',
  'Fn::GetAZs',
  'Fn::ImportValue',
  'Fn::Join',
  'Fn::Split',
  'Fn::FindInMap',
  'Fn::Select',
  'Ref',
  'Fn::Equals',
  'Fn::If',
  'Fn::Not',
  'Condition',
  'Fn::And',
  'Fn::Or',
  'Fn::Contains',
  'Fn::EachMemberEquals',
  'Fn::EachMemberIn',
  'Fn::ValueOf',
  'Fn::ValueOfAll',
  'Fn::RefAll',
  'Fn::Sub',
  'Fn::Cidr',
];
/** Functions that only a transform reads; the stack has no transforms. */
const BY_TRANSFORM = new Set(['Fn::Transform', 'Fn::Length', 'Fn::ToJsonString', 'Fn::ForEach']);

/** @throws {AwsError} `ValidationError` for a function that CloudFormation does not have */
function checkFunctions({ Resources, Outputs, Conditions }: Template): void {
  for (const part of [Resources, Outputs, Conditions]) look(part);
}

function look(value: unknown): void {
  if (Array.isArray(value)) return value.forEach(look);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name.startsWith('Fn::') && !FUNCTIONS.includes(name) && !BY_TRANSFORM.has(name))
      throw validationError(
        `Template error: Encountered unsupported function: ${name} Supported functions are: [${FUNCTIONS.join(', ')}]`,
      );
    look(inner);
  }
}
