// How the page looks: in order, nothing cut off, legible for all, ten sheets of paper at most.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import {withData} from './fixture.mjs';
import {
  LARGEST,
  OUT,
  axeFindings,
  clipped,
  first,
  fixture,
  fixturePage,
  mainJob,
  open,
  openAll,
  pageOf,
  visible,
} from './harness.mjs';

const incast = () => pageOf('scenarios/packets/slow-receiver.toml');

test('the answer comes first, then pictures, then advice; what is long is folded', async () => {
  const {page, close} = await open(fixturePage);
  assert.deepEqual(
    await page.locator('main > section').evaluateAll(all => all.map(one => one.id)),
    ['verdict', 'time', 'advice', 'runs', 'compare', 'claims', 'sources', 'words'],
  );
  const told = (await page.locator('#verdict').textContent()).replaceAll('\u00a0', ' ');
  for (const {text} of fixture.verdict.sentences)
    assert.ok(told.includes(text.replace(/^What limits them: /, '')), text); // it stands beside it
  for (const run of fixture.runs) {
    const own = (await page.locator(`.card[data-run=${run.id}]`).textContent()).replaceAll(
      '\u00a0',
      ' ',
    );
    for (const {about, text} of run.results.verdict.sentences)
      if (['cost', 'limit', 'change'].includes(about)) assert.ok(own.includes(text), text);
  }
  assert.equal(await visible(page, 'main table'), 0, 'tables are folded');
  assert.equal(await visible(page, '.claim'), 0, 'claims are folded');
  const tall = await page.evaluate(() => document.documentElement.scrollHeight);
  assert.ok(tall < 9000, `the page is ${tall} pixels tall`);
  await close();
});

test('a document without a verdict begins with where the time goes', async () => {
  const file = path.join(OUT, 'no-verdict.html');
  const old = structuredClone(fixture);
  delete old.verdict;
  for (const run of old.runs) delete run.results.verdict;
  fs.writeFileSync(file, withData(fs.readFileSync(first.page, 'utf8'), old));
  const {page, close} = await open(file);
  assert.equal(await page.locator('main > section').first().getAttribute('id'), 'time');
  assert.match(await page.locator('.card[data-run=alpha]').textContent(), /data-parallel/);
  await close();
});

test('advice has its gain, its command to copy, and how sure it is', async () => {
  const {page, close} = await open(fixturePage);
  const card = page.locator('.advice').first();
  const [one] = fixture.advice;
  const text = await card.textContent();
  for (const part of [one.gain_text, one.command, one.confidence, one.cost_text])
    assert.ok(text.includes(part), part);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await card.getByRole('button', {name: /^Copy/}).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), one.command);
  await close();
});

test('packets have an order of their own, and no empty tables', async () => {
  const {page: file} = incast();
  const {page, close} = await open(file);
  const titles = await page
    .locator('section[id$="-packets"] h4')
    .evaluateAll(all => all.map(one => one.textContent));
  const order = [/^Queues$/, /^ECN marks/, /^Paused/, /^Who paused whom/, /^Slowest flows/];
  const found = order.map(pattern => titles.findIndex(title => pattern.test(title)));
  const there = found.filter(at => at >= 0);
  assert.ok(there.length >= 4, titles.join(', '));
  assert.deepEqual(
    there,
    [...there].sort((a, b) => a - b),
    titles.join(', '),
  );
  const parts = await page.locator('.panel > section').evaluateAll(all => all.map(one => one.id));
  assert.match(
    parts.find(id => !/findings/.test(id)),
    /-packets$/,
  );
  await openAll(page);
  assert.equal(await page.locator('tbody:not(:has(tr))').count(), 0);
  await close();
});

test('the slowest flows of packets stand one by one', async () => {
  const {page: file, results} = incast();
  const {page, close} = await open(file);
  const rows = page.locator('section[id$="-packets"] table:has-text("Slowest flows") tbody tr');
  const slowest = results.flows.slowest;
  assert.equal(slowest.length, 10);
  assert.equal(await rows.count(), slowest.length);
  assert.equal(slowest[0].fct_us, results.flows.fct_us.max);
  const first = await rows.first().textContent();
  assert.match(first, new RegExp(`GPU ${slowest[0].from}GPU ${slowest[0].to}`));
  assert.match(first, /×/);
  await close();
});

test('nothing is cut off from 380 to 2000 pixels, in light and dark, folded or open', async () => {
  for (const width of [380, 1400, 2000])
    for (const colorScheme of width === 1400 ? ['light', 'dark'] : ['light']) {
      const pages = [
        [fixturePage, 'comparison'],
        [incast().page, 'packets'],
        [first.page, 'collective'],
      ];
      for (const [file, name] of pages) {
        const {page, close} = await open(file, {viewport: {width, height: 900}, colorScheme});
        await page.waitForTimeout(150); // charts are drawn when their place is measured
        assert.deepEqual(await clipped(page), [], `${name}, ${width}, ${colorScheme}`);
        if (width === 380 || width === 1400)
          await page.screenshot({
            path: path.join(OUT, `${name}-${width}-${colorScheme}.png`),
            fullPage: true,
          });
        await openAll(page);
        assert.deepEqual(await clipped(page), [], `${name}, all open, ${width}, ${colorScheme}`);
        await close();
      }
    }
});

test('the main job fits every window, is small, and draws little before it is asked to', async () => {
  const {file} = mainJob();
  const size = fs.statSync(file).size;
  assert.ok(size < LARGEST, `${size} bytes`);
  for (const width of [380, 1400, 2000]) {
    const {page, close} = await open(file, {viewport: {width, height: 900}});
    assert.deepEqual(await clipped(page), [], `${width}`);
    await page.screenshot({path: path.join(OUT, `main-${width}.png`), fullPage: true});
    const elements = await page.evaluate(() => document.querySelectorAll('*').length);
    assert.ok(elements < 12_000, `${elements} elements`);
    await close();
  }
});

test('axe finds nothing serious, in light and dark, folded or open', async () => {
  const pages = [fixturePage, incast().page, first.page];
  for (const file of pages)
    for (const colorScheme of ['light', 'dark']) {
      const {page, close} = await open(file, {colorScheme});
      if (colorScheme === 'dark') await openAll(page); // what is folded is looked at once
      assert.deepEqual(await axeFindings(page), [], `${path.basename(file)}, ${colorScheme}`);
      await close();
    }
  const {page, close} = await open(mainJob().file);
  assert.deepEqual(await axeFindings(page), [], 'the main job');
  await close();
});

const sheets = pdf => (pdf.toString('latin1').match(/\/Type\s*\/Page(?!s)/g) ?? []).length;

test('ten sheets of paper at most, with every run, in light, and nothing to press', async () => {
  for (const [file, runs] of [
    [fixturePage, fixture.runs.length],
    [incast().page, 1],
    [mainJob().file, mainJob().data.runs.length],
  ]) {
    const {page, close} = await open(file, {colorScheme: 'dark'});
    await page.emulateMedia({media: 'print'});
    await page.waitForFunction(() => document.documentElement.classList.contains('printing'));
    assert.equal(await visible(page, '.panel'), runs);
    assert.equal(await visible(page, '.control'), 0);
    assert.equal(await visible(page, 'details:not([open])'), 0, 'what is folded is not printed');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
    assert.ok((await page.locator('.panel canvas').count()) >= runs);
    const paper = await page.pdf({format: 'A4', printBackground: true});
    fs.writeFileSync(path.join(OUT, `${path.basename(file, '.html')}.pdf`), paper);
    assert.ok(sheets(paper) >= 1 && sheets(paper) <= 10, `${file}: ${sheets(paper)} sheets`);
    await page.emulateMedia({media: 'screen'});
    await page.waitForFunction(() => !document.documentElement.classList.contains('printing'));
    assert.equal(await visible(page, '.panel'), 1);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await close();
  }
});

test('words of the trade tell what they mean, to the pointer and to the keyboard', async () => {
  const {page, close} = await open(fixturePage);
  const word = page.locator('.card .term', {hasText: 'MFU'}).first();
  await word.focus();
  assert.match(await page.locator('.tip').textContent(), /model FLOP utilisation/);
  const id = await word.getAttribute('aria-describedby');
  assert.match(await page.locator(`#${id}`).textContent(), /useful FLOP/);
  await word.blur();
  await word.hover();
  assert.match(await page.locator('.tip').textContent(), /model FLOP utilisation/);
  await close();
});
