// What the tests of the page share: the program, the browser, and how figures of a page are read.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {after, before} from 'node:test';
import {fileURLToPath} from 'node:url';
import {comparison, withData} from './fixture.mjs';
import {lookUp, readFigure} from './figures.mjs';
import {mainJobOf} from './main_job.mjs';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
export const RAILYARD = path.resolve(process.argv[2] ?? path.join(ROOT, 'build/release/railyard'));
export const OUT = path.resolve(process.argv[3] ?? path.join(ROOT, 'build/web/test'));
const CHROMIUM = '/usr/bin/chromium';
export const LARGEST = 3e6; // bytes
export const PATIENCE = 180_000; // ms: a machine may be busy with other things

fs.mkdirSync(OUT, {recursive: true});
assert.ok(fs.existsSync(CHROMIUM), `${CHROMIUM} is missing; ./test installs it`);
const {chromium} = await import('playwright-core').catch(() =>
  assert.fail('web/node_modules is missing; scripts/build_web.sh installs it'),
);
const axeSource = createRequire(import.meta.url)('axe-core').source;

export let browser;
before(async () => {
  browser = await chromium.launch({executablePath: CHROMIUM, args: ['--no-sandbox']});
});
after(() => browser?.close());

/** The document that is in a page. */
export function documentOf(file) {
  const text = fs.readFileSync(file, 'utf8');
  return JSON.parse(text.match(/<script type="application\/json" id="data">(.*?)<\/script>/s)[1]);
}

const made = new Map();
/** A page and the JSON of the same run. */
export function pageOf(scenario, ...options) {
  if (made.has(scenario)) return made.get(scenario);
  const name = path.basename(scenario, '.toml');
  const page = path.join(OUT, `${name}.html`),
    json = path.join(OUT, `${name}.json`);
  const printed = execFileSync(
    RAILYARD,
    ['run', scenario, '-o', page, '--json', json, ...options],
    {cwd: ROOT, encoding: 'utf8'},
  );
  assert.ok(
    printed.trimEnd().endsWith(`page: ${page}`),
    'the path of the page is the last thing printed',
  );
  const both = {page, results: JSON.parse(fs.readFileSync(json, 'utf8'))};
  made.set(scenario, both);
  return both;
}

/** The comparison of the documents' models. */
export const mainJob = () => mainJobOf(RAILYARD, OUT);

export const first = pageOf('scenarios/first.toml');
export const fixture = comparison();
export const fixturePage = path.join(OUT, 'comparison.html');
fs.writeFileSync(fixturePage, withData(fs.readFileSync(first.page, 'utf8'), fixture));

/** Charts are drawn with the frame after the one that gave them a width: two frames, and they stand. */
export const settled = page =>
  page.evaluate(
    () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );

/** Opens a page; whatever goes wrong in it, or leaves it, fails the test when it is closed. */
export async function open(file, options = {}) {
  const context = await browser.newContext({
    viewport: {width: 1400, height: 900},
    colorScheme: 'light',
    ...options,
  });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const wrong = [];
  page.on(
    'console',
    message =>
      ['error', 'warning'].includes(message.type()) && wrong.push(`console: ${message.text()}`),
  );
  page.on('pageerror', error => wrong.push(`error: ${error.message}`));
  page.on(
    'request',
    request =>
      request.url() !== `file://${file}` &&
      !request.url().startsWith('data:') &&
      wrong.push(`request: ${request.url()}`),
  );
  await page.goto(`file://${file}`);
  await settled(page);
  return {
    page,
    async close() {
      await page.waitForTimeout(50);
      assert.deepEqual(wrong, []);
      await context.close();
    },
  };
}

/** Every figure in `scope` says what the JSON says. Returns how many there are. */
export async function figuresAgree(scope, results) {
  const figures = await scope
    .locator('data[data-path]')
    .evaluateAll(all => all.map(one => ({path: one.dataset.path, text: one.textContent})));
  for (const {path: at, text} of figures) {
    const value = lookUp(results, at);
    assert.equal(typeof value, 'number', `${at} is in the JSON`);
    const {shown, tolerance} = readFigure(at, text, value);
    assert.ok(Math.abs(shown - value) <= tolerance, `${at} is ${value}, the page says ${text}`);
  }
  return figures.length;
}

/** Opens everything that is folded, until nothing is. */
export async function openAll(page, scope = 'main') {
  for (let round = 0; round < 6; round++) {
    const opened = await page.evaluate(within => {
      const all = [...document.querySelectorAll(`${within} details:not([open])`)].filter(one =>
        one.checkVisibility(),
      );
      for (const one of all) one.open = true;
      return all.length;
    }, scope);
    await page.evaluate(() => new Promise(done => setTimeout(done, 60))); // toggle comes later
    await settled(page);
    if (opened === 0) return;
  }
}

/** Opens the part with this id, whether it is folded or holds what is. */
export async function unfold(page, id) {
  await page.evaluate(name => {
    const part = document.getElementById(name);
    const details = part.tagName === 'DETAILS' ? part : part.querySelector('details');
    if (details) details.open = true;
  }, id);
  await page.waitForTimeout(60);
}

export const visible = (page, selector) =>
  page.locator(selector).evaluateAll(all => all.filter(one => one.checkVisibility()).length);
export const scaleOf = plot =>
  plot.evaluate(one => [Number(one.dataset.from), Number(one.dataset.to)]);

/** What is wider than its place, or is drawn beyond it. */
export const clipped = async page => {
  await settled(page);
  return page.evaluate(() => {
    const out = [];
    const name = one =>
      `${one.tagName.toLowerCase()}.${one.getAttribute('class') ?? ''} in #${one.closest('[id]')?.id}`;
    if (document.documentElement.scrollWidth > innerWidth)
      out.push(`the page is ${document.documentElement.scrollWidth} wide`);
    for (const one of document.querySelectorAll('body *')) {
      if (one.closest('svg') || !one.checkVisibility() || one.closest('.unseen')) continue;
      const style = getComputedStyle(one);
      if (style.overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1)
        out.push(`${name(one)} has ${one.scrollWidth} in ${one.clientWidth}`);
      const box = one.getBoundingClientRect();
      if (box.right > innerWidth + 1 && box.width > 0 && style.position !== 'absolute')
        out.push(`${name(one)} ends at ${box.right}`);
    }
    for (const text of document.querySelectorAll('svg text')) {
      if (!text.checkVisibility() || text.textContent === '') continue;
      const card = text.closest('.card, .run-part, .table-block, .fold, .more');
      if (!card) continue;
      const [inner, outer] = [text.getBoundingClientRect(), card.getBoundingClientRect()];
      if (inner.left < outer.left - 1 || inner.right > outer.right + 1)
        out.push(`"${text.textContent}" leaves ${name(card)}`);
    }
    return [...new Set(out)];
  });
};

/** Serious or critical findings of axe, each with where it is. */
export async function axeFindings(page) {
  await page.evaluate(axeSource);
  const {violations} = await page.evaluate(() =>
    window.axe.run(document, {resultTypes: ['violations']}),
  );
  return violations
    .filter(({impact}) => impact === 'serious' || impact === 'critical')
    .map(({id, nodes}) => `${id}: ${nodes.map(node => node.target.join(' ')).slice(0, 4)}`);
}
