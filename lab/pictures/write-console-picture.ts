// `node lab/pictures/write-console-picture.ts ADDRESS '#/run/fashion-mnist%2Fexample%2F000001'`: a page of the console
// that `npm start` has opened, at the address that it printed, for README.md, with the system's Chromium.
import path from 'node:path';
import { launchChromium } from '../../test/support/chromium.ts';

const PICTURE = path.resolve(import.meta.dirname, '..', '..', 'docs', 'pictures', 'console.png');
/** Time for the page and the report in it to be drawn. */
const DRAWN_WITHIN_MS = 4_000;
const [address, page = '#/pipelines'] = process.argv.slice(2);
if (address === undefined)
  throw new Error('name the address that npm start has printed: Console: http://…/#token=…');

const browser = await launchChromium(['--force-color-profile=srgb']);
try {
  const tab = await browser.newPage();
  // Smaller than it is shown, so that the picture has less than 80 kB.
  await tab.setViewport({ width: 1180, height: 900, deviceScaleFactor: 0.55 });
  await tab.goto(address);
  await tab.evaluate(`location.hash = ${JSON.stringify(page)}`);
  await new Promise((resolve) => setTimeout(resolve, DRAWN_WITHIN_MS));
  await tab.screenshot({ path: PICTURE });
} finally {
  await browser.close();
}
