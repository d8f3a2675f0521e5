// node plan_test.mjs RAILYARD FOLDER: the page of `railyard plan`, opened in Debian's chromium. What it says is what the JSON says.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import {
  LARGEST,
  OUT,
  RAILYARD,
  ROOT,
  axeFindings,
  clipped,
  documentOf,
  figuresAgree,
  open,
  openAll,
} from './harness.mjs';

const JOB = `
name = "a small job"
[model]
preset = "llama3-8b"
sequence = 4096
[training]
global_batch = 64
[parallel]
tensor = 4
pipeline = 2
[cluster]
gpu = "H100-SXM-80"
gpus = 32
gpus_per_node = 8
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
hosts_per_leaf = 8
oversubscription = 4
[transport]
kind = "roce"
[engine]
fidelity = "flow"
`;

/** The page and the JSON of one question. */
function planOf() {
  const file = path.join(OUT, 'plan.toml'),
    page = path.join(OUT, 'plan.html'),
    json = path.join(OUT, 'plan.json');
  fs.writeFileSync(file, JOB);
  const printed = execFileSync(RAILYARD, ['plan', file, '-o', page, '--json', json], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  assert.ok(printed.trimEnd().endsWith(`page: ${page}`));
  return {page, plan: JSON.parse(fs.readFileSync(json, 'utf8'))};
}

const small = planOf();

test('the page is made from the document that --json writes, and is small', () => {
  const data = documentOf(small.page);
  assert.equal(data.kind, 'plan');
  assert.deepEqual(data.plan, small.plan);
  assert.ok(fs.statSync(small.page).size < LARGEST);
});

test('every figure is that of the JSON, and every plan stands in the table', async () => {
  const {page, close} = await open(small.page);
  await openAll(page);
  assert.ok((await figuresAgree(page.locator('main'), small.plan)) > 30);
  const rows = await page.locator('#plans tbody tr').count();
  assert.equal(rows, small.plan.best.length + 1, 'the best and what there is today');
  const told = (await page.locator('#verdict').textContent()).replaceAll('\u00a0', ' ');
  assert.ok(told.includes(small.plan.answer), told);
  assert.equal(
    await page.locator('#plan-effects tbody tr').count(),
    small.plan.effects.filter(one => one.values.length > 1).length,
  );
  await close();
});

test('every plan that was timed is a dot, and the front is what nothing beats', async () => {
  const {page, close} = await open(small.page);
  const dots = await page.locator('#plans .drawn circle[data-at^="plan.timed"]').count();
  assert.equal(dots, small.plan.timed.length);
  for (const one of small.plan.timed) {
    const beaten = small.plan.timed.some(
      other =>
        other !== one &&
        other.step_s <= one.step_s &&
        other.memory_share <= one.memory_share &&
        (other.step_s < one.step_s || other.memory_share < one.memory_share),
    );
    assert.ok(!one.on_front || !beaten);
  }
  await close();
});

test('nothing is cut off from 380 to 2000 pixels, and axe finds nothing serious', async () => {
  for (const width of [380, 1400, 2000])
    for (const colorScheme of ['light', 'dark']) {
      const {page, close} = await open(small.page, {viewport: {width, height: 900}, colorScheme});
      assert.deepEqual(await clipped(page), [], `${width}, ${colorScheme}`);
      await openAll(page);
      assert.deepEqual(await clipped(page), [], `all open, ${width}, ${colorScheme}`);
      if (width === 1400) assert.deepEqual(await axeFindings(page), [], colorScheme);
      await close();
    }
});
