// node faults_test.mjs RAILYARD FOLDER: the page of `railyard faults`, opened in Debian's chromium. What it says is what the JSON says.
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
  visible,
} from './harness.mjs';

/** The page and the JSON of one question. */
function faultsOf(name, ...options) {
  const page = path.join(OUT, `faults-${name}.html`),
    json = path.join(OUT, `faults-${name}.json`);
  const printed = execFileSync(RAILYARD, ['faults', name, '-o', page, '--json', json, ...options], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  assert.ok(printed.trimEnd().endsWith(`page: ${page}`));
  return {page, faults: JSON.parse(fs.readFileSync(json, 'utf8'))};
}

const step = faultsOf('jitter', '--set', 'jitter=');
const ring = faultsOf('first', '--set', 'fabric.spines=4', '--singles');

test('the page is made from the document that --json writes, and is small', () => {
  for (const {page, faults} of [step, ring]) {
    const data = documentOf(page);
    assert.equal(data.kind, 'faults');
    assert.deepEqual(data.faults, faults);
    assert.ok(fs.statSync(page).size < LARGEST);
  }
  assert.equal(
    documentOf(ring.page).command,
    'railyard faults first --singles --set fabric.spines=4',
  );
});

test('every figure is that of the JSON, and every case stands in a table', async () => {
  for (const {page: file, faults} of [step, ring]) {
    const {page, close} = await open(file);
    await openAll(page);
    assert.ok((await figuresAgree(page.locator('main'), faults)) > 40);
    for (const [part, tables] of [
      ['faults-one', ['one', 'slow']],
      ['faults-two', ['two']],
      ['faults-hosts', ['host']],
      ['faults-upgrade', ['upgrade']],
    ]) {
      const wanted = faults.cases.filter(one => tables.includes(one.table)).length;
      assert.equal(await page.locator(`#${part} tbody tr`).count(), wanted, part);
    }
    const told = (await page.locator('#verdict').textContent()).replaceAll('\u00a0', ' ');
    for (const text of [faults.answer, faults.manner]) assert.ok(told.includes(text), text);
    const manner = faults.predictable ? 'predictably' : 'unpredictably';
    assert.equal(await page.locator('.manner').textContent(), manner);
    const text = await page.locator('main').textContent();
    for (const one of faults.cases.filter(({table}) => table === 'one'))
      assert.ok(text.includes(one.command), one.command);
    await close();
  }
});

test('the fabric has a row for every class, in the colour of its cost and with its name', async () => {
  const {page, close} = await open(step.page);
  for (const {what, count, is_link} of step.faults.classes) {
    const fault = step.faults.cases.find(one => one.table === 'one' && one.what === what);
    const row = page.locator(`.losses li[data-what="${what}"]`);
    const symbols = row.locator(`.symbols i.${is_link ? 'link' : 'switch'}`);
    assert.equal(await symbols.count(), Math.min(count, 128), what);
    assert.equal(
      await symbols.first().evaluate(one => one.classList.contains('stops')),
      fault.stops,
    );
    assert.match(await row.textContent(), fault.stops ? /stops the job/ : /costs nothing|slows/);
    await row.locator('.symbols').focus();
    const tip = await page.locator('.tip').textContent();
    assert.ok(tip.includes(fault.command), tip);
    if (fault.isolated_ranks > 0) assert.match(tip, /cut off/);
  }
  assert.equal(await page.locator('.losses li.worst').count(), 1, 'the worst is named');
  await close();
});

test('every draw is a dot, at the time that the JSON has', async () => {
  const {page, close} = await open(ring.page);
  const dots = await page
    .locator('#faults-one circle[data-at]')
    .evaluateAll(all => all.map(one => [one.dataset.at, Number(one.dataset.value)]));
  const wanted = ring.faults.cases
    .filter(one => one.table === 'one' && !one.stops)
    .reduce((sum, one) => sum + one.draws.length, 0);
  assert.equal(dots.length, wanted);
  for (const [at, value] of dots) {
    const [, i, k] = at.match(/cases\[(\d+)\]\.draws\[(\d+)\]/);
    assert.equal(value, ring.faults.cases[i].draws[k].time_s);
  }
  await close();
});

test('nothing is cut off from 380 to 2000 pixels, and axe finds nothing serious', async () => {
  for (const [{page: file}, name] of [
    [step, 'step'],
    [ring, 'ring'],
  ])
    for (const width of [380, 1400, 2000])
      for (const colorScheme of ['light', 'dark']) {
        const {page, close} = await open(file, {viewport: {width, height: 900}, colorScheme});
        await page.waitForTimeout(150);
        assert.deepEqual(await clipped(page), [], `${name}, ${width}, ${colorScheme}`);
        await page.screenshot({
          path: path.join(OUT, `faults-${name}-${width}-${colorScheme}.png`),
          fullPage: true,
        });
        await openAll(page);
        assert.deepEqual(await clipped(page), [], `${name}, all open, ${width}, ${colorScheme}`);
        if (width === 1400)
          assert.deepEqual(await axeFindings(page), [], `${name}, ${colorScheme}`);
        await close();
      }
});

test('it fits on a few sheets of paper, with nothing to press', async () => {
  const {page, close} = await open(step.page, {colorScheme: 'dark'});
  await page.emulateMedia({media: 'print'});
  await page.waitForFunction(() => document.documentElement.classList.contains('printing'));
  assert.equal(await visible(page, '.control'), 0);
  const paper = await page.pdf({format: 'A4', printBackground: true});
  const sheets = (paper.toString('latin1').match(/\/Type\s*\/Page(?!s)/g) ?? []).length;
  assert.ok(sheets >= 1 && sheets <= 5, `${sheets} sheets`);
  await close();
});
