// The front page of a server in a browser: a scenario is edited, checked, run, watched, shown and compared.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {after, before, test} from 'node:test';
import {OUT, PATIENCE, RAILYARD, axeFindings, browser} from './harness.mjs';

let server;
let address;
const data = fs.mkdtempSync(path.join(os.tmpdir(), 'railyard-serve-'));

function start(...options) {
  const process = spawn(RAILYARD, ['serve', '--listen', '127.0.0.1:0', '--data', data, ...options]);
  return new Promise((done, fail) => {
    let said = '';
    process.stdout.on('data', chunk => {
      said += chunk;
      const found = /http:\/\/\S+\//.exec(said);
      if (found && said.includes('Ctrl-C')) done({process, address: found[0]});
    });
    process.on('exit', code => fail(new Error(`the server ended with ${code}: ${said}`)));
  });
}

async function stop(process) {
  process.removeAllListeners('exit');
  const ended = new Promise(done => process.on('exit', done));
  process.kill('SIGTERM');
  assert.equal(await ended, 0);
}

before(async () => {
  ({process: server, address} = await start());
});
after(async () => {
  if (server) await stop(server);
  fs.rmSync(data, {recursive: true, force: true});
});

/** Opens the front page; whatever goes wrong in it, or leaves the server, fails the test when it is closed. */
async function open(options = {}, at = address) {
  const context = await browser.newContext({
    viewport: {width: 1400, height: 900},
    colorScheme: 'light',
    ...options,
  });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const wrong = [];
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) wrong.push(message.text());
  });
  page.on('pageerror', error => wrong.push(error.message));
  page.on('request', request => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(address))
      wrong.push(`request: ${request.url()}`);
  });
  await page.goto(at);
  return {
    page,
    async close(expected = []) {
      assert.deepEqual(
        wrong.filter(one => !expected.some(text => one.includes(text))),
        [],
      );
      await context.close();
    },
  };
}

const write = async (page, text) => {
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
};

const first = fs.readFileSync(
  path.join(path.dirname(new URL(import.meta.url).pathname), '../../scenarios/first.toml'),
  'utf8',
);

test('a scenario is run, watched, shown, and compared with another', async () => {
  const {page, close} = await open();
  await page.locator('.findings[data-state=fine]').waitFor();
  await page.getByRole('button', {name: 'Run', exact: true}).click();
  await page.locator('.run.finished.shown').waitFor();
  const frame = page.frameLocator('iframe');
  await frame.locator('h1').waitFor();
  assert.match(await frame.locator('h1').textContent(), /First look/);
  assert.deepEqual(await axeFindings(page), []);
  await page.screenshot({path: path.join(OUT, 'serve-light.png'), fullPage: true});

  await write(
    page,
    first
      .replace('name = "', 'name = "Second, ')
      .replace('hosts_per_leaf = 16', 'hosts_per_leaf = 32'),
  );
  await page.locator('.findings[data-state=fine]').waitFor();
  await page.keyboard.press('Control+Enter');
  await page.locator('.run.shown .name', {hasText: 'Second, '}).waitFor();
  await page.getByRole('button', {name: /^Compare First look/}).click();
  await page.locator('.comparison h3', {hasText: 'Against First look'}).waitFor();
  await page.getByRole('button', {name: /^Remove Second/}).click();
  await page.locator('.run', {hasText: 'Second, '}).waitFor({state: 'detached'});
  assert.equal(await page.locator('iframe').count(), 0);
  await close();
});

test('time is scrubbed over the fabric map of a run', async () => {
  const {page, close} = await open();
  await page.locator('.findings[data-state=fine]').waitFor();
  await write(
    page,
    first
      .replace('name = "', 'name = "Flows, ')
      .replace('fidelity = "analytic"', 'fidelity = "flow"'),
  );
  await page.locator('.findings[data-state=fine]').waitFor();
  await page.getByRole('button', {name: 'Run', exact: true}).click();
  await page.locator('.run.finished.shown', {hasText: 'Flows, '}).waitFor();
  const frame = page.frameLocator('iframe');
  const slider = frame.getByRole('slider', {name: 'Time in the run'});
  await slider.waitFor();
  const colours = () =>
    frame.locator('.fabric .link').evaluateAll(all => all.map(one => one.style.stroke));
  const whole = await colours();
  assert.match(await slider.getAttribute('aria-valuetext'), /^Whole run: /);
  await slider.focus();
  await page.keyboard.press('ArrowRight');
  assert.match(await slider.getAttribute('aria-valuetext'), /^0 .s to [\d.]+ .s: busiest is .+ %$/);
  assert.notDeepEqual(await colours(), whole);
  await page.keyboard.press('Home');
  assert.deepEqual(await colours(), whole);
  await close();
});

test('mistakes are shown as they are made, and keys are offered', async () => {
  const {page, close} = await open();
  await page.locator('.findings[data-state=fine]').waitFor();
  await write(page, 'name = "x"\n[transport]\nmtx = 3\n');
  const finding = page.locator('.findings li', {hasText: 'RY-SCN-010'});
  await finding.waitFor();
  assert.match(await finding.textContent(), /line 3/);
  await finding.getByRole('button').click();
  assert.ok(await page.locator('.cm-lintRange-error').count());

  await write(page, '[routing]\npol');
  await page.locator('.cm-tooltip-autocomplete li', {hasText: 'policy'}).first().click();
  await page.locator('.cm-tooltip-autocomplete li', {hasText: 'adaptive'}).first().click();
  assert.match(await page.locator('.cm-content').innerText(), /policy = "\w*adaptive/);
  await close();
});

test('presets are started from, and what was written is there again', async () => {
  const {page, close} = await open();
  await page.locator('#preset').selectOption('llama3');
  await page.locator('.cm-content', {hasText: 'llama3-job'}).waitFor();
  await page.locator('.findings[data-state=fine]').waitFor();
  await page.reload();
  await page.locator('.cm-content', {hasText: 'llama3-job'}).waitFor();
  await close();
});

test('a long run is cancelled', async () => {
  const {page, close} = await open();
  await page.locator('.findings[data-state=fine]').waitFor();
  await write(page, 'name = "long"\nextends = "first"\n[engine]\nfidelity = "packet"\n');
  await page.getByRole('button', {name: 'Run', exact: true}).click();
  await page.locator('.run.running progress').waitFor();
  await page.getByRole('button', {name: 'Cancel long'}).click();
  await page.locator('.run.cancelled', {hasText: 'long'}).waitFor();
  await close();
});

test('it fits narrow screens, and dark rooms', async () => {
  for (const [name, options] of [
    ['dark', {colorScheme: 'dark'}],
    ['narrow', {viewport: {width: 380, height: 800}}],
  ]) {
    const {page, close} = await open(options);
    await page.locator('.findings[data-state=fine]').waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `nothing is wider than the screen: ${wide} px`);
    assert.deepEqual(await axeFindings(page), []);
    await page.screenshot({path: path.join(OUT, `serve-${name}.png`), fullPage: true});
    await close();
  }
});

test('a token is asked for, and taken once', async () => {
  await stop(server);
  fs.writeFileSync(path.join(data, 'secret'), '0123456789abcdefXYZ\n', {mode: 0o600});
  ({process: server, address} = await start('--token-file', path.join(data, 'secret')));
  const {page, close} = await open();
  await page.locator('#token').fill('wrong-wrong-wrong-wrong');
  await page.keyboard.press('Enter');
  await page.getByText('This is not the token.').waitFor();
  await page.locator('#token').fill('0123456789abcdefXYZ');
  await page.keyboard.press('Enter');
  await page.locator('.findings[data-state=fine]').waitFor();
  await page.reload();
  await page.locator('.findings[data-state=fine]').waitFor();
  await close(['401']);
});
