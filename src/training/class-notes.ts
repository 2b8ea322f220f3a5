import { grouped } from '../text/figures.ts';
import { said } from '../text/said.ts';

/** Files of a class below which a model hardly learns it. */
const FEW = 10;
/** How many times as many files the largest class may have. */
const UNBALANCED = 20;
/** Cap on the classes that are named. */
const MAX_NAMED = 20;

interface ClassFiles {
  readonly name: string;
  readonly files: number;
}

/** Notes on the files of each class in a training's drop, and on classes with no or few files; empty if no file has a class. */
export function classNotes(classes: readonly ClassFiles[]): string[] {
  const [least, ...others] = classes.filter(({ files }) => files > 0).toSorted((a, b) => a.files - b.files);
  if (least === undefined) return [];
  const most = others.at(-1) ?? least;
  const absent = classes.filter(({ files }) => files === 0);
  const few = [least, ...others].filter(({ files }) => files < Math.max(FEW, most.files / UNBALANCED));
  return [
    classes.length <= MAX_NAMED
      ? `files by class: ${counted(classes)}`
      : `files by class: ${counted([least])} to ${counted([most])}, in ${grouped(classes.length)} classes`,
    ...said(
      absent.length > 0 &&
        `no file has the class ${named(absent.map(({ name }) => name))}: the model can't learn it`,
      few.length > 0 &&
        `few files of ${counted(few)}: a class needs ${FEW} and a twentieth of the largest (${counted([most])}) to be learned well`,
    ),
  ];
}

function counted(classes: readonly ClassFiles[]): string {
  return named(classes.map(({ name, files }) => `${name} ${grouped(files)}`));
}

function named(texts: readonly string[]): string {
  return texts.length <= MAX_NAMED ? texts.join(', ') : `${texts.slice(0, MAX_NAMED).join(', ')}, …`;
}
