import type { Block, State } from '@inferdrop/laptop/internal/states/machine';

interface Edge {
  readonly to: string;
  readonly assigned: readonly string[];
}

/** For each state of a block, the variables that have a value on every path that leads to it. */
export function assignedBefore(block: Block): ReadonlyMap<string, ReadonlySet<string>> {
  const before = new Map<string, ReadonlySet<string>>([[block.startAt, new Set()]]);
  const open = [block.startAt];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const state = block.states.get(name);
    const here = before.get(name);
    if (!state || !here) continue;
    for (const { to, assigned } of edgesOf(state)) {
      const after = new Set([...here, ...assigned]);
      const known = before.get(to);
      const joined = known ? new Set([...known].filter((variable) => after.has(variable))) : after;
      if (known?.size === joined.size) continue;
      before.set(to, joined);
      open.push(to);
    }
  }
  return before;
}

function edgesOf(state: State): Edge[] {
  const names = (assign: Readonly<Record<string, unknown>> | undefined): string[] =>
    Object.keys(assign ?? {});
  switch (state.Type) {
    case 'Succeed':
    case 'Fail':
      return [];
    case 'Choice':
      return [
        ...state.Choices.map((rule) => ({ to: rule.Next, assigned: names(rule.Assign) })),
        ...(state.Default === undefined ? [] : [{ to: state.Default, assigned: names(state.Assign) }]),
      ];
    case 'Pass':
    case 'Wait':
      return state.Next === undefined ? [] : [{ to: state.Next, assigned: names(state.Assign) }];
    case 'Task':
    case 'Map':
      return [
        ...(state.Next === undefined ? [] : [{ to: state.Next, assigned: names(state.Assign) }]),
        ...state.Catch.map((catcher) => ({ to: catcher.Next, assigned: names(catcher.Assign) })),
      ];
  }
}
