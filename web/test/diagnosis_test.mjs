// node diagnosis_test.mjs RAILYARD FOLDER: the page of `railyard diagnose`, opened in Debian's chromium. What it says is what the JSON says.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import {withData} from './fixture.mjs';
import {lookUp} from './figures.mjs';
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

const SHOWN = 3; // causes in a chart

/** The page and the JSON of one case. */
function diagnosisOf(folder) {
  const name = path.basename(folder);
  const page = path.join(OUT, `diagnosis-${name}.html`),
    json = path.join(OUT, `diagnosis-${name}.json`);
  const files = fs
    .readdirSync(path.join(ROOT, folder))
    .filter(file => !['cluster.toml', 'truth'].includes(file))
    .map(file => path.join(folder, file));
  const question = ['diagnose', '--scenario', path.join(folder, 'cluster.toml'), ...files];
  const printed = execFileSync(RAILYARD, [...question, '-o', page, '--json', json], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  assert.ok(printed.trimEnd().endsWith(`page: ${page}`));
  const diagnosis = JSON.parse(fs.readFileSync(json, 'utf8'));
  return {name, page, diagnosis, command: `railyard ${question.join(' ')}`};
}

const cases = ['cases/s01', 'cases/s03', 'cases/s13', 'healthy/h100-64'].map(name =>
  diagnosisOf(`tests/diagnose/${name}`),
);
const [s01, , s13, healthy] = cases;

/** A page of everything that a diagnosis may hold: many sizes, a size alone, what cannot be predicted, steps, what was not read. */
function fullCase() {
  const data = documentOf(s13.page);
  const {diagnosis} = data;
  const [curve] = diagnosis.curves;
  const many = Array.from({length: 31}, (_unused, k) => {
    const expected = (44 * 2 ** k) / (2 ** k + 2 ** 18);
    return {size: 8 * 2 ** k, measured_gbs: expected / 2, expected_gbs: expected, ratio: 0.5};
  });
  const alone = [{size: 2 ** 20, measured_gbs: 3, expected_gbs: 5, ratio: 0.6}];
  diagnosis.curves = [
    {...curve, points: many},
    {...curve, name: 'all_gather over 16 ranks in 2 nodes', is_assumed: true, points: alone},
    {
      ...curve,
      name: 'broadcast over 16 ranks in 2 nodes',
      ratio: 0,
      is_slow: false,
      points: [{size: 1024, measured_gbs: 0.25}],
    },
  ];
  for (const cause of diagnosis.causes)
    cause.predicted_gbs = [many.map(point => point.measured_gbs * 1.1), [4], []];
  diagnosis.odd = [{what: 'NIC', name: 'node-7/mlx5_3', how: 'does 98 Gb/s', where: 'bw.txt:4:1'}];
  diagnosis.steps = [
    {file: 'train.log', framework: 'Megatron', steps: 1200, median_s: 5.125, p95_s: 6.5},
    {
      ...{file: 'other.log', framework: 'torchtitan', steps: 7, median_s: 5, p95_s: 6},
      ...{expected_s: 4.5, ratio: 0.9},
    },
  ];
  diagnosis.skipped = [{where: 'a.txt:7:1', what: 'a row that is cut off', times: 3}];
  diagnosis.unknown_files = ['photo.txt'];
  diagnosis.unknown_collectives = ['hypercube'];
  data.command += ' logs/node.txt'.repeat(60);
  const page = path.join(OUT, 'diagnosis-full.html');
  fs.writeFileSync(page, withData(fs.readFileSync(s13.page, 'utf8'), data));
  return {name: 'full', page, diagnosis};
}
const full = fullCase();

test('the page is made from the document that --json writes, and is small', () => {
  for (const {page, diagnosis, command} of cases) {
    const data = documentOf(page);
    assert.equal(data.kind, 'diagnosis');
    assert.deepEqual(data.diagnosis, diagnosis);
    assert.deepEqual(data.verdict.sentences, diagnosis.answer);
    assert.equal(data.command, command);
    assert.ok(fs.statSync(page).size < LARGEST);
  }
});

test('the answer comes first, each sentence under what it is about', async () => {
  for (const {page: file, diagnosis} of cases) {
    const {page, close} = await open(file);
    assert.equal(await page.locator('main > section').first().getAttribute('id'), 'verdict');
    const plain = text => text.replaceAll('\u00a0', ' ');
    const lead = await page.locator('#verdict .lead').textContent();
    assert.equal(plain(lead), diagnosis.answer[0].text);
    const told = plain(await page.locator('#verdict').textContent());
    for (const {about, text} of diagnosis.answer.slice(1)) {
      const bare = text.replace(/^Likeliest cause \(\d+ of 100\): /, '');
      assert.ok(told.includes(bare), bare);
      assert.equal(await page.locator(`#verdict .about-${about}`).count(), 1, about);
    }
    const titles = await page.locator('#verdict dt').allTextContents();
    const known = ['Likeliest cause', 'Whose fault', 'What to do', 'To be sure'];
    assert.deepEqual(titles, known.slice(0, titles.length));
    assert.equal(titles.length, diagnosis.answer.length - 1);
    await close();
  }
});

test('every figure is that of the JSON', async () => {
  for (const {page: file, diagnosis} of [...cases, full]) {
    const {page, close} = await open(file);
    await openAll(page);
    const least = diagnosis.curves.reduce((sum, {points}) => sum + 2 * points.length, 0);
    const figures = await figuresAgree(page.locator('main'), diagnosis);
    assert.ok(figures >= least + diagnosis.causes.length, `${figures} figures`);
    await close();
  }
});

/** What a chart should draw: paths of all points measured, expected and predicted. */
function wantedDots(diagnosis, i) {
  const top = diagnosis.causes
    .map((cause, at) => ({cause, at}))
    .filter(({cause}) => cause.id !== 'healthy')
    .slice(0, SHOWN);
  return diagnosis.curves[i].points.flatMap((point, k) => [
    `diagnosis.curves[${i}].points[${k}].measured_gbs`,
    ...(point.expected_gbs === undefined
      ? []
      : [
          `diagnosis.curves[${i}].points[${k}].expected_gbs`,
          ...top.map(({at}) => `diagnosis.causes[${at}].predicted_gbs[${i}][${k}]`),
        ]),
  ]);
}

test('each curve has a chart with every point measured, expected and predicted, from 0 up', async () => {
  for (const {page: file, diagnosis} of [...cases, full]) {
    const {page, close} = await open(file);
    const charts = page.locator('#curves .curve');
    assert.equal(await charts.count(), diagnosis.curves.length);
    for (let i = 0; i < diagnosis.curves.length; i++) {
      const chart = charts.nth(i);
      const dots = await chart
        .locator('circle[data-at]')
        .evaluateAll(all =>
          all.map(one => ({
            at: one.dataset.at,
            value: Number(one.dataset.value),
            y: one.getBoundingClientRect().top + one.getBoundingClientRect().height / 2,
          })),
        );
      assert.deepEqual(dots.map(({at}) => at).sort(), wantedDots(diagnosis, i).sort());
      for (const {at, value} of dots) assert.equal(value, lookUp({diagnosis}, at));
      const ground = await chart
        .locator('g[aria-label="rule"] line')
        .evaluate(one => one.getBoundingClientRect().top);
      const top = dots.reduce((best, one) => (one.value > best.value ? one : best));
      const scale = (ground - top.y) / top.value;
      assert.ok(scale > 0);
      for (const {at, value, y} of dots) assert.ok(Math.abs(ground - y - value * scale) < 1, at);
      const lines = new Set(dots.map(({at}) => at.replace(/points\[\d+\]|\[\d+\]$/g, ''))).size;
      assert.equal(await chart.locator('.legend li').count(), lines);
    }
    await close();
  }
});

test('names of sizes do not run into each other', async () => {
  for (const width of [380, 1400]) {
    const {page, close} = await open(full.page, {viewport: {width, height: 900}});
    const boxes = await page
      .locator('#curves .curve')
      .first()
      .locator('g[aria-label="x-axis tick label"] text')
      .evaluateAll(all => all.map(one => one.getBoundingClientRect().toJSON()));
    assert.ok(boxes.length >= 3, `${boxes.length} names`);
    boxes.sort((a, b) => a.left - b.left);
    for (let i = 1; i < boxes.length; i++)
      assert.ok(boxes[i].left > boxes[i - 1].right, `${width}`);
    await close();
  }
});

test('causes stand by their scores, with who has to mend them and what was seen', async () => {
  const mended = {
    server: 'mended in the servers',
    network: 'mended in the network',
    job: 'mended in the job',
    nothing: 'nothing to mend',
  };
  for (const {page: file, diagnosis} of cases) {
    const {page, close} = await open(file);
    await openAll(page);
    const items = page.locator('.causes > li');
    const shown = diagnosis.causes.slice(0, await items.count());
    assert.ok(shown.length >= 3);
    for (const [i, cause] of shown.entries()) {
      const item = items.nth(i);
      assert.equal(await item.getAttribute('data-cause'), cause.id);
      assert.equal(await item.locator('.cause-in').textContent(), mended[cause.in]);
      const bar = await item.locator('.track').evaluate(one => {
        const inner = one.firstElementChild.getBoundingClientRect();
        return inner.width / one.getBoundingClientRect().width;
      });
      assert.ok(Math.abs(bar - cause.score) < 0.03, `${cause.id}: ${bar}`);
      const text = await item.textContent();
      if (cause.in !== 'nothing') assert.ok(text.includes(cause.check.slice(1)), cause.check);
    }
    assert.equal(
      await page.locator('#causes tbody tr').count(),
      diagnosis.causes.length - shown.length,
    );
    const rows = await page.locator('#evidence tbody tr').allTextContents();
    const seen = shown.flatMap(cause => cause.evidence);
    assert.equal(rows.length, seen.length);
    for (const [i, piece] of seen.entries()) {
      assert.ok(rows[i].includes(piece.text) && rows[i].includes(piece.where), rows[i]);
      assert.ok(rows[i].includes(piece.log_odds > 0 ? 'for' : 'against'), rows[i]);
    }
    await close();
  }
});

test('what there is nothing of has no heading and no table', async () => {
  const ids = async file => {
    const {page, close} = await open(file);
    const found = await page
      .locator('main > section')
      .evaluateAll(all => all.map(section => section.id));
    const empty = await page
      .locator('tbody')
      .evaluateAll(all => all.filter(one => one.children.length === 0).length);
    assert.equal(empty, 0);
    await close();
    return found;
  };
  assert.deepEqual(await ids(healthy.page), ['verdict', 'curves', 'causes', 'evidence']);
  assert.deepEqual(await ids(full.page), [
    ...['verdict', 'curves', 'causes', 'evidence', 'odd', 'steps', 'left-out'],
  ]);
  const {page, close} = await open(full.page);
  assert.equal(await page.locator('header .command').count(), 0, 'a command of 60 files is folded');
  await openAll(page, 'header');
  assert.match(await page.locator('header .command').textContent(), /node\.txt$/);
  const text = await page.locator('#left-out').textContent();
  for (const part of ['a.txt:7:1: a row that is cut off, 3 times', 'photo.txt', 'hypercube'])
    assert.ok(text.includes(part), part);
  await close();
});

test('nothing is cut off from 380 to 2000 pixels, and axe finds nothing serious', async () => {
  for (const {page: file, name} of [s01, healthy, full])
    for (const width of [380, 1400, 2000])
      for (const colorScheme of ['light', 'dark']) {
        const {page, close} = await open(file, {viewport: {width, height: 900}, colorScheme});
        await page.waitForTimeout(150);
        assert.deepEqual(await clipped(page), [], `${name}, ${width}, ${colorScheme}`);
        await page.screenshot({
          path: path.join(OUT, `diagnosis-${name}-${width}-${colorScheme}.png`),
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
  const {page, close} = await open(s01.page, {colorScheme: 'dark'});
  await page.emulateMedia({media: 'print'});
  await page.waitForFunction(() => document.documentElement.classList.contains('printing'));
  assert.equal(await visible(page, '.control'), 0);
  const paper = await page.pdf({format: 'A4', printBackground: true});
  const sheets = (paper.toString('latin1').match(/\/Type\s*\/Page(?!s)/g) ?? []).length;
  assert.ok(sheets >= 1 && sheets <= 3, `${sheets} sheets`);
  await close();
});
