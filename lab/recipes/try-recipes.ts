/**
 * `npm run lab -- recipes`: adds a made-up name to each union of variants, in memory, and has the compiler name the files
 * that lack it: those are to stand in the union's recipe in docs/recipes.md. Prints a line a union; exit code 1 if the
 * compiler names a file that the recipe doesn't.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { recipeOf } from './recipe.ts';

const ROOT = path.resolve(import.meta.dirname, '..', '..');
const MADE_UP = 'made-up';

/** A union, the edit that adds a name to it, and the recipe of who does so. */
interface Trial {
  /** Heading in docs/recipes.md after "Add", or first cell of its table of changes. */
  readonly recipe: string;
  readonly file: string;
  /** Text that the file has once, and after which the name is put. */
  readonly after: string;
  readonly added: string;
}

const TRIALS: readonly Trial[] = [
  {
    recipe: 'a framework',
    file: 'src/frameworks/framework-name.ts',
    after: "z.enum(['tensorflow', 'pytorch', 'onnx'",
    added: `, '${MADE_UP}'`,
  },
  {
    recipe: 'a framework',
    file: 'src/frameworks/framework-name.ts',
    after: "Framework.extract(['tensorflow', 'pytorch'",
    added: ", 'onnx'",
  },
  {
    recipe: 'an engine',
    file: 'src/transform/engine-settings.ts',
    after: "z.discriminatedUnion('name', [",
    added: `z.object({ name: z.literal('${MADE_UP}'), measured: Measured.optional() }),`,
  },
  {
    recipe: 'a kind of endpoint',
    file: 'src/endpoints/kind.ts',
    after: "ENDPOINT_KIND_NAMES = ['instance'",
    added: `, '${MADE_UP}'`,
  },
  {
    recipe: 'a page to the console',
    file: 'src/api/console/pages.ts',
    after: 'CONSOLE_PAGES = [',
    added: `{ name: '${MADE_UP}' },`,
  },
  {
    recipe: 'a kind of drop',
    file: 'src/run/run-kind.ts',
    after: "RUN_KIND_NAMES = ['inference'",
    added: `, '${MADE_UP}'`,
  },
  {
    recipe: 'a source of slices',
    file: 'src/slice/dimension.ts',
    after: "Dimension = z.discriminatedUnion('from', [",
    added: `z.object({ from: z.literal('${MADE_UP}'), name: Name }),`,
  },
  {
    recipe: 'a source of slices',
    file: 'src/pipeline/slice-settings.ts',
    after: "SliceSource = z.discriminatedUnion('from', [",
    added: `z.strictObject({ from: z.literal('${MADE_UP}'), name }),`,
  },
  {
    recipe: 'where labels come from',
    file: 'src/pipeline/label-settings.ts',
    after: ".discriminatedUnion('from', [",
    added: `z.strictObject({ from: z.literal('${MADE_UP}') }),`,
  },
];

const { options, fileNames } = readProject();
const texts = new Map<string, string>();
const host = ts.createIncrementalCompilerHost(options, {
  ...ts.sys,
  readFile: (file, encoding) => texts.get(path.resolve(file)) ?? ts.sys.readFile(file, encoding),
});
const getSourceFile = host.getSourceFile.bind(host);
const parsed = new Map<string, ts.SourceFile | undefined>();
host.getSourceFile = (file, ...rest) => {
  if (texts.has(path.resolve(file))) return getSourceFile(file, ...rest);
  if (!parsed.has(file)) parsed.set(file, getSourceFile(file, ...rest));
  return parsed.get(file);
};
const page = readFileSync(path.join(ROOT, 'docs/recipes.md'), 'utf8');

const asItIs = compile(undefined);
const broken = errors(asItIs);
if (broken.size > 0) throw new Error(`the compiler refuses the product as it is: ${[...broken].join(', ')}`);
for (const { recipe, file, after, added } of TRIALS) {
  const place = path.join(ROOT, file);
  const text = readFileSync(place, 'utf8');
  if (text.split(after).length !== 2)
    throw new Error(`${file} does not have ${after} once: correct the trial`);
  texts.set(place, text.replace(after, `${after}${added}`));
  const named = [...errors(compile(asItIs))].filter((one) => one !== file).sort();
  texts.delete(place);
  const { isNamed } = recipeOf(page, recipe);
  const missing = named.filter((one) => !isNamed(one));
  // A name that nothing lacks was not added.
  const isTrue = missing.length === 0 && named.length > 0;
  const lacks = missing.length === 0 ? '' : `, and docs/recipes.md lacks ${missing.join(', ')}`;
  process.stdout.write(
    `${isTrue ? 'ok  ' : 'FAIL'} ${recipe} (${file}): the compiler names ${named.length} files${lacks}\n`,
  );
  if (!isTrue) process.exitCode = 1;
}

function readProject(): { readonly options: ts.CompilerOptions; readonly fileNames: readonly string[] } {
  const parsed = ts.getParsedCommandLineOfConfigFile(path.join(ROOT, 'tsconfig.json'), undefined, {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
    },
  });
  if (parsed === undefined) throw new Error('tsconfig.json cannot be read');
  return parsed;
}

function compile(before: ts.Program | undefined): ts.Program {
  return ts.createProgram(fileNames, options, host, before);
}

/** Files of the product with an error. */
function errors(program: ts.Program): ReadonlySet<string> {
  const found = new Set<string>();
  for (const source of program.getSourceFiles()) {
    const name = path.relative(ROOT, source.fileName).replaceAll(path.sep, '/');
    if (!/^(?:src|functions|packages|scripts|action|web)\//.test(name) || /(?:^|\/)test\//.test(name))
      continue;
    if (program.getSemanticDiagnostics(source).length > 0) found.add(name);
  }
  return found;
}
