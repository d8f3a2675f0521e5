// What is drawn is what the document says: bars, dots, lines, links, cells, boxes.
import assert from 'node:assert/strict';
import test from 'node:test';
import {lookUp} from './figures.mjs';
import {
  documentOf,
  fixture,
  fixturePage,
  mainJob,
  open,
  openAll,
  pageOf,
  visible,
} from './harness.mjs';

/** "38–45 %" as [0.38, 0.45]; by rules of its own, not those of the page. */
function ends(text) {
  const numbers = text.match(/\d[\d,.]*/g).map(digits => Number(digits.replaceAll(',', '')));
  return numbers.map(value => (text.includes('%') ? value / 100 : value));
}

/** All marks of charts in `scope`, with how they are drawn. */
const marksOf = (page, scope) =>
  page.locator(`${scope} .drawn [data-value]`).evaluateAll(all =>
    all.map(one => {
      const box = one.getBBox();
      return {
        value: Number(one.dataset.value),
        at: one.dataset.at,
        of: one.dataset.of,
        tip: one.dataset.tip,
        tag: one.tagName,
        width: box.width,
        height: box.height,
        chart: [...document.querySelectorAll('.drawn')].indexOf(one.closest('.drawn')),
      };
    }),
  );

async function marksAgree(page, data, scope) {
  const marks = await marksOf(page, scope);
  for (const mark of marks) {
    if (mark.at !== undefined)
      assert.equal(mark.value, lookUp(data, mark.at), `${mark.at}: ${mark.tip}`);
    if (mark.of !== undefined) {
      const cell = data.tables
        .flatMap(table => table.rows.flatMap(row => row.cells))
        .find(one => one.key === mark.of);
      assert.ok(cell, `${mark.of} is a cell`);
      assert.ok(
        ends(cell.text).some(value => Math.abs(value - mark.value) < 1e-9),
        `${mark.of} is ${cell.text}, drawn is ${mark.value}`,
      );
    }
    assert.ok(mark.at !== undefined || mark.of !== undefined, `${mark.tip} says where it is from`);
  }
  return marks;
}

/** Bars of one chart are as long as their values say. */
function barsAreToScale(marks) {
  for (const chart of new Set(marks.map(mark => mark.chart))) {
    const bars = marks.filter(mark => mark.chart === chart && mark.tag === 'rect');
    const isAcross = new Set(bars.map(bar => bar.width.toFixed(1))).size > 1;
    const length = bar => (isAcross ? bar.width : bar.height);
    const longest = bars.reduce((a, b) => (b.value > a.value ? b : a), bars[0]);
    for (const bar of bars) {
      const expected = (length(longest) * bar.value) / longest.value;
      assert.ok(Math.abs(length(bar) - expected) < 1.6, `${bar.tip}: ${length(bar)}, ${expected}`);
    }
  }
}

test('every bar and dot of the comparison is a number of the document', async () => {
  const {file, data} = mainJob();
  const {page, close} = await open(file);
  for (const scope of ['#time', '#compare']) {
    const marks = await marksAgree(page, data, scope);
    assert.ok(marks.length >= (scope === '#time' ? 3 * data.runs.length : 60), scope);
    barsAreToScale(marks);
  }
  const runs = data.runs.length;
  const parts = await marksOf(page, '#time');
  data.runs.forEach((run, i) => {
    const own = parts.filter(mark => mark.at.startsWith(`runs[${i}].`));
    const sum = own.reduce((all, mark) => all + mark.value, 0);
    assert.ok(Math.abs(sum / run.results.step_time_s - 1) < 1e-3, `${run.id} fills its step`);
  });
  const mfu = (await marksOf(page, '#compare')).filter(mark => /mfu\.causal/.test(mark.at));
  assert.equal(mfu.length, runs);
  const said = data.tables.find(table => table.id === 'mfu').rows.map(row => row.cells[1]);
  const drawn = await page.locator('#compare [data-of$="mfu-said"]').count();
  assert.equal(drawn, 2 * said.filter(cell => /–.*%/.test(cell.text)).length);
  await close();
});

test('a chart of a run is a number of its document, folded or not', async () => {
  for (const scenario of ['scenarios/packets/gradients.toml', 'scenarios/packets/incast.toml']) {
    const {page: file} = pageOf(scenario);
    const {page, close} = await open(file);
    await openAll(page);
    const marks = await marksAgree(page, documentOf(file), 'main');
    assert.ok(marks.length >= 6, `${scenario} has ${marks.length} marks`);
    barsAreToScale(marks);
    await close();
  }
});

test('the verdict’s parts are the picture where there is a verdict', async () => {
  const {page, close} = await open(fixturePage);
  const marks = await marksAgree(page, fixture, '#time');
  barsAreToScale(marks);
  fixture.runs.forEach((run, i) => {
    const own = marks.filter(mark => mark.at.startsWith(`runs[${i}].results.verdict.parts`));
    const parts = run.results.verdict.parts.filter(part => part.s > 0 || part.name === 'network');
    assert.deepEqual(
      own.map(mark => mark.value),
      parts.map(part => part.s),
    );
  });
  assert.match(
    await page.locator('.card[data-run=alpha] .drawn').textContent(),
    /▾ network 2\.0 %/,
  );
  await close();
});

test('links, switches and cells have the load of the document, in colours of the share alone', async () => {
  const {page, close} = await open(fixturePage);
  const map = fixture.runs[0].results.patterns.fabric_map;
  const classes = [0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75];
  const colour = share => `var(--use-${classes.filter(from => share >= from).length - 1})`;
  const check = async measure => {
    const lines = await page
      .locator('#alpha-fabric .link')
      .evaluateAll(all =>
        all.map(one => [one.dataset.name, Number(one.dataset.value), one.style.stroke]),
      );
    assert.equal(lines.length, map.links.length);
    for (const [name, value, stroke] of lines) {
      const link = map.links.find(one => one.name === name);
      assert.equal(value, measure(link), name);
      assert.equal(stroke, colour(value), name);
    }
  };
  await check(link => Math.max(link.mean, link.mean_back));
  await page.locator('#alpha-fabric').getByRole('radio', {name: 'Busiest link'}).first().check();
  await check(link => link.peak);
  const cells = () =>
    page
      .locator('#alpha-fabric .cells rect[data-i]')
      .evaluateAll(all => all.map(one => [Number(one.dataset.value), one.style.fill]));
  const figure = page.locator('#alpha-fabric .cells-figure');
  for (const [kind, label] of [
    [0, 'Leaf switches'],
    [1, 'Spine switches'],
  ]) {
    await figure.getByRole('radio', {name: new RegExp(label)}).check();
    for (const [member, what] of [
      ['down', 'Links down'],
      ['peak', 'Busiest link'],
    ]) {
      await figure.getByRole('radio', {name: what}).check();
      assert.deepEqual(
        await cells(),
        map.switches[kind][member].map(value => [value, colour(value)]),
      );
    }
  }
  await figure.locator('svg').focus();
  await page.keyboard.press('ArrowRight');
  assert.match(await figure.locator('.readout').textContent(), /^spine \d+: links down/);
  const width = await page.locator('#alpha-fabric .fabric').evaluate(one => one.clientWidth);
  await page.locator('#alpha-fabric').getByRole('button', {name: 'Zoom in'}).click();
  assert.equal(
    await page.locator('#alpha-fabric .fabric').evaluate(one => one.clientWidth),
    2 * width,
  );
  await close();
});

/** What a chart over time draws, bottom row first. */
const drawnIn = plot => plot.evaluate(one => one.plot.data.map(row => [...row]));

test('charts over time draw the series of the document', async () => {
  const {page, close} = await open(fixturePage);
  const {over_time} = fixture.runs[0].results.patterns;
  const plot = page.locator('#alpha-traffic .plot');
  await plot.locator('canvas').waitFor();
  const [times, ...rows] = await drawnIn(plot);
  const bins = over_time[0].rows[0].gbps.length;
  assert.equal(times.length, bins + 1);
  rows.reverse().forEach((row, i) => {
    const below = over_time[0].rows.slice(0, i + 1);
    for (let bin = 0; bin < bins; bin++) {
      const sum = below.reduce((all, one) => all + one.gbps[bin], 0);
      assert.ok(Math.abs(row[bin] - sum) < 1e-9, `row ${i}, bin ${bin}`);
    }
  });
  await close();
});

test('queues, marks and pauses over time are those of the document, and so is who paused whom', async () => {
  const {page: file, results} = pageOf('scenarios/packets/slow-receiver.toml');
  const {page, close} = await open(file);
  const packets = page.locator('section[id$="-packets"]');
  for (const member of ['backlog_bytes', 'marked', 'paused']) {
    const ports = results.over_time.ports.filter(port => port[member].some(value => value > 0));
    const plot = packets.locator(`.plot[data-member="${member}"]`);
    assert.equal(await plot.count(), ports.length > 0 ? 1 : 0, member);
    if (ports.length === 0) continue;
    await plot.locator('canvas').waitFor();
    const [, ...rows] = await drawnIn(plot);
    assert.deepEqual(
      rows,
      ports.map(port => port[member]),
    );
  }
  const boxes = await packets
    .locator('.pauses [data-port]')
    .evaluateAll(all => all.map(one => [one.dataset.port, Number(one.dataset.value)]));
  const nodes = results.pause_tree.nodes.map(node => [node.port, node.pauses]);
  assert.ok(boxes.length === Math.min(36, nodes.length) || boxes.length >= 20);
  for (const box of boxes) assert.ok(nodes.some(node => node[0] === box[0] && node[1] === box[1]));
  await packets.getByText('As a list').click();
  await packets.locator('.tree li').first().waitFor(); // it is made when it is asked for
  assert.equal(await packets.locator('.tree li').count(), nodes.length);
  await close();
});

test('timeline and matrix are those of the document', async () => {
  const {page: file, results} = pageOf('scenarios/packets/gradients.toml');
  const {page, close} = await open(file);
  await openAll(page);
  const {timeline, matrix} = results.patterns;
  const rows = await page.locator('.plot.spans').evaluate(one => one.rows);
  assert.deepEqual(
    rows.map(row => row.spans.map(span => span.slice(0, 2))),
    timeline.stages.map(stage => stage.spans.map(span => span.slice(0, 2))),
  );
  const cells = await page
    .locator('.heatmap rect[data-i]')
    .evaluateAll(all => all.map(one => Number(one.dataset.value)));
  assert.deepEqual(cells, matrix.bytes.flat());
  await close();
});

test('every chart has axes with units, or says what its colours are', async () => {
  const {page, close} = await open(fixturePage);
  await openAll(page, '#panel-alpha');
  const bare = await page.$$eval('.drawn', all =>
    all
      .filter(one => one.checkVisibility())
      .filter(
        one =>
          !one.querySelector('[aria-label^="x-axis"]') ||
          !/[%µ]|s|b\/s|B|of|share|packets/.test(one.textContent),
      )
      .map(one => one.getAttribute('aria-label')),
  );
  assert.deepEqual(bare, []);
  assert.ok((await visible(page, '.use-scale')) > 0);
  await close();
});

test('axes of bytes are in the units that sizes are told in', async () => {
  for (const scenario of ['scenarios/packets/incast.toml', 'scenarios/first.toml']) {
    const {page: file} = pageOf(scenario);
    const {page, close} = await open(file);
    await openAll(page);
    const ticks = await page
      .locator('main .drawn [aria-label$="tick label"] text')
      .evaluateAll(all => all.map(one => one.textContent));
    const sizes = ticks.filter(text => /^[\d.,]+ [kKMGT]i?B$/.test(text));
    assert.ok(sizes.length > 1, `${scenario} has axes of bytes`);
    assert.deepEqual(
      sizes.filter(text => !text.endsWith('iB')),
      [],
    );
    await close();
  }
});
