type Json = any;

const NONE = Symbol('AWS::NoValue');

/** Resources that a template makes with these values of parameters: conditions are decided, and everything else stays as it is. */
export function madeResources(template: Json, values: Record<string, Json> = {}): Record<string, Json> {
  const valueOf = (name: string): Json => values[name] ?? template.Parameters[name]?.Default ?? name;
  const text = (value: Json): string => {
    if (value?.Ref) return [valueOf(value.Ref)].flat().join(',');
    if (value?.['Fn::Join']) return [text(value['Fn::Join'][1])].flat().join(value['Fn::Join'][0]);
    return String(value);
  };
  const holds = (condition: Json): boolean => {
    if (typeof condition === 'string') return holds(template.Conditions[condition]);
    if (condition.Condition) return holds(condition.Condition);
    if (condition['Fn::Not']) return !holds(condition['Fn::Not'][0]);
    if (condition['Fn::And']) return condition['Fn::And'].every(holds);
    if (condition['Fn::Or']) return condition['Fn::Or'].some(holds);
    const [one, other] = condition['Fn::Equals'];
    return text(one) === text(other);
  };
  const decided = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(decided).filter((one) => one !== NONE);
    if (value === null || typeof value !== 'object') return value;
    if (value.Ref === 'AWS::NoValue') return NONE;
    if (value['Fn::If']) return decided(value['Fn::If'][holds(value['Fn::If'][0]) ? 1 : 2]);
    const members = Object.entries(value).map(([name, one]) => [name, decided(one)] as const);
    return Object.fromEntries(members.filter(([, one]) => one !== NONE));
  };
  return Object.fromEntries(
    Object.entries<Json>(template.Resources)
      .filter(([, { Condition }]) => Condition === undefined || holds(Condition))
      .map(([id, one]) => [id, decided(one)]),
  );
}
