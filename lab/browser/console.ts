/**
 * `npm run test:browser`: the console in the system's headless Chromium, against the whole stack of this machine. Files are
 * dropped, their run is followed live to its report, its model is deployed, called and deleted; axe finds nothing on any page in
 * both themes and on a phone; names with markup stay text; no other address gets a request. Pictures of failures go to
 * build/browser.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { findPython } from '@inferdrop/model-container/internal/find-python';
import { startLaptop } from '../../test/support/laptop.ts';
import { ATTACKED } from './attacker.ts';
import { check, conclude } from './check.ts';
import { compareRuns, compareTrainings } from './console-compare.ts';
import { attackConsole } from './console-foreign.ts';
import { newPipeline } from './console-new.ts';
import { openTab } from './console-tab.ts';

const MARKUP = '<img src=x onerror="globalThis.ran = 1"><b>';

const laptop = await startLaptop(undefined, undefined, {
  trainingPythons: { tensorflow: (await findPython()).command },
});
const tab = await openTab(laptop, ATTACKED);
const { page, pages, noise, foreign, shows, at, go, click, judge, choose, fill } = tab;

try {
  await laptop.givePipeline('clothes', (config) => {
    config.gate = { minAccuracy: 0.5, minInputs: 1, confidence: null };
    config.endpoint = { ...config.endpoint, deploy: 'never' };
  });
  await laptop.givePipeline('hostile', (config) => {
    config.labels.classes[0] = MARKUP;
    config.gate = null;
    config.endpoint = { deploy: 'never' };
  });
  const images = await laptop.images(12);
  await laptop.upload('hostile', MARKUP.replaceAll('/', ''), {
    ...Object.fromEntries(Object.entries(images).map(([name, body]) => [`${MARKUP}${name}`, body])),
  });
  await page.goto(pages.address);
  check('the token is gone from the address', !page.url().includes('token'), page.url());
  await shows('Pipelines');
  await judge('pipelines');

  const folder = mkdtempSync(path.join(tmpdir(), 'console-'));
  const files = Object.entries(images).map(([name, body]) => {
    const file = path.join(folder, name);
    writeFileSync(file, body);
    return file;
  });
  await newPipeline(
    tab,
    Object.entries(await laptop.images(160)).map(([name, body]) => {
      const file = path.join(folder, name);
      writeFileSync(file, body);
      return file;
    }),
  );
  const run = await dropFiles(files);
  await followRun(run);
  await attackConsole(laptop, tab, run);
  await rerunAndCancel(run);
  await compareRuns(laptop, tab, run);
  await compareTrainings(laptop, tab);
  await deployAndAsk(files[0] ?? '');
  await deleteEndpoint();
  await readHostile();
  for (const name of ['runs', 'messages', 'drop', 'endpoints', 'try', 'pipeline/clothes']) {
    await go(name);
    await judge(name.replace('/', '-'));
  }
  await keys();
} catch (error) {
  check('the walk through the pages', false, inspect(error));
  await tab.picture('stopped');
} finally {
  await tab.close();
  await laptop.close();
}
check('silent', noise.length === 0, noise);
check('no other address gets a request', foreign.length === 0, foreign);
conclude();

/** Drops files by hand: a mistake is shown at its field, then they are uploaded. */
async function dropFiles(files: readonly string[]): Promise<string> {
  await go('drop/clothes');
  await choose('input[type=file]:not([webkitdirectory])', files);
  await shows('12 files');
  await fill('#name', 'by-hand');
  await fill('#cap', 'a lot');
  await click('Upload 12 files');
  await page.waitForSelector('#cap-error');
  const wrong = await page.$eval('#cap-error', (element) => element.textContent ?? '');
  check('a mistake in job.json stands at its field', wrong.includes('limits.maxCostUsd'), wrong);
  await judge('drop-chosen');
  await fill('#cap', '5');
  await click('Upload 12 files');
  await at('#/run/');
  const run = decodeURIComponent(new URL(page.url()).hash.slice('#/run/'.length));
  check('the upload leads to its run', run === 'clothes/by-hand/000001', run);
  return run;
}

/** The run is shown while it goes on, and its report takes the place of its headline. */
async function followRun(run: string): Promise<void> {
  await shows('Cancel run');
  check('a run under way has its steps', (await page.$$('.step')).length > 0);
  await judge('run-under-way');
  const frame = await page.waitForSelector('.report iframe');
  const report = await frame?.contentFrame();
  await report?.waitForFunction("document.body.textContent.includes('by-hand')");
  const origin = await report?.evaluate('origin');
  check('the report has an origin of its own', origin === 'null', origin);
  const reach = await report?.evaluate(
    `fetch(${JSON.stringify(`${pages.origin}/api/pipelines`)}, { credentials: 'include' }).then((answer) => ` +
      `answer.status, () => 'refused')`,
  );
  check('the report reads nothing of the console', reach === 'refused', reach);
  noise.length = 0;
  await shows(run);
  await judge('run-ended');
}

async function rerunAndCancel(run: string): Promise<void> {
  await click('Rerun');
  await page.waitForSelector('dialog[open]');
  const focused = await page.evaluate('document.activeElement.textContent');
  check('the safe button has the focus', focused === 'Not now', focused);
  await judge('dialog');
  await click('Rerun');
  await at(`#/run/${run}r`);
  await click('Cancel run');
  await page.waitForSelector('dialog[open]');
  await click('Cancel run');
  // Words of the report: which step it stops depends on how fast the run was.
  await shows('Canceled by');
  check('a canceled run says so', (await page.evaluate('document.body.innerText')) !== '');
}

async function deployAndAsk(file: string): Promise<void> {
  await go('try/clothes');
  await shows('Nothing serves clothes');
  await click('Deploy by-hand');
  await page.waitForSelector('dialog[open]');
  await click('Deploy,');
  await at('#/endpoints');
  await shows('in service');
  await page.waitForFunction(
    "[...document.querySelectorAll('.endpoints button')].some((button) => !button.disabled)",
  );
  await judge('endpoints-serving');
  await go('try/clothes');
  await choose('.zone input[type=file]', [file]);
  const label = await page.waitForSelector('.scores .first');
  check('the model answers with a label', ((await label?.evaluate((one) => one.textContent)) ?? '') !== '');
  await judge('try-answered');
}

async function deleteEndpoint(): Promise<void> {
  await go('endpoints');
  await click('Delete');
  await page.waitForSelector('dialog[open]');
  await page.type('dialog input', 'cloth');
  await click('Delete endpoint');
  check('a name that is not whole deletes nothing', (await page.$('dialog[open]')) !== null);
  await page.type('dialog input', 'es');
  await click('Delete endpoint');
  await shows('Nothing is deployed');
}

/** Names of a drop, of files and of classes with markup: they are text wherever they stand. */
async function readHostile(): Promise<void> {
  await go('runs');
  await shows(MARKUP);
  await page.$$eval('a.go', (links) =>
    links.find((link) => link.textContent?.startsWith('hostile') === true)?.setAttribute('id', 'hostile-run'),
  );
  await page.click('#hostile-run');
  await page.waitForSelector('.report iframe');
  await shows(MARKUP);
  await go('messages');
  await shows(MARKUP);
  check('no markup of a name becomes an element', (await page.$('img[src="x"]')) === null);
  check('no script of a name runs', (await page.evaluate('globalThis.ran')) === undefined);
}

/** The list of runs is one stop, with arrows inside. */
async function keys(): Promise<void> {
  await go('runs');
  await page.waitForSelector('a.go[data-row="0"]');
  await page.focus('a.go[data-row="0"]');
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction("document.activeElement.dataset.row === '1'");
  await page.keyboard.press('Enter');
  await at('#/run/');
  check('Enter opens the row', true);
  await go('messages');
  await page.keyboard.down('Control');
  await page.keyboard.press('KeyK');
  await page.keyboard.up('Control');
  await page.waitForSelector('.palette[open] [role=option]');
  await page.keyboard.type('by-hand clothes 000001');
  await page.waitForFunction("document.querySelectorAll('.palette [role=option]').length < 4");
  await judge('palette');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await at('#/run/clothes/by-hand/000001');
  await page.waitForFunction("document.querySelector('.palette') === null");
  check('Ctrl K leads to the run that is typed', true);
}
