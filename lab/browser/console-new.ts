/** A pipeline of a model and some files, made in the console. */
import path from 'node:path';
import { check } from './check.ts';
import type { Tab } from './console-tab.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '../../examples/fashion-mnist');

/** The example's archive and some of its images become a pipeline; a mistake stands at its field and keeps it from being created. */
export async function newPipeline(tab: Tab, images: readonly string[]): Promise<void> {
  const { page, go, at, shows, click, judge, choose, fill } = tab;
  await go('new');
  await judge('new');
  await choose('.zone:first-of-type input[type=file]:not([webkitdirectory])', [
    path.join(EXAMPLE, 'model.tar.gz'),
  ]);
  await shows('model.tar.gz, ');
  await choose('.zone:last-of-type input[type=file]:not([webkitdirectory])', images);
  await click('Look into them');
  await shows('What was found');
  const classes = String(await page.evaluate("document.querySelector('#classes').value"));
  check(
    'the classes stand in the order that the answers show',
    classes.startsWith('t-shirt, trouser'),
    classes,
  );
  await page.focus('#classes');
  await page.keyboard.press('End');
  await page.keyboard.type(',');
  await shows('problem is left');
  const written = String(await page.evaluate("document.querySelector('#classes').value"));
  check('a field keeps what is being written in it', written.endsWith(','), written);
  await page.keyboard.press('Backspace');
  await fill('#accuracy', '90');
  await page.waitForSelector('#accuracy-error');
  await shows('1 problem is left');
  const isOff = await page.$eval('.head button.primary', (button) => button.hasAttribute('disabled'));
  check('with a problem nothing can be created', isOff);
  await judge('new-problem');
  await click('gate.minAccuracy');
  check('the summary leads to the field', (await page.evaluate('document.activeElement.id')) === 'accuracy');
  await fill('#accuracy', '0.9');
  await fill('#name', 'made-here');
  await page.waitForFunction("document.querySelector('#accuracy-error') === null");
  const json = await page.$eval('textarea', (one) => one.value);
  check('pipeline.json follows the form', JSON.parse(json).gate.minAccuracy === 0.9, json);
  await judge('new-found');
  await click('Create pipeline');
  await at('#/drop/made-here');
}
