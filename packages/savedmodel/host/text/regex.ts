import { type Matcher, RE2JS } from 're2js';
import { boolAttr, type GraphNode, textAttr, unsupported } from '../../savedmodel/graph-node.ts';
import { UnsupportedModel } from '../../savedmodel/servable-model.ts';
import type { HostTensor } from '../host-tensor.ts';
import type { TextOperation, TextScope } from './text-operation.ts';
import { decodeUtf8 } from './texts.ts';

/** Patterns of a model are few, and each is compiled once. */
const compiled = new Map<string, RE2JS>();
const MAX_COMPILED = 1000;

/** @throws {UnsupportedModel} if RE2 would not take it */
function patternOf(text: string, node: GraphNode): RE2JS {
  const known = compiled.get(text);
  if (known !== undefined) return known;
  try {
    const pattern = RE2JS.compile(text);
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    compiled.set(text, pattern);
    return pattern;
  } catch (error) {
    throw new UnsupportedModel(
      [`${node.op} (pattern ${text})`],
      error instanceof Error ? error.message : String(error),
    );
  }
}

/** Text of a rewrite, in which `\0` to `\9` stand for groups; any other backslash but a doubled one is an error in RE2. */
function rewritten(rewrite: string, matcher: Matcher, node: GraphNode): string {
  return rewrite.replaceAll(/\\(.?)/gs, (_, next: string) => {
    if (next === '\\') return next;
    if (!/^\d$/.test(next) || Number(next) > matcher.groupCount())
      throw unsupported(node, `rewrite ${rewrite}`);
    return matcher.group(Number(next)) ?? '';
  });
}

/** Replaces like RE2's `Replace` and `GlobalReplace`, which find no empty match where the one before has ended. */
function replace(text: string, pattern: RE2JS, rewrite: string, all: boolean, node: GraphNode): string {
  const matcher = pattern.matcher(text);
  let result = '';
  let end = 0;
  let isFirst = true;
  while (matcher.find()) {
    if (!isFirst && matcher.start() === matcher.end() && matcher.start() === end) continue;
    result += text.slice(end, matcher.start()) + rewritten(rewrite, matcher, node);
    end = matcher.end();
    isFirst = false;
    if (!all) break;
  }
  return result + text.slice(end);
}

function replaced({ node, texts, input }: TextScope, pattern: string, rewrite: string): HostTensor {
  const regex = patternOf(pattern, node);
  const all = boolAttr(node, 'replace_global', true);
  return texts.map(input(0), (bytes) =>
    Buffer.from(replace(decodeUtf8(bytes, node), regex, rewrite, all, node)),
  );
}

function matched({ node, texts, input }: TextScope, pattern: string): HostTensor {
  const regex = patternOf(pattern, node);
  const { shape } = input(0);
  const truth = texts.of(input(0)).map((bytes) => Number(regex.matches(decodeUtf8(bytes, node))));
  return { dtype: 'bool', shape, data: Uint8Array.from(truth) };
}

function scalarText({ node, texts, input }: TextScope, index: number): string {
  return decodeUtf8(texts.at(input(index).data[0] ?? -1), node);
}

/** Patterns in RE2's language. */
export const PATTERNS: Readonly<Record<string, TextOperation>> = {
  StaticRegexReplace: (scope) =>
    replaced(scope, textAttr(scope.node, 'pattern'), textAttr(scope.node, 'rewrite')),
  RegexReplace: (scope) => replaced(scope, scalarText(scope, 1), scalarText(scope, 2)),
  StaticRegexFullMatch: (scope) => matched(scope, textAttr(scope.node, 'pattern')),
  RegexFullMatch: (scope) => matched(scope, scalarText(scope, 1)),
};
