import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { Converted } from '../../models/source.ts';
import { doorOf } from '../../models/sources.ts';
import { plural, short } from '../../text/figures.ts';
import { localFileKind } from '../files/local-file-kind.ts';
import { Refusal } from '../refusal.ts';
import { compareWithLibrary } from './compare-with-library.ts';
import { FACTS, type OwnPython, type ProgramFile, runOwnPython } from './own-python.ts';

/** Facts that a script writes. */
const Facts = z.object({
  library: z.string(),
  /** Python's part: "converted by skl2onnx 1.20.0". */
  step: z.string(),
  columns: z.array(z.string()),
  classes: z.array(z.string()),
  /** Function of the library that gave the answers. */
  method: z.string(),
  /** Whether the rows are the sample's, and not drawn. */
  isSample: z.boolean(),
  /** Cells of rows, or image files. */
  rows: z.array(z.union([z.string(), z.array(z.number().nullable())])).nonempty(),
  answers: z.array(z.array(z.number())),
});

/** Largest difference of two answers, as a share of them from 1 on. */
const MOST_DIFFERENT = 1e-5;
/** Largest difference of answers to image files, which each side decodes and resizes itself. */
const MOST_DIFFERENT_IMAGES = 1e-3;
/** Image files that are compared. */
const MOST_FILES = 20;

/** An ONNX file, and what is known of the file that it was converted from here. */
interface Made {
  readonly file: string;
  readonly saved?: Converted;
}

/**
 * Converts a model in the Python that made it, and compares the answers of both.
 *
 * @throws {Refusal} without leave or packages, for a model that isn't converted, and for one that answers otherwise
 */
export async function convertInPython(
  program: ProgramFile,
  scratch: string,
  python: OwnPython = { path: undefined },
): Promise<Converted> {
  const { name, found } = program;
  const folder = await mkdtemp(path.join(scratch, 'python-'));
  const given = path.join(folder, 'sample.json');
  const out = await mkdtemp(path.join(folder, 'made-'));
  const { sample, files = [] } = python;
  const asked = { titles: sample?.titles ?? [], rows: sample?.rows ?? [], files: files.slice(0, MOST_FILES) };
  await writeFile(given, JSON.stringify(asked));
  const facts = Facts.parse(await runOwnPython(program, given, out, python));
  const { library, step, columns, classes, method, isSample, rows } = facts;
  const compared = await Promise.all(
    (await madeIn(out, name)).map(async (one) => ({
      ...one,
      ...(await compareWithLibrary(one.file, facts, found.images)),
    })),
  );
  const [nearest] = compared
    .flatMap((one) => ('reason' in one ? [] : [one]))
    .toSorted((a, b) => a.difference - b.difference);
  if (nearest === undefined) {
    const reasons = compared.flatMap((one) => ('reason' in one ? [one.reason] : []));
    throw new Refusal(`${name} became no model that answers here: ${reasons.join('; ')}`);
  }
  const { row, here, there, difference, saved } = nearest;
  const { images } = found;
  const [input, one] = [rows[row], images === undefined ? 'row' : 'image'];
  const drawnOnes = images === undefined ? 'drawn numbers' : 'drawn ones';
  const place =
    typeof input === 'string' && isSample
      ? input
      : `${one} ${row + 1} of ${isSample ? 'the sample' : drawnOnes}`;
  if (!(difference <= (images === undefined ? MOST_DIFFERENT : MOST_DIFFERENT_IMAGES)))
    throw new Refusal(
      `the converted model answers ${place} with ` +
        `${here.map((one) => short(one, 4)).join(', ')}, ${library} with ` +
        `${there.map((one) => short(one, 4)).join(', ')}: it was not packed. Serve it with an inference.py; its model_fn loads it`,
    );
  const drawn = isSample ? 'of the sample' : 'that were drawn';
  const names = classes.length === 0 ? (saved?.classes ?? found.classes) : classes;
  const task = names === undefined && images === undefined ? 'regression' : 'classification';
  return {
    onnx: await readFile(nearest.file),
    library,
    what: saved?.what ?? found.what,
    columns: saved?.columns ?? (columns.length === 0 ? undefined : columns),
    classes: names,
    task: saved?.task ?? task,
    images,
    notes: [
      ...(saved?.notes ?? []),
      `${step}; largest difference to ${method} on ${plural(rows.length, one)} ${drawn}: ` +
        `${difference.toExponential(0)}`,
      ...(images === undefined ? [] : [`model.images: ${JSON.stringify(images)}`]),
    ],
  };
}

/** The models that a script wrote. A file in a library's own form is converted here. */
async function madeIn(folder: string, name: string): Promise<readonly Made[]> {
  const files = (await readdir(folder)).filter((one) => one !== FACTS).map((one) => path.join(folder, one));
  return Promise.all(
    files.map(async (file) => {
      const door = doorOf(await localFileKind(file));
      if (door?.kind !== 'converted') return { file };
      const saved = (await door.load())(await readFile(file), name);
      if ('refused' in saved) throw new Refusal(saved.refused);
      await writeFile(`${file}.onnx`, saved.onnx);
      return { file: `${file}.onnx`, saved };
    }),
  );
}
