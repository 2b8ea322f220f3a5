/**
 * `npm run test:browser`: the console without a mouse, on a desk and on a phone: a model and some files become a pipeline, its first drop a
 * run, the report shows the photographs of a cell, the model is deployed, asked and deleted. Only keys are pressed.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import type { Frame, KeyInput } from 'puppeteer-core';
import { startLaptop } from '../../test/support/laptop.ts';
import { check, conclude } from './check.ts';
import { openTab } from './console-tab.ts';

const MODEL = path.resolve(import.meta.dirname, '../../examples/fashion-mnist/model.tar.gz');
/** Stops of the Tab key within which everything of a page must lie. */
const MAX_STOPS = 120;

const laptop = await startLaptop();
const tab = await openTab(laptop);
const { page, pages, noise, shows, at, judge } = tab;
const press = (key: KeyInput): Promise<void> => page.keyboard.press(key);

try {
  const folder = mkdtempSync(path.join(tmpdir(), 'keyboard-'));
  const images = Object.entries(await laptop.images(160)).map(([name, body]) => {
    const file = path.join(folder, name);
    writeFileSync(file, body);
    return file;
  });
  await page.goto(pages.address);
  for (const width of [1280, 390]) {
    await page.setViewport({ width, height: 844 });
    await walk(`keys-${width}`, images);
  }
} catch (error) {
  check('the walk by keyboard', false, inspect(error));
  await tab.picture('keyboard-stopped');
} finally {
  await tab.close();
  await laptop.close();
}
check('silent', noise.length === 0, noise);
conclude();

/** From a model to its deleted endpoint. */
async function walk(pipeline: string, images: readonly string[]): Promise<void> {
  await tabTo('Pipelines', 'a');
  await press('Enter');
  await at('#/pipelines');
  await tabTo('New pipeline', 'a');
  await press('Enter');
  await at('#/new');

  await chooseBy('Choose a file', [MODEL]);
  await shows('model.tar.gz, ');
  await chooseBy('Choose files', images);
  await shows(`${images.length} files`);
  await tabTo('Look into them', 'button');
  await press('Enter');
  await shows('What was found');
  await tabTo('#name', 'input');
  await retype(pipeline);
  await tabTo('#accuracy', 'input');
  await retype('0.5');
  await tabTo('Create pipeline', 'button');
  await press('Enter');
  await at(`#/drop/${pipeline}`);

  await chooseBy('Choose files', images.slice(0, 40));
  await tabTo('#name', 'input');
  await retype('by-keys');
  await tabTo('Upload 40 files', 'button');
  await press('Enter');
  await at(`#/run/${pipeline}/by-keys/000001`);
  await shows('Cancel run');
  await tabTo('', 'summary');
  await press('Enter');
  const isOpen = await page.evaluate('document.activeElement.parentElement.open');
  check(`${pipeline}: a step of the run under way opens`, isOpen === true);

  await readReport(pipeline);
  await deploy(pipeline);
  await ask(pipeline, images[0] ?? '');
  await remove(pipeline);
}

/** From the frame's beginning to a cell, its records, and back to the cell. */
async function readReport(pipeline: string): Promise<void> {
  const element = await page.waitForSelector('.report iframe');
  const report = await element?.contentFrame();
  if (report === undefined || report === null) throw new Error('the report has no frame');
  await report.waitForSelector('#matrix tbody td[tabindex="0"]');
  await tabWithin(report, 'TD');
  await press('Enter');
  await report.waitForFunction("document.querySelector('#exemplars img') !== null");
  const shown = await report.$eval('#exemplars', (panel) => panel.textContent ?? '');
  check(`${pipeline}: Enter on a cell shows its photographs`, shown.includes('recognized'), shown);
  await tabWithin(report, 'BUTTON', 'Next');
  await press('Enter');
  await report.waitForFunction(
    `document.querySelector('#exemplars').textContent !== ${JSON.stringify(shown)}`,
  );
  await press('Escape');
  const back = await report.evaluate('document.activeElement.tagName');
  check(`${pipeline}: Escape goes back to the cell`, back === 'TD', back);
  await judge(`${pipeline}-report`);
}

async function deploy(pipeline: string): Promise<void> {
  await tabTo('Deploy', 'button', true);
  await press('Enter');
  await page.waitForSelector('dialog[open]');
  await page.waitForFunction("document.activeElement.textContent === 'Not now'");
  await press('Escape');
  await page.waitForFunction("document.querySelector('dialog[open]') === null");
  check(`${pipeline}: Escape leaves a question unanswered`, !page.url().includes('endpoints'));
  await tabTo('Deploy', 'button');
  await press('Enter');
  await page.waitForFunction("document.activeElement.textContent === 'Not now'");
  await press('Tab');
  await press('Enter');
  await at('#/endpoints');
  await shows('in service');
  await page.waitForFunction(
    "[...document.querySelectorAll('.endpoints button')].some((button) => !button.disabled)",
  );
}

async function ask(pipeline: string, image: string): Promise<void> {
  await tabTo('Try', 'a');
  await press('Enter');
  await at('#/try');
  await shows('Drop an image here');
  await chooseBy('Choose a file', [image]);
  await page.waitForSelector('.scores .first');
  await judge(`${pipeline}-try`);
}

async function remove(pipeline: string): Promise<void> {
  await tabTo('Endpoints', 'a');
  await press('Enter');
  await at('#/endpoints');
  await tabTo('Delete', 'button');
  await press('Enter');
  await page.waitForSelector('dialog[open]');
  await tabTo('typed', 'input');
  await page.keyboard.type(pipeline);
  await tabTo('Delete endpoint', 'button');
  await press('Enter');
  await shows('Nothing is deployed');
}

/** Tag and text of the focused element. */
async function focused(): Promise<string> {
  const found = await page.evaluate(`(() => {
    const one = document.activeElement;
    const words = one.id === '' ? '' : '#' + one.id;
    return [one.localName, words, one.name ?? '', (one.closest('label') ?? one).textContent.trim()].join('|');
  })()`);
  return String(found);
}

/** Presses Tab until an element of a kind has the focus that begins with these words, or has this `#id` or name. */
async function tabTo(words: string, tag: string, isBackwards = false): Promise<void> {
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    const [localName, id, name, text = ''] = (await focused()).split('|');
    const fits = words.startsWith('#') ? id === words : text.startsWith(words) || name === words;
    if (localName === tag && fits && (await isUsable())) {
      check(
        `${words === '' ? tag : words}: what has the focus is seen to have it`,
        await isOutlined(),
        words,
      );
      return;
    }
    if (isBackwards) await page.keyboard.down('Shift');
    await press('Tab');
    if (isBackwards) await page.keyboard.up('Shift');
  }
  throw new Error(`no ${tag} ${words} within ${MAX_STOPS} stops of ${page.url()}; at ${await focused()}`);
}

async function isUsable(): Promise<boolean> {
  return (await page.evaluate('document.activeElement.disabled !== true')) === true;
}

/** Whether the element that has the focus, or the label around it, has an outline. */
async function isOutlined(): Promise<boolean> {
  return Boolean(
    await page.evaluate(`[document.activeElement, document.activeElement.closest('label')].some((one) => {
      if (one === null) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
    })`),
  );
}

async function tabWithin(frame: Frame, tag: string, words = ''): Promise<void> {
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    const found = await frame.evaluate(
      "document.hasFocus() ? document.activeElement.tagName + '|' + document.activeElement.textContent : ''",
    );
    const [tagName, text = ''] = String(found).split('|');
    if (tagName === tag && text.startsWith(words)) return;
    await press('Tab');
  }
  throw new Error(`no ${tag} ${words} of the report within ${MAX_STOPS} stops`);
}

/** Opens the system's chooser of files with the space bar. */
async function chooseBy(words: string, files: readonly string[]): Promise<void> {
  await tabTo(words, 'input');
  const arriving = page.waitForFileChooser();
  // The browser catches choosers once it has been told to, which a key could overtake: an answer says that it has.
  await page.evaluate('0');
  const [chooser] = await Promise.all([arriving, press('Space')]);
  await chooser.accept([...files]);
}

async function retype(text: string): Promise<void> {
  await page.keyboard.down('Control');
  await press('KeyA');
  await page.keyboard.up('Control');
  await page.keyboard.type(text);
}
