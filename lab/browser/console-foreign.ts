/** Pages of other origins, in the browser that the console has let in: other names, and other ports of this machine. */
import type { Page } from 'puppeteer-core';
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import { parseRunId } from '../../src/run/run-id.ts';
import type { Laptop } from '../../test/support/laptop.ts';
import { FORGED_NAMES, sendForm, startAttacker } from './attacker.ts';
import { check } from './check.ts';
import type { Tab } from './console-tab.ts';

/** A page that knows the console's port and the name of a run can neither read nor start anything, from whatever origin. */
export async function attackConsole(laptop: Laptop, { pages, page: own }: Tab, run: string): Promise<void> {
  const attacker = await startAttacker();
  const token = new URL(pages.address).hash.slice('#token='.length);
  const named = encodeURIComponent(run);
  const page = await own.browser().newPage();
  try {
    for (const origin of attacker.origins) await attack(page, origin, pages.origin, named);
    const { port: at } = new URL(pages.origin);
    for (const name of FORGED_NAMES) {
      const answer = await page.goto(`http://${name}:${at}/`);
      check(`the console by the name ${name} is refused`, answer?.status() === 403, answer?.status());
    }
    // What a page may do is to lead there: the console opens, and the page behind has no hold on it.
    await page.goto(attacker.origins[0] ?? '');
    await Promise.all([
      page.waitForNavigation(),
      page.evaluate(`location.href = ${JSON.stringify(`${pages.origin}/`)}`),
    ]);
    check('a link leads only to the first page', page.url().startsWith(`${pages.origin}/`), page.url());
    const heard = attacker.heard();
    check('a server at another port hears requests', heard.includes('host:'), heard);
    check(
      'and neither a cookie nor the token',
      !/^cookie:|authorization:/m.test(heard) && !heard.includes(token),
      heard,
    );
    const wrong = `${pages.origin}/#token=${'x'.repeat(token.length)}`;
    await page.goto(attacker.origins[1] ?? '');
    await Promise.all([page.waitForNavigation(), page.evaluate(`location.href = ${JSON.stringify(wrong)}`)]);
    await page.bringToFront();
    await page.waitForFunction("document.body.innerText.includes('Pipelines')");
    check('a link with a wrong token takes nothing from the console', true);
  } finally {
    for (const other of await own.browser().pages()) if (other !== own) await other.close();
    attacker.close();
    // A page behind another draws nothing.
    await own.bringToFront();
  }
  const again = parseRunId(`${run}r2`);
  const began = again && (await laptop.application.store.describe(bucketLayout.frozen(again)));
  check('no page of another origin has begun a rerun', began === undefined, began);
  const planted = await laptop.application.store.describe('incoming/clothes/planted/a.png');
  check('nor sent a file', planted === undefined, planted);
}

async function attack(page: Page, origin: string, console: string, run: string): Promise<void> {
  const rerun = `${console}/api/runs/${run}/rerun`;
  for (const encoding of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']) {
    await page.goto(origin);
    const [answer] = await Promise.all([page.waitForNavigation(), page.evaluate(sendForm(encoding, rerun))]);
    check(`${origin}: a form of ${encoding} is refused`, answer?.status() === 403, answer?.status());
  }
  for (const path of [`/api/runs/${run}`, `/report/${run}`]) {
    await page.goto(origin);
    const [answer] = await Promise.all([
      page.waitForNavigation(),
      page.evaluate(`location.href = ${JSON.stringify(console + path)}`),
    ]);
    check(
      `${origin}: a link to ${path.split('/')[1]} is refused`,
      answer?.status() === 403,
      answer?.status(),
    );
  }
  await page.goto(origin);
  const seen = await page.evaluate(`(async () => {
    const tried = {};
    const at = (path) => ${JSON.stringify(console)} + path;
    const note = async (what, work) => { tried[what] = await Promise.race([work().then(String, () => 'refused'), new Promise((late) => setTimeout(late, 3000, 'late'))]); };
    await note('fetch', async () => (await fetch(at('/api/pipelines'), { credentials: 'include' })).text());
    await note('opaque', async () => (await (await fetch(at('/api/pipelines'), { credentials: 'include', mode: 'no-cors' })).text()).length);
    await note('post', async () => (await fetch(${JSON.stringify(rerun)}, { method: 'POST', mode: 'no-cors', credentials: 'include' })).type);
    await note('put', async () => (await fetch(at('/api/drops/clothes/planted/a.png'), { method: 'PUT', body: 'x', credentials: 'include' })).status);
    await note('delete', async () => (await fetch(at('/api/endpoints/clothes'), { method: 'DELETE', credentials: 'include' })).status);
    tried.beacon = navigator.sendBeacon(${JSON.stringify(rerun)}, 'x');
    await note('events', () => new Promise((resolve, reject) => {
      const events = new EventSource(at('/live/runs'), { withCredentials: true });
      events.addEventListener('seen', () => resolve('seen')); events.onerror = () => { events.close(); reject(new Error()); };
    }));
    for (const [what, tag] of [['script', 'script'], ['picture', 'img']])
      await note(what, () => new Promise((resolve, reject) => {
        document.head.append(Object.assign(document.createElement(tag), { src: at(tag === 'script' ? '/console.js' : '/api/runs/${run}/picture?key=a'), onload: resolve, onerror: reject }));
      }));
    for (const path of ['/', '/report/${run}'])
      await note('frame of ' + path, () => new Promise((resolve) => {
        const frame = Object.assign(document.createElement('iframe'), { src: at(path) });
        frame.onload = () => { try { resolve(frame.contentDocument === null ? 'opaque' : 'read'); } catch { resolve('opaque'); } };
        document.body.append(frame);
      }));
    await note('socket', () => new Promise((resolve, reject) => {
      const socket = new WebSocket(at('/').replace('http', 'ws')); socket.onopen = resolve; socket.onerror = reject;
    }));
    await note('window', async () => {
      const opened = open(at('/'));
      await new Promise((later) => setTimeout(later, 500));
      return opened === null || opened.closed ? 'cut' : opened.document.title;
    });
    return JSON.stringify(tried);
  })()`);
  const tried: Record<string, string> = JSON.parse(String(seen));
  const { opaque, post, beacon: _, ...read } = tried;
  check(`${origin}: an opaque answer has no length`, opaque === '0' || opaque === 'refused', tried);
  check(`${origin}: what is sent blindly tells nothing`, post === 'opaque' || post === 'refused', tried);
  for (const [what, found] of Object.entries(read))
    check(`${origin}: ${what} reads nothing`, ['refused', 'cut', 'opaque'].includes(found), tried);
}
