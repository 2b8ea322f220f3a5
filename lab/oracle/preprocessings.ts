import { likeliestPreprocessing, type PreparedAnswers } from '../../src/init/likeliest-preprocessing.ts';
import { type Preprocessing, preprocessings } from '../../src/init/preprocessings.ts';
import {
  COLORS,
  pictures,
  preparedPixels,
  probabilitiesOf,
  SIDE,
  trained,
} from '../../test/support/linear-network.ts';
import { random } from '../../test/support/random.ts';

// `node lab/oracle/preprocessings.ts [draws]`: how surely 30, 60 and 120 labeled pictures show how small networks were trained, one for
// each of the 30 ways, and two for ways outside of them. It fails if more than 1 % of the draws are sure and wrong.

const draws = Number(process.argv[2] ?? 200);
const COUNTS = [30, 60, 120];
const WAYS = preprocessings({ height: SIDE, width: SIDE, channels: 3 });
const OUTSIDE = [
  { name: '-0.5 to 0.5', scale: 1 / 255, mean: 0.5, std: 1 },
  { name: 'negatives', scale: -1 / 255, mean: -1, std: 1 },
];

const pool = pictures(600, 7).map(({ label, file }) => {
  const prepare = preparedPixels(file);
  const output = Object.keys(COLORS).indexOf(label);
  return { output, pixels: WAYS.map(({ images }) => Array.from(prepare(images).data, Number)) };
});

interface Tally {
  right: number;
  counted: number;
  sure: number;
  wrong: number;
}

/** Draws of labeled pictures, judged as `inferdrop init` judges them; `way` is what the network was trained with. */
function judge(
  images: Preprocessing['images'],
  way: Preprocessing | undefined,
  seed: number,
): readonly Tally[] {
  const network = trained(images, 100 + seed);
  const answers = pool.map(({ pixels }) => pixels.map((one) => probabilitiesOf(network, one)));
  const next = random(seed + 1);
  const isSame = (one: Preprocessing | undefined): boolean =>
    one !== undefined && one.scale === way?.scale && one.images.order === way.images.order;
  return COUNTS.map((count) => {
    const tally = { right: 0, counted: 0, sure: 0, wrong: 0 };
    for (let draw = 0; draw < draws; draw++) {
      const drawn = pool
        .map((_, at) => ({ at, place: next() }))
        .toSorted((a, b) => a.place - b.place)
        .slice(0, count);
      const outputs = drawn.map(({ at }) => pool[at]?.output);
      const prepared = WAYS.map((row, of): PreparedAnswers => {
        return { row, probabilities: drawn.map(({ at }) => answers[at]?.[of] ?? []) };
      });
      const judged = likeliestPreprocessing(prepared, [{ outputs, isFitted: false }]);
      const rights = prepared.map(
        ({ probabilities }) =>
          probabilities.filter((of, at) => of.indexOf(Math.max(...of)) === outputs[at]).length,
      );
      tally.right += Number(isSame(judged?.best));
      tally.counted += Number(isSame(WAYS[rights.indexOf(Math.max(...rights))]));
      tally.sure += Number(judged?.isSure === true);
      tally.wrong += Number(judged?.isSure === true && !isSame(judged.best));
    }
    return tally;
  });
}

function shares(tallies: readonly (readonly Tally[])[], of: keyof Tally): string {
  return COUNTS.map((_, at) => {
    const sum = tallies.reduce((total, tally) => total + (tally[at]?.[of] ?? 0), 0);
    return ((100 * sum) / (draws * tallies.length)).toFixed(1);
  }).join(' / ');
}

const known = WAYS.map((way, seed) => judge(way.images, way, seed));
const outside = OUTSIDE.map(({ name, ...scale }, seed) => ({
  name,
  tallies: [judge({ ...scale, resize: 'stretch', order: 'RGB' }, undefined, seed)],
}));
process.stdout.write(
  `Percent of ${draws} draws of ${COUNTS.join(' / ')} pictures, ${WAYS.length} networks\n`,
);
process.stdout.write(`scale and order right, by likelihood  ${shares(known, 'right')}\n`);
process.stdout.write(`scale and order right, by counting    ${shares(known, 'counted')}\n`);
process.stdout.write(`sure                                  ${shares(known, 'sure')}\n`);
process.stdout.write(`sure and wrong                        ${shares(known, 'wrong')}\n`);
for (const { name, tallies } of outside)
  process.stdout.write(`${`${name}: sure`.padEnd(38)}${shares(tallies, 'sure')}\n`);
const wrong = known.flat().reduce((sum, tally) => sum + tally.wrong, 0);
process.exitCode = wrong > 0.01 * draws * known.length * COUNTS.length ? 1 : 0;
