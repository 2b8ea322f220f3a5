import path from 'node:path';

/** The files that a recipe of docs/recipes.md names. */
export interface Recipe {
  /** Paths in the order in which they are named; `<x>` stands for any name, and a trailing `/` for everything below the path. */
  readonly paths: readonly string[];
  isNamed(file: string): boolean;
}

/**
 * Finds a recipe by its heading after "Add", or by the first cell of its row.
 *
 * @throws {RangeError} if the page has no such recipe
 */
export function recipeOf(page: string, name: string): Recipe {
  const section = page.split(/^## /m).find((each) => each.startsWith(`Add ${name}\n`));
  const text = section ?? page.split('\n').find((line) => line.startsWith(`| ${name} `));
  if (text === undefined) throw new RangeError(`docs/recipes.md has no recipe for ${name}`);
  const paths = [...text.matchAll(/`([^`\s]+\/[^`\s]*)`/g)].map(([, each = '']) => each);
  const globs = paths.map((each) => each.replaceAll(/<[^>]+>/g, '*').replace(/\/$/, '/**'));
  return { paths, isNamed: (file) => globs.some((glob) => path.matchesGlob(file, glob)) };
}
