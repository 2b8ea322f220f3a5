import ts from 'typescript';

/** A regular expression in a source file. */
interface Expression {
  /** Place, such as `src/text/ascii-slug.ts:7`. */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** The regular expressions of a source file. */
interface Found {
  /** Literals, and `new RegExp(…)` of constants. */
  readonly expressions: readonly Expression[];
  /** Places of `new RegExp(…)` with a text that is known only at run time. */
  readonly assembled: readonly string[];
}

/** Every regular expression of a TypeScript or JavaScript source, found in its syntax tree. */
export function regularExpressionsOf(file: string, text: string): Found {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const constants = constantsOf(tree);
  const expressions: Expression[] = [];
  const assembled: string[] = [];
  const visit = (node: ts.Node): void => {
    const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const place = `${file}:${line}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      expressions.push({ place, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp') {
      const [pattern, flags] = node.arguments ?? [];
      const source = pattern && textOf(pattern, constants);
      const given = flags === undefined ? '' : textOf(flags, constants);
      // A copy of a literal, which is checked at its own place.
      if (pattern && isLiteral(pattern, constants) && flags === undefined) return;
      if (source === undefined || given === undefined) assembled.push(place);
      else expressions.push({ place, source, flags: given });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return { expressions, assembled };
}

function constantsOf(tree: ts.SourceFile): ReadonlyMap<string, ts.Expression> {
  const constants = new Map<string, ts.Expression>();
  for (const statement of tree.statements) {
    if (!ts.isVariableStatement(statement) || (statement.declarationList.flags & ts.NodeFlags.Const) === 0)
      continue;
    for (const { name, initializer } of statement.declarationList.declarations)
      if (ts.isIdentifier(name) && initializer) constants.set(name.text, initializer);
  }
  return constants;
}

function isLiteral(node: ts.Expression, constants: ReadonlyMap<string, ts.Expression>): boolean {
  const value = ts.isIdentifier(node) ? constants.get(node.text) : undefined;
  return value !== undefined && ts.isRegularExpressionLiteral(value);
}

/** The text of an expression that consists of constants of its file; for a regular expression, its source. */
function textOf(node: ts.Expression, constants: ReadonlyMap<string, ts.Expression>): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isRegularExpressionLiteral(node)) return node.text.slice(1, node.text.lastIndexOf('/'));
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source')
    return textOf(node.expression, constants);
  if (ts.isIdentifier(node)) {
    const constant = constants.get(node.text);
    return constant && textOf(constant, constants);
  }
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw') {
    const { template } = node;
    if (ts.isNoSubstitutionTemplateLiteral(template)) return template.rawText;
    return joined(template, ({ rawText }) => rawText, constants);
  }
  if (ts.isTemplateExpression(node)) return joined(node, ({ text }) => text, constants);
  return undefined;
}

function joined(
  { head, templateSpans }: ts.TemplateExpression,
  read: (part: ts.TemplateHead | ts.TemplateMiddle | ts.TemplateTail) => string | undefined,
  constants: ReadonlyMap<string, ts.Expression>,
): string | undefined {
  let text = read(head) ?? '';
  for (const { expression, literal } of templateSpans) {
    const inserted = textOf(expression, constants);
    if (inserted === undefined) return undefined;
    text += inserted + (read(literal) ?? '');
  }
  return text;
}
