import js from '@eslint/js';
import importSort from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';
import { variantNames } from './eslint.variants.js';

/** Values are parsed at the edge and trusted inside, so nothing is cast: each exemption carries its reason. */
const noCasts = {
  '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
  '@typescript-eslint/no-non-null-assertion': 'error',
  '@typescript-eslint/no-explicit-any': 'error',
};

/** What another file may use says what it is. The type of a schema is described where the schema is. */
const describedExports = {
  create: (context) => ({
    'ExportNamedDeclaration[declaration]'(node) {
      if (node.declaration.typeAnnotation?.typeName?.right?.name === 'infer') return;
      const comment = context.sourceCode.getCommentsBefore(node).at(-1);
      if (comment?.type !== 'Block' || !comment.value.startsWith('*'))
        context.report({ node, message: 'Say what is exported in a docstring: /** … */' });
    },
  }),
};

/** A docstring is a sentence, or a noun phrase with its noun: "Port that received the request", not "That the request came to". */
const wholeDocstrings = {
  create: (context) => ({
    Program() {
      for (const comment of context.sourceCode.getAllComments())
        if (comment.type === 'Block' && /^\*[\s*]*(Of|That|As|By|What)\b/.test(comment.value))
          context.report({
            loc: comment.loc,
            message: 'Begin a docstring with its noun or its verb, not with Of, That, As, By or What.',
          });
    },
  }),
};

const DECIDING = new Set(['includes', 'startsWith', 'endsWith', 'match', 'matchAll', 'search', 'indexOf']);
/** Fields that hold sentences: a condition's own, and those with which AWS says why something failed. */
const SENTENCES = new Set(['message', 'cause', 'failureReason', 'errorMessage']);

/** A message is for people: what a decision needs is data on the condition, or its name. */
const noMessageLogic = {
  create: (context) => {
    const isSentence = (node) => {
      if (node?.type === 'ChainExpression') return isSentence(node.expression);
      if (node?.type === 'LogicalExpression') return isSentence(node.left);
      if (node?.type === 'MemberExpression') return !node.computed && SENTENCES.has(node.property.name);
      return node?.type === 'Identifier' && isTakenApart(node);
    };
    // `({ message }) => …` and `const { message } = error`.
    const isTakenApart = (node) => {
      let scope = context.sourceCode.getScope(node);
      while (scope !== null && !scope.set.has(node.name)) scope = scope.upper;
      const [definition] = scope?.set.get(node.name)?.defs ?? [];
      const property = definition?.name.parent;
      return property?.type === 'Property' && SENTENCES.has(property.key.name);
    };
    const report = (node) =>
      context.report({
        node,
        message: 'Nothing decides by the text of a message: give the condition a name or a field for it.',
      });
    return {
      CallExpression(node) {
        const { callee, arguments: args } = node;
        if (callee.type !== 'MemberExpression') return;
        const { name } = callee.property;
        if (DECIDING.has(name) && isSentence(callee.object)) report(node);
        if (['test', 'exec'].includes(name) && isSentence(args[0])) report(node);
      },
      BinaryExpression(node) {
        if (!['===', '!=='].includes(node.operator)) return;
        const isText = (one) => one.type === 'Literal' && typeof one.value === 'string' && one.value !== '';
        const sides = [node.left, node.right];
        if (sides.some(isSentence) && sides.some(isText)) report(node);
      },
    };
  },
};

/** Unions whose members are folders. */
const VARIANTS = [
  {
    type: 'Framework',
    of: 'src/frameworks/framework-name.ts',
    folders: ['src/frameworks/tensorflow', 'src/frameworks/pytorch', 'src/frameworks/onnx'],
    registries: [
      'src/cli/model/served-files.ts',
      ...['frameworks', 'archives', 'bundle-files', 'trainings', 'inspections'].map(
        (name) => `src/frameworks/${name}.ts`,
      ),
    ],
  },
  {
    type: 'TaskName',
    of: 'src/tasks/task-name.ts',
    folders: ['src/tasks/classification', 'src/tasks/none'],
    registries: ['src/tasks/tasks.ts', 'src/tasks/refused-settings.ts', 'src/tasks/unjudged.ts'],
  },
  {
    type: 'EngineName',
    of: 'src/transform/engine-settings.ts',
    also: ['auto'],
    folders: ['src/plan/engine', 'src/app/engine/lambda', 'src/app/engine/sagemaker'],
    registries: [
      'src/transform/engine-rules.ts',
      'src/pipeline/transform-settings.ts',
      'functions/runtime/engines.ts',
      'functions/runtime/stoppers.ts',
      'functions/runtime/engine-logs.ts',
      'functions/runtime/preparers.ts',
      'src/cli/job-logs.ts',
    ],
  },
  {
    type: 'EndpointKindName',
    of: 'src/endpoints/kind.ts',
    folders: ['src/endpoints', 'src/app/endpoint/scale-to-zero', 'src/app/endpoint/function'],
    registries: ['src/app/endpoint/deployers.ts', 'src/pipeline/endpoint-settings.ts'],
  },
];

const PRINTERS = 'Print it by src/text: figures.ts (money, shares, times, counts), size.ts or dates.ts.';

/** Each kind of figure has one printer. */
const onePrinterEach = {
  create: (context) => ({
    'CallExpression > MemberExpression[property.name=/^(toFixed|toPrecision|toLocaleString|toLocaleDateString)$/]'(
      node,
    ) {
      context.report({ node, message: PRINTERS });
    },
    // `2026-11-30T14:05:09.120Z` is cut at these places.
    'CallExpression[callee.property.name="slice"]'({ callee: { object }, arguments: args }) {
      const [from, to] = args.map(({ value }) => value);
      const isIso = object.type === 'CallExpression' && object.callee.property?.name === 'toISOString';
      if (isIso || (from === 11 && [16, 19, 23].includes(to)))
        context.report({ node: object, message: PRINTERS });
    },
    // `$${usd}`, and `${usd} US dollars`.
    TemplateElement(node) {
      const { raw } = node.value;
      const { quasis } = node.parent;
      const before = quasis.indexOf(node);
      if ((/\$$/.test(raw) && !node.tail) || (before > 0 && /^ US dollars/.test(raw)))
        context.report({ node, message: PRINTERS });
    },
    // 1e6 bytes are a megabyte of someone's own.
    "TemplateLiteral > BinaryExpression[operator='/']"(node) {
      if ([1e6, 1e9, 2 ** 20, 2 ** 30].includes(valueOf(node.right)))
        context.report({ node, message: PRINTERS });
    },
  }),
};

function valueOf({ type, operator, left, right, value }) {
  return type === 'BinaryExpression' && operator === '**' ? left.value ** right.value : value;
}

/** A literal spread into a literal only steers the formatter: its properties stand in the outer one as they are. */
const plainLiterals = {
  create: (context) => ({
    'ObjectExpression > SpreadElement[argument.type="ObjectExpression"]'(node) {
      context.report({ node, message: 'Write these properties without the braces and the dots.' });
    },
  }),
};

/** Most characters of a line: the formatter breaks code at 110, and neither comments nor texts. */
const MOST_CHARACTERS = 140;
const BROKEN_AT = 125;

/** Comments and texts are broken as code is; `--fix` does it. Regular expressions and markup have no place to be broken at. */
const shortLines = {
  create: (context) => {
    const { sourceCode } = context;
    const message = `Break this line of more than ${MOST_CHARACTERS} characters; eslint --fix does.`;
    const isLong = (line) => (sourceCode.lines[line - 1] ?? '').length > MOST_CHARACTERS;
    const indentOf = (line) => /^\s*/.exec(sourceCode.lines[line - 1])[0];
    return {
      Program() {
        for (const comment of sourceCode.getAllComments()) {
          const { start, end } = comment.loc;
          const lines = sourceCode.lines.slice(start.line - 1, end.line).map((_, at) => start.line + at);
          if (!lines.some(isLong) || /^\s*(?:eslint|@ts-|prettier-|v8 |c8 |istanbul )/.test(comment.value))
            continue;
          const isOwnLine = sourceCode.lines[start.line - 1].slice(0, start.column).trim() === '';
          const fix = isOwnLine
            ? (fixer) => fixer.replaceText(comment, brokenComment(comment, indentOf(start.line)))
            : null;
          context.report({ loc: comment.loc, message, fix });
        }
      },
      ':matches(Literal, TemplateLiteral)'(node) {
        const { start, end } = node.loc;
        if (start.line !== end.line || !isLong(start.line) || !isBreakable(node)) return;
        const pieces = piecesOf(node, sourceCode.getText(node), BROKEN_AT - indentOf(start.line).length - 8);
        if (pieces.length < 2) return;
        const text = pieces.join(' +\n');
        const isBare =
          !['MemberExpression', 'CallExpression', 'BinaryExpression'].includes(node.parent.type) ||
          (node.parent.type === 'CallExpression' && node.parent.callee !== node) ||
          (node.parent.type === 'BinaryExpression' && node.parent.operator === '+');
        context.report({
          node,
          message,
          fix: (fixer) => fixer.replaceText(node, isBare ? text : `(${text})`),
        });
      },
    };
  },
  meta: { fixable: 'code' },
};

/** A comment with its long lines broken; a docstring of one line gets several. */
function brokenComment({ type, value }, indent) {
  if (type === 'Line')
    return wrapped(value.trim(), BROKEN_AT - indent.length - 3)
      .map((line) => `// ${line}`)
      .join(`\n${indent}`);
  const lines = value.split('\n');
  const width = BROKEN_AT - indent.length - 3;
  if (lines.length === 1 && value.startsWith('*'))
    return [
      '/**',
      ...wrapped(value.slice(1).trim(), width).map((line) => `${indent} * ${line}`),
      `${indent} */`,
    ].join('\n');
  const broken = lines.flatMap((line) => {
    const [, prefix, text] = /^(\s*\*?\s*(?:- )?)(.*)$/.exec(line);
    if (line.length <= MOST_CHARACTERS) return [line];
    return wrapped(text, BROKEN_AT - prefix.length).map(
      (part, at) => (at === 0 ? prefix : prefix.replace('- ', '  ')) + part,
    );
  });
  return `/*${broken.join('\n')}*/`;
}

/** Words in lines of at most so many characters; a link in braces or code in backticks stays whole. */
function wrapped(text, width) {
  const lines = [''];
  for (const word of text.match(/`[^`]*`\S*|\S+/g) ?? []) {
    const last = lines.at(-1);
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

/** Whether a text may become a sum of texts. */
function isBreakable(node) {
  const { type, value, parent } = node;
  if (type === 'Literal' && typeof value !== 'string') return false;
  if (/^(TaggedTemplate|TS|Import|Export|ExpressionStatement)/.test(parent.type)) return false;
  return parent.key !== node;
}

/** A text as several, each with its blank at its end; expressions of a template stay whole. */
function piecesOf(node, source, width) {
  const [quote] = source;
  const textOf = ({ range: [from, to] }) => source.slice(from - node.range[0], to - node.range[0]);
  const texts =
    node.type === 'Literal'
      ? [source.slice(1, -1)]
      : node.quasis.flatMap(({ value }, at) => {
          const expression = node.expressions[at];
          return expression === undefined ? [value.raw] : [value.raw, { whole: `\${${textOf(expression)}}` }];
        });
  const pieces = [''];
  let word = '';
  const add = () => {
    if (pieces.at(-1) !== '' && pieces.at(-1).length + word.length > width) pieces.push(word);
    else pieces[pieces.length - 1] += word;
    word = '';
  };
  for (const text of texts) {
    if (typeof text !== 'string') word += text.whole;
    else
      for (const part of text.split(/(?<= )/)) {
        word += part;
        if (part.endsWith(' ')) add();
      }
  }
  add();
  return pieces.map((piece) =>
    quote === '`' && !/\$\{|\\|'/.test(piece) ? `'${piece}'` : quote + piece + quote,
  );
}

/** Globs of the code whose docstrings are held to that. */
const WHOLE_DOCSTRINGS = ['action', 'packages', 'functions', 'src', 'web', 'scripts', 'lab'].map(
  (folder) => `${folder}/**/*.{ts,mjs}`,
);

export default tseslint.config(
  { ignores: ['node_modules/', 'build/', 'coverage/', '.serverless/', '.inferdrop/', '.venv/', 'examples/'] },
  js.configs.recommended,
  {
    plugins: { 'import-sort': importSort },
    rules: {
      // One statement a module; Node first, then packages, then this repository.
      'import-sort/imports': ['error', { groups: [['^node:', '^@?\\w', '^@inferdrop/', '^', '^\\.']] }],
      'no-duplicate-imports': 'error',
    },
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly', performance: 'readonly' },
    },
  },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommended],
    languageOptions: { parserOptions: { project: 'tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...noCasts,
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
      'no-empty': ['error', { allowEmptyCatch: false }],
      eqeqeq: 'error',
    },
  },
  {
    // Tests bring some of these files into the other program, which knows no DOM.
    files: ['web/**/*.ts'],
    languageOptions: {
      parserOptions: { project: 'web/tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
  },
  {
    files: ['src/**/*.ts', 'functions/**/*.ts', 'web/**/*.ts', 'packages/**/*.ts'],
    ignores: ['packages/*/{test,lab}/**'],
    plugins: { inferdrop: { rules: { 'described-exports': describedExports } } },
    rules: { 'inferdrop/described-exports': 'error' },
  },
  {
    files: ['src/**/*.ts', 'functions/**/*.ts', 'web/**/*.ts', 'action/**/*.ts'],
    // AWS leaves no choice there: its errors have a name and a sentence.
    ignores: ['src/aws/**', 'src/problem/aws-words.ts'],
    plugins: { messages: { rules: { 'no-logic': noMessageLogic } } },
    rules: { 'messages/no-logic': 'error' },
  },
  {
    files: ['{src,functions}/**/*.ts'],
    plugins: { variants: { rules: { names: variantNames } } },
    rules: { 'variants/names': ['error', VARIANTS] },
  },
  {
    files: WHOLE_DOCSTRINGS,
    ignores: ['packages/*/{test,lab}/**'],
    plugins: { docstrings: { rules: { whole: wholeDocstrings } } },
    rules: { 'docstrings/whole': 'error' },
  },
  {
    files: ['**/*.ts'],
    ignores: ['packages/savedmodel/engine/onnxruntime.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'onnxruntime-node',
              message: 'Import engine/onnxruntime.ts, which turns its telemetry off.',
            },
          ],
        },
      ],
    },
  },
  {
    files: [
      'functions/runtime/logger.ts',
      'packages/laptop/lambda/*worker*.ts',
      'lab/bench/**/*.ts',
      'scripts/**/*',
      'test/support/captured-output.ts',
    ],
    rules: { 'no-console': 'off' },
  },
  {
    // A member that a call does not know must be refused, not dropped.
    files: ['packages/laptop/*/actions/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.object.name='z'][callee.property.name='object']",
          message: 'z.object drops what it does not know: use z.strictObject',
        },
      ],
    },
  },
  {
    // What runs leave in the bucket is read and written by the one file that describes it.
    files: ['src/app/**/*.ts'],
    ignores: ['src/app/records/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.object.name='JSON'][callee.property.name='parse']",
          message:
            'A stored document is read by its file in src/app/records; other texts by text/parse-json.ts.',
        },
        {
          selector: "Property[key.name='contentType'][value.value='application/json']",
          message: 'A stored document is written by its file in src/app/records.',
        },
      ],
    },
  },
  {
    // What is styled before it is made visible shows its escape sequences as text.
    files: ['src/cli/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'CallExpression[callee.name=/^(visible|linesVisible)$/] :matches(Identifier[name="color"], ' +
            'CallExpression[callee.name=/^(statusColor|bold|dim|green|red|yellow|cyan)$/])',
          message: 'Give styledLine the parts with their styles.',
        },
        {
          selector:
            'CallExpression[callee.name="styledLine"] Property[key.name="text"] Identifier[name="color"]',
          message: 'Give styledLine the parts with their styles.',
        },
      ],
    },
  },
  {
    // Money, shares, times, sizes and dates read the same everywhere.
    files: ['{src,web,functions,action}/**/*.ts'],
    ignores: ['src/text/**', 'src/table/parquet-value.ts', 'src/report/page/page-script-text.ts'],
    plugins: { printers: { rules: { 'one-each': onePrinterEach } } },
    rules: { 'printers/one-each': 'error' },
  },
  {
    files: ['**/*.{ts,js,mjs,cjs}'],
    // Generated texts, an address without a blank, and templates within markup.
    ignores: [
      ...[
        '**/fixtures/**',
        '**/*-text.ts',
        'lab/fuzz/targets/gateway.ts',
        'src/frameworks/bundle-handlers.ts',
      ],
      ...['src/cli/init/onnx-requests.ts', 'src/report/page/report-html.ts'],
    ],
    plugins: { lines: { rules: { short: shortLines } } },
    rules: { 'lines/short': 'error' },
  },
  {
    plugins: { literals: { rules: { plain: plainLiterals } } },
    rules: { 'literals/plain': 'error' },
  },
  {
    // No test depends on the machine's speed: one limit, in vitest.config.ts, ends what hangs.
    files: ['{test,lab,packages/*/{test,lab}}/**/*.{test,check}.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.object.name='vi'][callee.property.name=/^wait(For|Until)$/]",
          message: 'Use expect.poll, whose limit is in vitest.config.ts.',
        },
        {
          selector: "CallExpression > ObjectExpression > Property[key.name='timeout'][value.type='Literal']",
          message: 'The limit of tests and of expect.poll is in vitest.config.ts.',
        },
        {
          selector: "CallExpression[callee.object.name='AbortSignal'][callee.property.name='timeout']",
          message: 'Hand in a clock, or end the work by hand.',
        },
      ],
    },
  },
  {
    // Tests build odd values on purpose.
    files: ['{test,lab,packages/*/{test,lab}}/**/*.ts'],
    rules: {
      '@typescript-eslint/consistent-type-assertions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
    },
  },
);
