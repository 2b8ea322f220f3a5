import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { TrainingRequest } from './training-request.ts';

/**
 * One string or comment of Python; a string of three quotes may go over lines. One that is not closed goes to the end of its
 * line, or of the text.
 */
const TOKEN =
  /'''[\s\S]*?(?:'''|$)|"""[\s\S]*?(?:"""|$)|'(?:[^'\\\n]|\\[\s\S])*'?|"(?:[^"\\\n]|\\[\s\S])*"?|#[^\n]*/g;

/**
 * Lines (from 1) with the literal in a string within the parentheses of a call.
 *
 * @param calls - stops before the opening parenthesis; global
 * @param before - if the text in front of the call matches, the call doesn't count
 */
function callsWithLiteral(text: string, calls: RegExp, before: RegExp, literal: RegExp): readonly number[] {
  const strings = text.replaceAll(TOKEN, (token) => (token.startsWith('#') ? blank(token) : token));
  const code = text.replaceAll(TOKEN, blank);
  const lines = new Set<number>();
  for (const call of code.matchAll(calls)) {
    const open = call.index + call[0].length;
    const lead = code.slice(0, call.index) + (call[0].startsWith('.') ? '.' : '');
    if (before.test(lead.slice(-20))) continue;
    const found = literal.exec(strings.slice(open, closing(code, open)));
    if (found) lines.add(text.slice(0, open + found.index).split('\n').length);
  }
  return [...lines].sort((a, b) => a - b);
}

/** Spaces, so that every place keeps its index. */
function blank(token: string): string {
  return ' '.repeat(token.length);
}

/** Behind the parenthesis that closes the one at `open`. */
function closing(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    if (code[at] === '(') depth++;
    else if (code[at] === ')' && --depth === 0) return at + 1;
  }
  return code.length;
}

const LITERAL = /(?<![\w./-])\/opt\/ml(?![\w.-])/;

/** Calls that hand a path to C++, which opens the file itself. */
const NATIVE: Readonly<Record<TrainingRequest['framework'], RegExp>> = {
  tensorflow:
    /(?:gfile\.\w+|RecordDataset|TextLineDataset|TFRecordWriter|saved_model\.(?:save|load)|\.(?:save|export|save_weights|load_weights)|export_saved_?model|load_model|ModelCheckpoint|TensorBoard|CSVLogger|BackupAndRestore|FileWriter|create_file_writer|CheckpointManager|train\.Checkpoint|latest_checkpoint|matching_files|list_files|read_file|write_file|dataset_from_directory|RunConfig|Estimator|hvd\.elastic\w*)\s*(?=\()/g,
  pytorch: /(?:jit\.(?:save|load)|cv2\.(?:imread|imwrite)|from_file|read_image|write_(?:png|jpeg))\s*(?=\()/g,
};

/** These open what they are given with Python's own functions, or are covered. */
const MAPPED = /(?:np|numpy|torch|pickle|json|joblib|plt|Image)\.$/;

/**
 * Places of a source folder where `/opt/ml` stands and cannot be given another meaning on this machine: shell scripts, and paths
 * that TensorFlow or PyTorch open in C++. Python's own file functions, and commands that Python starts, find the host's folder. Exact
 * hosts have no such places.
 */
export async function findLiteralPaths(
  code: string,
  { framework, mode }: Pick<TrainingRequest, 'framework' | 'mode'>,
): Promise<readonly string[]> {
  if (mode === 'exact') return [];
  const entries = await readdir(code, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && /\.(?:sh|py)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(file, 'utf8');
      const lines = file.endsWith('.sh') ? shellLines(text) : nativeLines(text, framework);
      const [what, remedy] = file.endsWith('.sh')
        ? ['a shell script', 'write $SAGEMAKER_BASE_DIR instead']
        : [
            'a call that opens files in C++',
            'take the path from SM_MODEL_DIR, SM_CHANNEL_… or SM_OUTPUT_DATA_DIR',
          ];
      return lines.map(
        (line) =>
          `${relative(code, file)}:${line}: ${what} names /opt/ml, which lies elsewhere on this machine: ${remedy}, ` +
          'or start the stack with --training-hosts exact (Linux), which has that path',
      );
    }),
  );
  return found.flat();
}

function nativeLines(text: string, framework: TrainingRequest['framework']): readonly number[] {
  return callsWithLiteral(text, NATIVE[framework], MAPPED, LITERAL);
}

function shellLines(text: string): readonly number[] {
  return text.split('\n').flatMap((line, at) => (LITERAL.test(line) && !/^\s*#/.test(line) ? [at + 1] : []));
}
