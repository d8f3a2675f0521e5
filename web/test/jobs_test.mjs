// node jobs_test.mjs RAILYARD FOLDER: the pages of several jobs on one fabric, and of serving, opened in Debian's chromium. What they say
// is what the JSON says.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import test from 'node:test';
import {LARGEST, axeFindings, clipped, documentOf, figuresAgree, open, pageOf} from './harness.mjs';

const tenants = pageOf('jobs/two-tenants');
const neighbour = pageOf('jobs/noisy-neighbour');
const collectives = pageOf('jobs/two-collectives');
const served = pageOf('serving/llama3-70b');
const all = [tenants, neighbour, collectives];

test('the page is made from the document that --json writes, and is small', () => {
  for (const {page, results} of all) {
    const data = documentOf(page);
    assert.equal(data.kind, 'jobs');
    assert.deepEqual(data.jobs, results);
    assert.ok(fs.statSync(page).size < LARGEST);
  }
});

test('every figure is that of the JSON, and the answer comes first', async () => {
  for (const {page: file, results} of all) {
    const {page, close} = await open(file);
    assert.ok((await figuresAgree(page.locator('main'), results)) > 40);
    const told = (await page.locator('#verdict').textContent()).replaceAll('\u00a0', ' ');
    assert.ok(told.includes(results.answer[0].text), results.answer[0].text);
    assert.equal(await page.locator('#jobs-cost tbody tr').count(), results.jobs.length);
    await close();
  }
});

test('the chart has a dot for every job, in phase and out of it', async () => {
  const {page, close} = await open(tenants.page);
  for (const member of ['slowdown', 'out_of_phase_slowdown'])
    for (let i = 0; i < tenants.results.jobs.length; i++)
      assert.equal(
        await page.locator(`[data-at="jobs.jobs[${i}].${member}"]`).count(),
        1,
        `${member} ${i}`,
      );
  await close();
});

test('bus bandwidths of collectives stand in a table', async () => {
  const {page, close} = await open(collectives.page);
  assert.equal(await figuresAgree(page.locator('#jobs-buses'), collectives.results), 6);
  await close();
});

test('a page of serving says what its JSON says', async () => {
  const data = documentOf(served.page);
  assert.deepEqual(data.serving, served.results);
  const {page, close} = await open(served.page);
  assert.ok((await figuresAgree(page.locator('#serving'), served.results)) > 20);
  const told = (await page.locator('#verdict').textContent()).replaceAll('\u00a0', ' ');
  assert.ok(told.includes(served.results.answer[0].text), served.results.answer[0].text);
  await close();
});

test('nothing is cut off on a phone or a wide screen, and axe finds nothing serious', async () => {
  for (const {page: file} of [...all, served])
    for (const width of [380, 1400]) {
      const {page, close} = await open(file, {viewport: {width, height: 900}});
      assert.deepEqual(await clipped(page), []);
      assert.deepEqual(await axeFindings(page), []);
      await close();
    }
});
