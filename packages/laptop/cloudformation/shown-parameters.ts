import { parseTemplate } from './template.ts';

/** Parameters as CloudFormation shows them: the value of one that is declared with `NoEcho` is hidden. */
export function shownParameters({
  template,
  parameters,
}: {
  readonly template: string;
  readonly parameters: Readonly<Record<string, string>>;
}): readonly { readonly ParameterKey: string; readonly ParameterValue: string }[] {
  const entries = Object.entries(parameters);
  const declared = entries.length === 0 ? {} : parseTemplate(template).Parameters;
  return entries.map(([ParameterKey, value]) => ({
    ParameterKey,
    ParameterValue: declared[ParameterKey]?.NoEcho === true ? '****' : value,
  }));
}
