import { expect, test } from 'vitest';
import { recipeOf } from './recipe.ts';

const PAGE = `# Recipes

## Add a cake

1. \`src/cakes/<cake>.ts\`: copy \`src/cakes/apple.ts\`, and \`src/{oven,table}.ts\`.
2. \`src/plates/\`: its plate. Generated: \`node scripts/bake.ts\`.

## Add a cake to a table

1. \`src/shop.ts\`: its place.

| what | where |
| where plums come from | \`src/trees.ts\` |
`;

test('a recipe names files, any name and folders', () => {
  const { paths, isNamed } = recipeOf(PAGE, 'a cake');
  expect(paths).toEqual(['src/cakes/<cake>.ts', 'src/cakes/apple.ts', 'src/{oven,table}.ts', 'src/plates/']);
  for (const file of ['src/cakes/plum.ts', 'src/oven.ts', 'src/plates/deep/round.ts'])
    expect([file, isNamed(file)]).toEqual([file, true]);
  for (const file of ['src/cakes/plum/half.ts', 'src/door.ts', 'src/shop.ts', 'scripts/bake.ts'])
    expect([file, isNamed(file)]).toEqual([file, false]);
});

test('a row of the table is a recipe, and an unknown one is refused', () => {
  expect(recipeOf(PAGE, 'where plums come from').isNamed('src/trees.ts')).toBe(true);
  expect(() => recipeOf(PAGE, 'a pie')).toThrow('docs/recipes.md has no recipe for a pie');
});
