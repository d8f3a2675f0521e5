// Time over the fabric map: what links carry in a part of a run, by pointer, by keys, and as it plays.
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import {OUT, axeFindings, first, fixture, fixturePage, open, pageOf} from './harness.mjs';

const CLASSES = [0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75];
const colour = share => `var(--use-${CLASSES.filter(from => share >= from).length - 1})`;

/** Name, value and colour of every line. */
const linesOf = fabric =>
  fabric
    .locator('.link')
    .evaluateAll(all =>
      all.map(one => [one.dataset.name, Number(one.dataset.value), one.style.stroke]),
    );

/** Lines are as the document says of a part, or of the whole run. */
async function agrees(fabric, map, part, measure = 'mean') {
  const lines = await linesOf(fabric);
  assert.equal(lines.length, map.links.length);
  const at = (loads, whole) => (part === undefined ? whole : (loads?.[part] ?? 0) / 1000);
  for (const [name, value, stroke] of lines) {
    const i = map.links.findIndex(one => one.name === name);
    const link = map.links[i],
      loads = map.over_time.links[i];
    const mean = Math.max(at(loads.mean, link.mean), at(loads.mean_back, link.mean_back));
    const peak = loads.peak || part === undefined ? at(loads.peak, link.peak) : mean;
    assert.equal(value, measure === 'peak' ? peak : mean, `${name}, part ${part}`);
    assert.equal(stroke, colour(value), name);
  }
  return Math.max(...lines.map(([, value]) => value));
}

const slide = (slider, to) =>
  slider.evaluate((one, value) => {
    one.value = value;
    one.dispatchEvent(new Event('input', {bubbles: true}));
  }, String(to));

test('the slider shows parts of the run, and first the whole of it', async () => {
  const {page, close} = await open(fixturePage);
  const map = fixture.runs[0].results.patterns.fabric_map;
  const fabric = page.locator('#alpha-fabric');
  const slider = fabric.getByRole('slider', {name: 'Time in the run'});
  assert.equal(await slider.inputValue(), '0');
  assert.match(await slider.getAttribute('aria-valuetext'), /^Whole run: busiest is /);
  await agrees(fabric, map, undefined);

  const first = await fabric.locator('.link').first().elementHandle();
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  await agrees(fabric, map, 0);
  await page.keyboard.press('ArrowRight');
  await agrees(fabric, map, 1);
  assert.match(await slider.getAttribute('aria-valuetext'), /^4 ms to 8 ms: busiest is .+ %$/);
  assert.equal(
    await fabric.locator('.scrub .readout').textContent(),
    await slider.getAttribute('aria-valuetext'),
  );
  await page.keyboard.press('End');
  const busiest = await agrees(fabric, map, map.over_time.bins - 1);
  assert.ok(
    (await slider.getAttribute('aria-valuetext')).endsWith(`${(busiest * 100).toFixed(1)} %`),
  );
  assert.ok(await first.evaluate(one => one.isConnected), 'lines are painted, not drawn anew');

  await fabric.getByRole('radio', {name: 'Busiest link'}).first().check();
  await agrees(fabric, map, map.over_time.bins - 1, 'peak');
  await fabric.getByRole('button', {name: 'Zoom in'}).click();
  await agrees(fabric, map, map.over_time.bins - 1, 'peak');
  await fabric.locator('.link').first().focus();
  const name = await fabric.locator('.link').first().getAttribute('aria-label');
  assert.equal(await page.locator('.tip').textContent(), name, 'the tip is of the same time');
  await fabric.getByRole('button', {name: 'Whole run'}).click();
  await agrees(fabric, map, undefined, 'peak');
  await close();
});

test('it plays, pauses, and stops at the end', async () => {
  const {page, close} = await open(fixturePage);
  const fabric = page.locator('#alpha-fabric');
  const slider = fabric.getByRole('slider');
  await fabric.getByRole('button', {name: 'Play'}).click();
  await page.waitForFunction(one => Number(one.value) > 2, await slider.elementHandle());
  await fabric.getByRole('button', {name: 'Pause'}).click();
  const here = await slider.inputValue();
  await page.waitForTimeout(500);
  assert.equal(await slider.inputValue(), here);
  await slide(slider, 19);
  await fabric.getByRole('button', {name: 'Play'}).click();
  await page.waitForFunction(
    () => document.querySelector('#alpha-fabric .play').textContent === 'Play',
  );
  assert.equal(await slider.inputValue(), '20');
  await close();
});

test('paper shows the whole run', async () => {
  const {page, close} = await open(fixturePage);
  const map = fixture.runs[0].results.patterns.fabric_map;
  const fabric = page.locator('#alpha-fabric');
  await slide(fabric.getByRole('slider'), 5);
  await agrees(fabric, map, 4);
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await agrees(fabric, map, undefined);
  assert.equal(await fabric.locator('.scrub').isVisible(), false);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await agrees(fabric, map, 4);
  await close();
});

test('runs of packets and of flows have it, closed forms say why they do not', async () => {
  for (const [scenario, options] of [
    ['scenarios/packets/incast.toml', {}],
    ['scenarios/llama3.toml', {colorScheme: 'dark'}],
    ['scenarios/packets/gradients.toml', {viewport: {width: 380, height: 800}}],
  ]) {
    const {page: file, results} = pageOf(scenario, '--no-advice');
    const name = path.basename(scenario, '.toml');
    const map = results.patterns.fabric_map;
    const {page, close} = await open(file, options);
    const fabric = page.locator(`#${name}-fabric`);
    await agrees(fabric, map, undefined);
    const whole = await linesOf(fabric);
    const fullest = map.over_time.links
      .map(one => one.mean ?? [])
      .reduce((a, b) => (Math.max(...b, 0) > Math.max(...a, 0) ? b : a));
    const part = fullest.indexOf(Math.max(...fullest));
    await slide(fabric.getByRole('slider'), part + 1);
    await agrees(fabric, map, part);
    assert.notDeepEqual(await linesOf(fabric), whole, `${name}: colours change`);
    for (const [i, link] of map.links.entries())
      for (const member of ['mean', 'mean_back']) {
        const loads = map.over_time.links[i][member] ?? [0];
        const mean = loads.reduce((a, b) => a + b, 0) / loads.length / 1000;
        assert.ok(Math.abs(mean - link[member]) < 6e-4, `${link.name}: ${mean}, ${link[member]}`);
      }
    assert.deepEqual(await axeFindings(page), []);
    await fabric.locator('.map').scrollIntoViewIfNeeded();
    await fabric.screenshot({path: path.join(OUT, `scrub-${name}.png`)});
    await close();
  }
  const {page, close} = await open(first.page);
  assert.equal(await page.getByRole('slider').count(), 0);
  await page.getByText('Closed forms do not say when links are busy.').waitFor();
  await close();
});
