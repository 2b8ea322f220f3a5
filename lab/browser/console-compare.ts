/** Runs and trainings side by side, in the console. */
import { bucketLayout } from '../../src/run/bucket-layout.ts';
import type { Laptop } from '../../test/support/laptop.ts';
import { check } from './check.ts';
import type { Tab } from './console-tab.ts';

/** A training that logs, waits until its drop's `go` is there, and leaves the model that its drop has. */
const SCRIPT = `
import argparse, os, tarfile, time
parser = argparse.ArgumentParser()
parser.add_argument('--lr', type=float)
rate = parser.parse_known_args()[0].lr
data = os.environ['SM_CHANNEL_TRAINING']
host = int(os.environ['SM_CURRENT_HOST'].split('-')[1])
for step in range(40):
    print('step=%d loss=%.4f accuracy=%.4f' % (step, 1.4 * 2.718 ** (-rate * step * host), 1 - 0.7 * 2.718 ** (-rate * step / host)), flush=True)
    time.sleep(0.1)
with tarfile.open(os.path.join(data, 'model.tar.gz')) as archive:
    archive.extractall(os.environ['SM_MODEL_DIR'])
`;

/** The run against a rerun with other names of two classes: what was right becomes wrong. */
export async function compareRuns(laptop: Laptop, tab: Tab, run: string): Promise<void> {
  const { page, go, at, shows, click, judge } = tab;
  await laptop.givePipeline('clothes', (config) => {
    [config.labels.classes[9], config.labels.classes[3]] = [
      config.labels.classes[3],
      config.labels.classes[9],
    ];
    config.gate = { minAccuracy: 0.5, minInputs: 1, confidence: null };
  });
  await go(`run/${encodeURIComponent(run)}`);
  await click('Rerun');
  await page.waitForSelector('dialog[open]');
  await click('Rerun');
  await at(`#/run/${run}r`);
  const again = decodeURIComponent(new URL(page.url()).hash.slice('#/run/'.length));
  await laptop.await(again);
  await go('runs');
  for (const one of [run, again])
    await (
      await page.waitForSelector(`input[aria-label=${JSON.stringify(`Compare ${one}`)}]:not([disabled])`)
    )?.click();
  await click('Compare');
  await shows('Became wrong');
  await page.waitForFunction(
    "[...document.querySelectorAll('.photo img')].some((one) => one.naturalWidth > 0)",
  );
  const words = await page.$eval('main', (main) => main.textContent ?? '');
  check('the change has its interval and its test', /95% interval .* to .*McNemar p = /.test(words), words);
  check('the later run is compared with the earlier one', words.includes(`${again} against ${run}`), words);
  await judge('compare-runs');
  await go('compare');
  await judge('compare-empty');
}

/** Two trainings of two hosts: their curves grow while they run, then they're shown side by side. */
export async function compareTrainings(laptop: Laptop, tab: Tab): Promise<void> {
  const { page, go, shows, click, judge } = tab;
  const { store } = laptop.application;
  const model = (await store.readBytes(bucketLayout.pipelineModel('clothes'))) ?? new Uint8Array();
  for (const [name, lr] of [
    ['slow', 0.05],
    ['fast', 0.2],
  ] as const) {
    await laptop.givePipeline('learns', (config) => {
      config.gate = null;
      config.training = {
        framework: 'tensorflow',
        version: '2.19.0',
        entryPoint: 'train.py',
        maxRunMinutes: 10,
        instances: { types: ['ml.m5.xlarge'], count: 2 },
        hyperparameters: { lr, epochs: 40 },
        metrics: { loss: 'loss=([0-9.]+)', accuracy: 'accuracy=([0-9.]+)' },
      };
    });
    await store.write(bucketLayout.pipelineFile('learns', 'code/train.py'), SCRIPT);
    const folder = bucketLayout.dropFolder({ kind: 'training', pipeline: 'learns', drop: name });
    for (const [file, body] of Object.entries({ 'model.tar.gz': model, _READY: '' }))
      await store.write(folder + file, body);
    await go(`run/${encodeURIComponent(`training/learns/${name}/000001`)}`);
    if (name === 'slow') {
      await shows('Curves');
      await page.waitForFunction("document.querySelectorAll('.curves .curve-1 path[d*=L]').length === 2");
      const isLive = await page.evaluate("document.body.textContent.includes('Cancel run')");
      check('curves are drawn while the training runs, a line for each host', isLive === true);
      await judge('training-under-way');
    }
    await laptop.until(() =>
      store.describe(
        bucketLayout.ended({ kind: 'training', pipeline: 'learns', drop: name, generation: '000001' }),
      ),
    );
  }
  await go('runs');
  for (const name of ['slow', 'fast'])
    await (await page.waitForSelector(`input[aria-label="Compare training/learns/${name}/000001"]`))?.click();
  await shows('2 trainings chosen');
  await judge('runs-chosen');
  await click('Compare');
  await shows('Side by side');
  const bold = await page.$$eval('.beside td b', (cells) => cells.map((cell) => cell.textContent));
  check('the hyperparameter that differs is bold', bold.includes('0.05') && bold.includes('0.2'), bold);
  check('the one that does not is not', !bold.includes('40'), bold);
  await judge('compare-trainings');
}
