// `script -qefc 'stty cols 110; npm start -- --once' start.log`, then `node lab/pictures/write-terminal-picture.ts start.log`: what
// the terminal shows through the confusion matrix, and the second run with both side by side, for README.md.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const PICTURE = path.resolve(import.meta.dirname, '..', '..', 'docs', 'pictures', 'terminal.svg');
const LAST_LINE = 'rows: truth, columns: prediction';
/** First and last line of the run by the other engine. */
const SECOND_RUN = ['The same images by functions of Lambda', '  Both give'] as const;
const COLUMNS = 116;
const CELL = { width: 7.2, height: 16 };
const MARGIN = 16;
const ESC = String.fromCharCode(27);
/** A control sequence, or a character of the text. */
const TOKENS = new RegExp(`${ESC}\\[([0-9;?]*)([A-Za-z])|([^${ESC}])`, 'gsu');
/** Fill of each SGR color that the command line uses, and of plain text. */
const FILLS: Readonly<Record<string, string>> = {
  31: '#f28b82',
  32: '#7ee0a0',
  36: '#78d9ec',
  plain: '#e6e6e6',
};

interface Cell {
  readonly text: string;
  readonly fill: string;
  readonly weight: 'bold' | 'normal';
  readonly isDim: boolean;
}

const [log] = process.argv.slice(2);
if (log === undefined)
  throw new Error("name a log: script -qefc 'stty cols 110; npm start -- --once' start.log");
// The console's address without the secret that opens it.
const CHECKOUT = path.resolve(import.meta.dirname, '..', '..');
const text = readFileSync(log, 'utf8')
  .replaceAll(/(token=)[\w-]+/g, '$1…')
  .replaceAll(CHECKOUT, '~/inferdrop');
writeFileSync(PICTURE, toSvg(picked(screenLines(text)).flatMap(wrapped)));

/** The lines that are left on the screen after all that was written over. */
function screenLines(text: string): readonly (readonly Cell[])[] {
  const lines: Cell[][] = [];
  let cells: Cell[] = [];
  let column = 0;
  let style: Omit<Cell, 'text'> = { fill: 'plain', weight: 'normal', isDim: false };
  for (const [, code, verb, character] of text.matchAll(TOKENS)) {
    if (character === '\n') {
      lines.push(cells);
      cells = [];
      column = 0;
    } else if (character === '\r' || verb === 'G') column = 0;
    else if (verb === 'K') cells = code === '2' ? [] : cells.slice(0, column);
    else if (verb === 'm') style = styled(style, code ?? '');
    else if (character !== undefined) cells[column++] = { text: character, ...style };
  }
  return lines;
}

function styled(style: Omit<Cell, 'text'>, code: string): Omit<Cell, 'text'> {
  if (code === '1') return { ...style, weight: 'bold' };
  if (code === '2') return { ...style, isDim: true };
  if (code === '22') return { ...style, weight: 'normal', isDim: false };
  return { ...style, fill: code in FILLS ? code : 'plain' };
}

/** From the command to the end of the matrix and the second run, without npm's own lines and without two empty lines in a row. */
function picked(lines: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] {
  const texts = lines.map((cells) =>
    [...cells]
      .map((cell) => cell?.text ?? ' ')
      .join('')
      .trimEnd(),
  );
  const first = texts.findIndex((text) => text.startsWith('inferdrop') || text.includes('✓'));
  const last = texts.findIndex((text) => text.startsWith(LAST_LINE));
  if (first === -1 || last === -1) throw new Error(`${log ?? ''} has no run of npm start`);
  const prompt = [...'$ npm start'].map((text): Cell => ({
    text,
    fill: 'plain',
    weight: 'bold',
    isDim: false,
  }));
  const [from, to] = SECOND_RUN.map((start) => texts.findIndex((text) => text.startsWith(start)));
  if (from === undefined || to === undefined || from === -1 || to < from)
    throw new Error(`${log ?? ''} has no second run`);
  const kept = lines.filter((_, at) => {
    const isShown = (at >= first && at <= last) || (at >= from - 1 && at <= to);
    return isShown && (texts[at] !== '' || texts[at - 1] !== '');
  });
  return [prompt, [], ...kept];
}

function wrapped(cells: readonly Cell[]): readonly (readonly Cell[])[] {
  const rows = Math.max(1, Math.ceil(cells.length / COLUMNS));
  return Array.from({ length: rows }, (_, row) => cells.slice(row * COLUMNS, (row + 1) * COLUMNS));
}

function toSvg(lines: readonly (readonly Cell[])[]): string {
  const width = Math.ceil(COLUMNS * CELL.width) + 2 * MARGIN;
  const height = lines.length * CELL.height + 2 * MARGIN;
  const texts = lines.map((cells, row) => {
    const y = MARGIN + (row + 0.75) * CELL.height;
    return `<text x="${MARGIN}" y="${y}">${spans(cells)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="12">
<rect width="${width}" height="${height}" rx="8" fill="#1e1e1e"/>
${texts.join('\n')}
</svg>
`;
}

/** One element for each stretch of cells of the same style. */
function spans(cells: readonly Cell[]): string {
  const parts: { style: string; text: string }[] = [];
  for (const { text, fill, weight, isDim } of cells) {
    const style = `fill="${FILLS[fill] ?? ''}"${weight === 'bold' ? ' font-weight="bold"' : ''}${isDim ? ' opacity="0.6"' : ''}`;
    const last = parts.at(-1);
    if (last?.style === style) last.text += text;
    else parts.push({ style, text });
  }
  return parts.map(({ style, text }) => `<tspan ${style}>${escaped(text)}</tspan>`).join('');
}

/** Spaces that no renderer of SVG joins. */
function escaped(text: string): string {
  return text
    .replaceAll(' ', '\u{a0}')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
