import { expect, it } from 'vitest';
import { countHidden } from '../../../src/drop/hidden-files.ts';
import { dropWorld } from '../../support/drop-world.ts';

const RUN = 'cifar10/monday/000001';
const folder = 'incoming/cifar10/monday/';

it('hidden files are counted and are not inputs', async () => {
  const world = dropWorld();
  const names = ['.DS_Store', 'a.png', 'b/.DS_Store', 'b/c.png', '__MACOSX/._a.png', 'Thumbs.db', '_READY'];
  await world.accept(...names.map((name) => world.upload(`${folder}${name}`)));
  expect(await world.settleOnce(RUN)).toMatchObject({ status: 'frozen', objects: 2 });
  expect(world.keys(RUN)).toEqual([`${folder}a.png`, `${folder}b/c.png`]);
  expect(JSON.parse(world.store.text(`state/${RUN}/frozen.json`)!).hidden).toEqual({
    count: 4,
    first: [`${folder}.DS_Store`, `${folder}Thumbs.db`, `${folder}__MACOSX/._a.png`],
  });
});

it('a hidden file alone opens no run', async () => {
  const world = dropWorld();
  await world.accept(world.upload(`${folder}.DS_Store`));
  expect(world.runs()).toEqual([]);
});

it('a listing that is taken up again counts none twice', () => {
  const hidden = { count: 0, first: [] };
  for (const key of ['a', 'b', 'a', 'b', 'c', 'd']) countHidden(hidden, key);
  expect(hidden).toEqual({ count: 4, first: ['a', 'b', 'c'], through: 'd' });
});
