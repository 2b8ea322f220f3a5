/**
 * `npm run test:browser`: web pages that know the stack's address and even its secret, in the system's Chromium. Whatever they send, by
 * form, link, frame, script, worker or a name that was made to point here, changes nothing and shows them nothing.
 */
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { Page } from 'puppeteer-core';
import { localS3 } from '../../packages/laptop/test/support/local-s3.ts';
import { launchChromium } from '../../test/support/chromium.ts';
import { ATTACKED, FORGED_NAMES, sendForm, startAttacker } from './attacker.ts';
import { check, conclude } from './check.ts';

const Bucket = 'victim';
const SCRIPT = '<!doctype html><title>stored</title><script>document.title = "ran"</script>';

await using stack = await localS3();
await stack.client.send(new CreateBucketCommand({ Bucket }));
await stack.client.send(new PutObjectCommand({ Bucket, Key: 'note.json', Body: SCRIPT }));
await stack.client.send(
  new PutObjectCommand({ Bucket, Key: 'report.html', Body: SCRIPT, ContentType: 'text/html' }),
);
/** The worst case: the page can sign. */
const signed = {
  begin: await getSignedUrl(stack.client, new CreateMultipartUploadCommand({ Bucket, Key: 'planted' })),
  list: await getSignedUrl(stack.client, new ListObjectsV2Command({ Bucket })),
  asPage: await getSignedUrl(
    stack.client,
    new GetObjectCommand({ Bucket, Key: 'note.json', ResponseContentType: 'text/html' }),
  ),
  page: await getSignedUrl(stack.client, new GetObjectCommand({ Bucket, Key: 'report.html' })),
};
const { port } = new URL(stack.endpoint);

const attacker = await startAttacker();
const browser = await launchChromium(ATTACKED);
try {
  for (const origin of attacker.origins) await attack(origin);
  await rebind();
  await openByHand();
} finally {
  await browser.close();
  attacker.close();
}
const { Uploads = [] } = await stack.client.send(new ListMultipartUploadsCommand({ Bucket }));
check('no page began an upload', Uploads.length === 0, Uploads);
conclude();

/** Tries all that a page of another origin can do without being asked. */
async function attack(origin: string): Promise<void> {
  const page = await browser.newPage();
  const status = async (what: string, go: (page: Page) => Promise<unknown>): Promise<void> => {
    await page.goto(origin);
    const [answer] = await Promise.all([page.waitForNavigation(), go(page)]);
    check(`${origin}: ${what} is refused`, answer?.status() === 403, answer?.status());
  };
  for (const encoding of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']) {
    await status(`a form of ${encoding}`, (at) => at.evaluate(sendForm(encoding, signed.begin)));
  }
  await status('a link', (at) => at.evaluate(`location.href = ${JSON.stringify(signed.asPage)}`));
  await status('a link to a stored page', (at) =>
    at.evaluate(`location.href = ${JSON.stringify(signed.page)}`),
  );
  await page.goto(origin);
  const seen = await page.evaluate(`(async () => {
    const tried = {};
    const note = async (what, work) => { tried[what] = await work().then(String, () => 'refused'); };
    await note('fetch', async () => (await fetch(${JSON.stringify(signed.list)})).text());
    await note('post', async () => (await fetch(${JSON.stringify(signed.begin)}, { method: 'POST', mode: 'no-cors' })).type);
    tried.beacon = navigator.sendBeacon(${JSON.stringify(signed.begin)}, 'x');
    await note('frame', () => new Promise((resolve) => {
      const frame = Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(signed.page)} });
      frame.onload = () => { try { resolve(frame.contentDocument?.title ?? 'opaque'); } catch { resolve('opaque'); } };
      document.body.append(frame);
    }));
    await note('script', () => new Promise((resolve, reject) => {
      document.head.append(Object.assign(document.createElement('script'), { src: ${JSON.stringify(signed.page)}, onload: resolve, onerror: reject }));
    }));
    await note('socket', () => new Promise((resolve, reject) => {
      const socket = new WebSocket('ws://127.0.0.1:${port}/'); socket.onopen = resolve; socket.onerror = reject;
    }));
    return JSON.stringify(tried);
  })()`);
  const tried: Record<string, string> = JSON.parse(String(seen));
  check(`${origin}: fetch reads nothing`, tried['fetch'] === 'refused', tried);
  check(`${origin}: a script is not loaded`, tried['script'] === 'refused', tried);
  check(`${origin}: no socket opens`, tried['socket'] === 'refused', tried);
  check(`${origin}: a frame shows nothing`, tried['frame'] === 'opaque' || tried['frame'] === '', tried);
  await page.close();
}

/** A name of the attacker's that points to this machine: for the browser the stack is the page's own origin. */
async function rebind(): Promise<void> {
  const page = await browser.newPage();
  for (const name of FORGED_NAMES) {
    const answer = await page.goto(`http://${name}:${port}${signed.list.slice(stack.endpoint.length)}`);
    check(`${name}: refused by its name`, answer?.status() === 403, answer?.status());
  }
  await page.close();
}

/** A person who opens a link of the stack by hand sees what is stored, and its scripts have no hold on the stack. */
async function openByHand(): Promise<void> {
  const page = await browser.newPage();
  await page.goto(signed.page);
  check('a stored page shows, in an origin of its own', (await page.title()) === 'ran', await page.title());
  const list = JSON.stringify(signed.list);
  const fromReport = await page.evaluate(`fetch(${list}).then((answer) => answer.status, () => 'refused')`);
  check('its scripts read nothing from the stack', fromReport === 'refused', fromReport);
  const began = JSON.stringify(signed.begin);
  await page.evaluate(`fetch(${began}, { method: 'POST', mode: 'no-cors' }).catch(() => undefined)`);
  const opened = await page.goto(signed.asPage).then(
    () => page.title(),
    () => 'downloaded',
  );
  check('a text is not opened as a page', opened === 'downloaded', opened);
  await page.close();
}
