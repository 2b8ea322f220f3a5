// An ESLint rule: variants differ by the fields of their objects, so that one more is a folder and a line in each
// registry. A comparison with a variant's name, a list of names, or a table by them is what compiler and recipe can't
// see, and stands only in the variants' own folders.
import path from 'node:path';
import ts from 'typescript';

const EQUALITY = new Set(['===', '!==', '==', '!=']);
/** Per program, the names of each union. */
const NAMES = new WeakMap();

/**
 * `variant-names`; its option is a list of unions: `type`, the exported union of names and the file `of` which it is; `folders`, where each
 * variant has its own; `registries`, files that may have tables of them, but no comparison; and `also`, words that other
 * unions add ("auto").
 */
export const variantNames = {
  meta: {
    type: 'problem',
    schema: [{ type: 'array', items: { type: 'object' } }],
    messages: {
      compared:
        'Variants of {{type}} differ by fields of their objects in {{folders}}: ask for such a field, not for "{{name}}".',
      listed:
        'Names of {{type}} are listed in {{of}}, and tables of them are its registries: {{registries}}.',
    },
  },
  create(context) {
    const file = path.relative(context.cwd, context.filename).replaceAll(path.sep, '/');
    const unions = context.options[0].filter(
      ({ of, folders }) => file !== of && !folders.some((folder) => file.startsWith(`${folder}/`)),
    );
    if (unions.length === 0) return {};
    const services = context.sourceCode.parserServices;
    const known = unions.map((union) => ({ ...union, names: namesOf(union, services.program, context.cwd) }));
    const report = (node, messageId, { type, of, folders, registries }, name) =>
      context.report({
        node,
        messageId,
        data: { type, of, name, folders: folders.join(', '), registries: registries.join(', ') },
      });
    /** Whether words, of which at least two are names, are all of a union. */
    const isOf = ({ names, also = [] }, words) =>
      words.filter((word) => names.has(word)).length > 1 &&
      words.every((word) => names.has(word) || also.includes(word));
    const compare = (literal, other) => {
      const name = textOf(literal);
      if (!known.some(({ names }) => names.has(name))) return;
      const words = wordsOf(services.getTypeAtLocation(other));
      const union = known.find((one) => one.names.has(name) && isOf(one, words));
      if (union !== undefined) report(literal, 'compared', union, name);
    };
    const list = (node, words) => {
      const union = known.find((one) => !one.registries.includes(file) && isOf(one, words));
      if (union !== undefined) report(node, 'listed', union);
    };
    return {
      BinaryExpression({ operator, left, right }) {
        if (!EQUALITY.has(operator)) return;
        compare(right, left);
        compare(left, right);
      },
      SwitchStatement({ cases, discriminant }) {
        for (const { test } of cases) if (test !== null) compare(test, discriminant);
      },
      ObjectExpression: (node) => list(node, node.properties.map(keyOf)),
      ArrayExpression: (node) => list(node, node.elements.map(textOf)),
    };
  },
};

/** The words of a union of texts; a list with undefined for another type, which no union of names has. */
function wordsOf(type) {
  return (type.isUnion() ? type.types : [type])
    .filter(({ flags }) => (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) === 0)
    .map((part) => (part.isStringLiteral() ? part.value : undefined));
}

function textOf(node) {
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

function keyOf({ key, computed }) {
  return computed ? undefined : (key?.name ?? key?.value);
}

function namesOf({ type, of }, program, cwd) {
  const kept = NAMES.get(program) ?? new Map();
  NAMES.set(program, kept);
  const key = `${of} ${type}`;
  if (!kept.has(key)) kept.set(key, new Set(readNames(program, path.join(cwd, of), type)));
  return kept.get(key);
}

function readNames(program, file, type) {
  const source = program.getSourceFile(file);
  const checker = program.getTypeChecker();
  const symbol =
    source &&
    checker.getExportsOfModule(checker.getSymbolAtLocation(source)).find(({ name }) => name === type);
  const words = symbol === undefined ? [] : wordsOf(checker.getDeclaredTypeOfSymbol(symbol));
  if (words.length < 2 || words.includes(undefined))
    throw new Error(`variant-names: ${file} exports no union ${type} of texts`);
  return words;
}
