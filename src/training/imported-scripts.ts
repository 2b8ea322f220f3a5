/** An `import` at the start of a line; the group holds the modules, or the package and the names of it, blanks before them included. */
const IMPORT =
  /^[ \t]*(?:import[ \t]([\w., \t]+)|from[ \t]+([\w.]+)[ \t]+import([ \t]*\([^()]*\)|[^\n(]*))/gm;

/**
 * The entry point and the scripts of the source that it imports, directly or not. Modules that a script imports by a computed name, or
 * starts as a program, are not among them.
 *
 * @param texts by path in the source folder
 */
export function importedScripts(entryPoint: string, texts: ReadonlyMap<string, string>): string[] {
  const found = new Set([entryPoint]);
  for (const path of found)
    for (const module of importedModules(path, texts.get(path) ?? ''))
      for (const file of [`${module}.py`, `${module}/__init__.py`]) if (texts.has(file)) found.add(file);
  return [...found];
}

/** Modules as paths; `from a import b` gives both `a` and `a/b`, since b may be a module. */
function importedModules(path: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].flatMap(([, modules, from, names = '']) => {
    if (modules !== undefined) return listed(modules).flatMap(withParents);
    const base = from?.startsWith('.') === true ? relativeTo(path, from) : (from ?? '').replaceAll('.', '/');
    return [...withParents(base), ...listed(names).map((name) => (base === '' ? name : `${base}/${name}`))];
  });
}

/** Names of `a.b as c, d`, as paths. */
function listed(names: string): string[] {
  return names.split(',').map((name) => (/[\w.]+/.exec(name)?.[0] ?? '').replaceAll('.', '/'));
}

/** Importing `a.b` also imports `a`. */
function withParents(module: string): string[] {
  const parts = module.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** `..a.b` of `x/y/z.py` is `x/a/b`. */
function relativeTo(path: string, from: string): string {
  const dots = /^\.*/.exec(from)?.[0].length ?? 0;
  const folder = path.split('/').slice(0, -dots);
  const rest = from.slice(dots).split('.').filter(Boolean);
  return [...folder, ...rest].join('/');
}
