import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

const Texts = z.record(z.string(), z.string()).default({});
const Manifest = z.looseObject({ exports: Texts, imports: Texts, dependencies: Texts });
type Manifest = z.infer<typeof Manifest>;

/** Files that no package takes along: tests, packages that npm installs, and TypeScript, which became JavaScript. */
const LEFT_OUT = /(^|[\\/])(test|lab|node_modules|__pycache__)$|\.ts$|package-lock\.json$/;

/**
 * Writes every package of `packages/` to `out` as npm installs it anywhere: JavaScript with its types, and the files that it reads.
 *
 * @returns its folders
 */
export function buildWorkspaces(root: string, out: string): readonly string[] {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const packages = path.join(root, 'packages');
  cpSync(packages, out, { recursive: true, filter: (file) => !LEFT_OUT.test(file) });
  compile(root, packages, out);
  return readdirSync(out).map((name) => {
    const folder = path.join(out, name);
    const inner = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) => path.basename(file) === 'package.json',
    );
    for (const file of inner) if (file !== 'package.json') joinManifest(folder, file);
    rewrite(path.join(folder, 'package.json'), asInstalled);
    cpSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
    return folder;
  });
}

function compile(root: string, packages: string, out: string): void {
  const project = path.join(out, 'tsconfig.json');
  const options = {
    extends: path.join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: packages,
      outDir: out,
      typeRoots: [path.join(root, 'node_modules', '@types')],
    },
    include: [packages],
    exclude: [`${packages}/**/test/**`, `${packages}/**/lab/**`, `${packages}/**/node_modules/**`],
  };
  writeFileSync(project, JSON.stringify(options));
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [tsc, '-p', project], { stdio: 'inherit' });
  rmSync(project);
}

/** Puts the dependencies and imports of a folder that npm installs separately in the checkout into the package around it. */
function joinManifest(folder: string, file: string): void {
  const inner = read(path.join(folder, file));
  const prefix = `./${path.posix.dirname(file.replaceAll('\\', '/'))}/`;
  rmSync(path.join(folder, file));
  rewrite(path.join(folder, 'package.json'), (outer) => ({
    ...outer,
    imports: {
      ...outer.imports,
      ...mapValues(inner.imports, (target) => target.replace('./', prefix)),
    },
    dependencies: { ...outer.dependencies, ...inner.dependencies },
  }));
}

/** The manifest of a package after its TypeScript became JavaScript. */
function asInstalled({ private: _, scripts: __, exports, imports, ...kept }: Manifest): object {
  const byFile = Object.entries(imports).filter(
    ([, target]) => target.startsWith('./') && target.endsWith('/*'),
  );
  return {
    ...kept,
    exports: mapValues(exports, (file) => ({ types: toJs(file, '.d.ts'), default: toJs(file, '.js') })),
    imports: {
      ...Object.fromEntries(byFile.map(([name, target]) => [`${name}.ts`, `${target}.js`])),
      ...mapValues(imports, (target) => toJs(target, '.js')),
    },
  };
}

const toJs = (file: string, ending: string): string => file.replace(/\.ts$/, ending);

const mapValues = <From, To>(
  all: Readonly<Record<string, From>>,
  change: (one: From) => To,
): Record<string, To> => Object.fromEntries(Object.entries(all).map(([name, one]) => [name, change(one)]));

const read = (file: string): Manifest => Manifest.parse(JSON.parse(readFileSync(file, 'utf8')));

function rewrite(file: string, change: (manifest: Manifest) => object): void {
  writeFileSync(file, `${JSON.stringify(change(read(file)), null, 2)}\n`);
}
