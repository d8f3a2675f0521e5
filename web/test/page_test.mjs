// node page_test.mjs RAILYARD FOLDER: makes pages with the program, opens them in Debian's chromium and uses them as a reader would.
// Screenshots of what it saw are left in FOLDER.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test, {after, before} from 'node:test';
import {fileURLToPath} from 'node:url';
import {comparison, withData} from './fixture.mjs';
import {lookUp, readFigure} from './figures.mjs';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const RAILYARD = path.resolve(process.argv[2] ?? path.join(ROOT, 'build/release/railyard'));
const OUT = path.resolve(process.argv[3] ?? path.join(ROOT, 'build/web/test'));
const CHROMIUM = '/usr/bin/chromium';
const LARGEST = 3e6; // bytes
const PATIENCE = 180_000; // ms: a machine may be busy with other things

fs.mkdirSync(OUT, {recursive: true});
assert.ok(fs.existsSync(CHROMIUM), `${CHROMIUM} is missing; ./test installs it`);
const {chromium} = await import('playwright-core').catch(() =>
  assert.fail('web/node_modules is missing; scripts/build_web.sh installs it'),
);

let browser;
before(async () => {
  browser = await chromium.launch({executablePath: CHROMIUM, args: ['--no-sandbox']});
});
after(() => browser?.close());

/** A page and the JSON of the same run. */
function pageOf(scenario, ...options) {
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
  return {page, results: JSON.parse(fs.readFileSync(json, 'utf8'))};
}

const first = pageOf('scenarios/first.toml');
const fixture = comparison();
const fixturePage = path.join(OUT, 'comparison.html');
fs.writeFileSync(fixturePage, withData(fs.readFileSync(first.page, 'utf8'), fixture));

/** Opens a page; whatever goes wrong in it, or leaves it, fails the test when it is closed. */
async function open(file, options = {}) {
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
async function figuresAgree(scope, results) {
  const figures = await scope
    .locator('[data-path]')
    .evaluateAll(all => all.map(one => ({path: one.dataset.path, text: one.textContent})));
  for (const {path: at, text} of figures) {
    const value = lookUp(results, at);
    assert.equal(typeof value, 'number', `${at} is in the JSON`);
    const {shown, tolerance} = readFigure(at, text, value);
    assert.ok(Math.abs(shown - value) <= tolerance, `${at} is ${value}, the page says ${text}`);
  }
  return figures.length;
}

const visible = (page, selector) =>
  page.locator(selector).evaluateAll(all => all.filter(one => one.checkVisibility()).length);
const scaleOf = plot => plot.evaluate(one => [Number(one.dataset.from), Number(one.dataset.to)]);

test('a page is made from the document that --json writes, and is small', () => {
  const text = fs.readFileSync(first.page, 'utf8');
  const data = JSON.parse(
    text.match(/<script type="application\/json" id="data">(.*?)<\/script>/s)[1],
  );
  assert.deepEqual(data.runs[0].results, first.results);
  assert.equal(data.kind, 'run');
  assert.match(data.runs[0].scenario, /name = /);
  assert.equal(data.runs[0].command, 'railyard run scenarios/first.toml');
  assert.ok(fs.statSync(fixturePage).size < LARGEST);
});

test('no script runs but that of the page', async () => {
  const text = fs.readFileSync(first.page, 'utf8');
  assert.match(
    text,
    /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-[\w+/=]+';/,
  );
  const file = path.join(OUT, 'smuggled.html');
  const smuggled =
    '<script>window.smuggled = 1</script><img src="data:," onerror="window.smuggled = 2"><iframe src="data:text/html,x"></iframe>';
  fs.writeFileSync(file, text.replace('<div id="app"></div>', `<div id="app"></div>${smuggled}`));
  const page = await browser.newPage(); // what is refused is told on its console
  await page.goto(`file://${file}`);
  await page.locator('main').waitFor({timeout: PATIENCE});
  assert.equal(await page.evaluate(() => window.smuggled), undefined);
  await page.close();
});

test('a collective, a packet run and a training step show their figures', async () => {
  const cases = [
    [first, '-points', 20],
    [pageOf('scenarios/packets/slow-receiver.toml'), '-packets', 8],
    [pageOf('scenarios/packets/gradients.toml'), '-time', 12],
  ];
  for (const [{page: file, results}, part, least] of cases) {
    const {page, close} = await open(file);
    assert.ok(
      (await figuresAgree(page.locator('main'), results)) >= least,
      `${file} shows figures`,
    );
    assert.equal(await page.locator(`section[id$="${part}"]`).count(), 1);
    assert.equal(
      await page.locator('section[id$="-inputs"] tbody tr').count(),
      results.inputs.length,
    );
    await page.screenshot({
      path: path.join(OUT, `${path.basename(file, '.html')}.png`),
      fullPage: true,
    });
    await close();
  }
});

test('queues over time follow the port, and the pause tree has every node', async () => {
  const {page: file, results} = pageOf('scenarios/packets/slow-receiver.toml');
  const {page, close} = await open(file);
  const packets = page.locator('section[id$="-packets"]');
  assert.equal(await packets.locator('.tree li').count(), results.pause_tree.nodes.length);
  assert.equal(await packets.locator('select option').count(), results.over_time.ports.length);
  await packets.locator('select').selectOption('1');
  const values = packets.locator('.stack details').first();
  await values.locator('summary').click();
  const deepest = Math.max(...results.over_time.ports[1].backlog_bytes);
  const cells = await values.locator('td').allTextContents();
  const shown = Math.max(...cells.map(text => readFigure('x_bytes', text, deepest).shown));
  assert.ok(
    Math.abs(shown - deepest) <= deepest * 0.02,
    `the deepest queue of that port is ${deepest}, the table has ${shown}`,
  );
  await close();
});

test('the patterns of a real step are all drawn', async () => {
  const {page: file, results} = pageOf('scenarios/packets/gradients.toml');
  const {patterns} = results;
  const {page, close} = await open(file);
  for (const [part, member] of [
    ['timeline', 'timeline'],
    ['traffic', 'over_time'],
    ['volumes', 'volumes'],
    ['sizes', 'flow_sizes'],
    ['bursts', 'bursts'],
    ['matrix', 'matrix'],
    ['fabric', 'fabric_map'],
    ['paths', 'paths'],
  ]) {
    assert.ok(patterns[member], `the run has ${member}`);
    assert.equal(await page.locator(`#gradients-${part}`).count(), 1, `${member} is shown`);
  }
  assert.equal(
    await page.locator('#gradients-fabric .link').count(),
    patterns.fabric_map.links.length,
  );
  assert.equal(
    await page.locator('#gradients-matrix .heatmap rect[data-i]').count(),
    patterns.matrix.size ** 2,
  );
  assert.equal(
    await page.locator('#gradients-traffic .legend li').count(),
    patterns.over_time[0].rows.length + 1,
  );
  assert.equal(await page.locator('#gradients-sizes tbody tr').count(), patterns.flow_sizes.length);
  const loads = page.locator('#gradients-tiers table', {hasText: 'How evenly what is alike sent'});
  assert.equal(await loads.locator('tbody tr').count(), patterns.loads.length);
  assert.equal(
    await page.locator('#gradients-bursts tbody tr').count(),
    patterns.bursts.reduce((all, place) => all + place.resolutions.length, 0),
  );
  const level = patterns.flow_sizes[1];
  const shown = await page
    .locator('#gradients-sizes tbody tr')
    .nth(1)
    .locator('td')
    .allTextContents();
  assert.equal(shown[3], `${(level.elephants.bytes_share * 100).toFixed(1)} %`);
  await close();
});

test('models are switched by click, by keyboard and by address, and each shows its own figures', async () => {
  const {page, close} = await open(fixturePage);
  assert.equal(await page.locator('h1').textContent(), fixture.title);
  for (const run of fixture.runs) {
    await page.getByRole('tab', {name: run.label}).click();
    assert.equal(await visible(page, '.panel'), 1);
    assert.ok((await figuresAgree(page.locator(`#panel-${run.id}`), {...run.results, run})) > 15);
    assert.equal(await page.locator(`#${run.id}-packets .tree li`).count(), 2);
    assert.match(
      await page.locator(`#${run.id}-tried`).textContent(),
      /a rank is cut off.*110 Gb\/s/s,
    );
    assert.ok(
      (await figuresAgree(page.locator(`.card[aria-label="${run.label}"]`), run.results)) > 4,
    );
  }
  await page.getByRole('tab', {name: 'Gamma 1.8T'}).press('ArrowRight');
  assert.equal(await page.locator('[role=tab][aria-selected=true]').textContent(), 'Alpha 405B');
  await page.goto(`file://${fixturePage}#beta-fabric`);
  assert.equal(await page.locator('#panel-beta').isVisible(), true);
  await page.screenshot({path: path.join(OUT, 'comparison-light.png'), fullPage: true});
  await close();
});

test('a link tells its name and load, to the pointer and to the keyboard', async () => {
  const {page, close} = await open(fixturePage);
  const fabric = page.locator('#alpha-fabric');
  const worst = fixture.runs[0].results.patterns.fabric_map.links.filter(link => link.worst);
  assert.equal(await fabric.locator('.link.worst').count(), worst.length);
  const link = fabric.locator(`.link[data-name="${worst[0].name}"]`);
  await link.scrollIntoViewIfNeeded();
  const box = await link.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  assert.match(await page.locator('.tip').textContent(), new RegExp(worst[0].name));
  assert.match(
    await fabric.locator('.readout').textContent(),
    new RegExp(`mean ${(worst[0].mean * 100).toFixed(1)} %`),
  );
  await fabric.screenshot({path: path.join(OUT, 'fabric.png')});
  await fabric.locator('.link[tabindex="0"]').focus();
  const before = await fabric.locator('.readout').textContent();
  await page.keyboard.press('ArrowRight');
  assert.notEqual(await fabric.locator('.readout').textContent(), before);
  await close();
});

test('traffic is zoomed by drag, by keys and back, in every place', async () => {
  const {page, close} = await open(fixturePage);
  const traffic = page.locator('#alpha-traffic');
  const plot = traffic.locator('.plot');
  await plot.scrollIntoViewIfNeeded();
  await plot.locator('canvas').waitFor();
  const whole = await scaleOf(plot);
  const rows = fixture.runs[0].results.patterns.over_time[0];
  assert.deepEqual(
    whole.map(t => t.toFixed(6)),
    [0, rows.rows[0].gbps.length * rows.bin_s].map(t => t.toFixed(6)),
  );
  const over = await plot.locator('.u-over').boundingBox();
  await page.mouse.move(over.x + over.width * 0.25, over.y + 40);
  await page.mouse.down();
  await page.mouse.move(over.x + over.width * 0.5, over.y + 60, {steps: 4});
  assert.match(await page.locator('.tip').textContent(), /^at /);
  await page.mouse.up();
  const dragged = await scaleOf(plot);
  assert.ok(
    Math.abs(dragged[0] - whole[1] * 0.25) < whole[1] * 0.02 &&
      Math.abs(dragged[1] - whole[1] * 0.5) < whole[1] * 0.02,
    `dragged to ${dragged}`,
  );
  await traffic.screenshot({path: path.join(OUT, 'traffic-zoomed.png')});
  await traffic.getByRole('button', {name: 'Whole'}).click();
  assert.deepEqual(await scaleOf(plot), whole);
  await plot.focus();
  await page.keyboard.press('+');
  const [from, to] = await scaleOf(plot);
  assert.ok(Math.abs(to - from - (whole[1] - whole[0]) / 2) < 1e-6);
  await page.keyboard.press('Home');
  assert.deepEqual(await scaleOf(plot), whole);
  await traffic.getByRole('radio', {name: 'Leaf uplink'}).check();
  assert.match(await traffic.locator('.note').first().textContent(), /leaf 1 to spine 3/);
  await traffic.getByRole('radio', {name: 'Fullest moment'}).check();
  assert.ok((await scaleOf(traffic.locator('.plot')))[0] >= 3.2);
  await close();
});

test('claims are filtered, and one that is contradicted says so', async () => {
  const {page, close} = await open(fixturePage);
  const claims = page.locator('#claims');
  const shown = () => visible(page, '#claims .claim');
  const counted = keep => fixture.claims.filter(keep).length;
  assert.equal(await shown(), fixture.claims.length);
  await claims.getByLabel('Verdict').selectOption('contradicted');
  assert.equal(
    await shown(),
    counted(claim => claim.verdict === 'contradicted'),
  );
  await claims.getByLabel('Document').selectOption('003');
  assert.equal(
    await shown(),
    counted(claim => claim.verdict === 'contradicted' && claim.document === '003'),
  );
  assert.match(
    await claims.locator('.claim:visible .plainly').first().textContent(),
    /The document says 42 %; the simulation finds 10.7 %/,
  );
  await claims.getByLabel('Verdict').selectOption('');
  await claims.getByLabel('Document').selectOption('');
  await claims.getByLabel('Topic').selectOption('mfu');
  assert.equal(
    await shown(),
    counted(claim => claim.topic === 'mfu'),
  );
  await claims.getByLabel('Topic').selectOption('');
  await claims.getByLabel('Search').fill('model 7 keeps');
  assert.equal(await shown(), 1);
  await claims.getByLabel('Search').fill('nobody claims this');
  assert.equal(await shown(), 0);
  assert.match(await claims.locator('#claims-told').textContent(), /^0 of 12/);
  await close();
});

test('a number of a table says where it comes from', async () => {
  const {page, close} = await open(fixturePage);
  const cell = page.locator('#table-mfu [data-key="mfu.beta"]');
  assert.equal(await cell.textContent(), '28.7 %');
  await cell.focus();
  await page.keyboard.press('Enter');
  const dialog = page.locator('dialog[open]');
  const text = await dialog.textContent();
  for (const part of [
    'Beta MoE 236B',
    'mfu.causal',
    'flow engine',
    'simulated',
    '--explain mfu.beta',
  ])
    assert.ok(text.includes(part), `the explanation has ${part}`);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('dialog[open]').count(), 0);
  assert.deepEqual(
    await page.locator('.advice').evaluateAll(all => all.map(one => one.dataset.rank)),
    ['1', '2', '3'],
  );
  assert.match(
    await page.locator('.advice').first().textContent(),
    /\+11\.4 %.*2\.904 s → 2\.607 s/s,
  );
  assert.match(
    await page.locator('#differences').textContent(),
    /Step time6\.318 s2\.904 s0\.46 ×Exposed data-parallel63\.2 ms29 ms0\.46 ×Leaf uplinks, mean use7\.3 %1\.2 %/,
  );
  await close();
});

test('assumptions are filtered by status', async () => {
  const {page, close} = await open(fixturePage);
  const inputs = page.locator('#alpha-inputs');
  await inputs.getByLabel('Status').selectOption('assumed');
  assert.deepEqual(await inputs.locator('tbody th').allTextContents(), ['compute.efficiency']);
  await close();
});

test('a matrix is read cell by cell with arrow keys', async () => {
  const {page, close} = await open(fixturePage);
  const map = page.locator('#alpha-matrix .heatmap');
  await map.focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(
    await page.locator('#alpha-matrix .readout').textContent(),
    'leaf 0 to leaf 1: 4 TB',
  );
  await close();
});

test('it is legible in light and dark', async () => {
  for (const scheme of ['light', 'dark']) {
    const {page, close} = await open(fixturePage, {colorScheme: scheme});
    const contrasts = () =>
      page.evaluate(() => {
        const luminance = color => {
          const [r, g, b] = color
            .match(/\d+(\.\d+)?/g)
            .map(c => ((c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const probe = document.body.appendChild(document.createElement('i'));
        const of = name => (
          (probe.style.color = `var(${name})`),
          luminance(getComputedStyle(probe).color)
        );
        const pairs = ['--ink', '--muted', '--accent', '--good', '--bad', '--warn'].flatMap(ink =>
          ['--page', '--surface'].map(paper => [ink, paper, of(ink), of(paper)]),
        );
        probe.remove();
        return pairs.map(([ink, paper, a, b]) => [
          `${ink} on ${paper}`,
          (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05),
        ]);
      });
    for (const [what, ratio] of await contrasts())
      assert.ok(ratio >= 4.5, `${scheme}: ${what} has a contrast of ${ratio.toFixed(2)}`);
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const own = await background();
    await page.screenshot({path: path.join(OUT, `comparison-${scheme}-top.png`)});
    await page.getByRole('button', {name: /Use (dark|light) colours/}).click();
    assert.notEqual(await background(), own);
    for (const [what, ratio] of await contrasts())
      assert.ok(ratio >= 4.5, `after the button: ${what} has a contrast of ${ratio.toFixed(2)}`);
    await close();
  }
});

test('it fits windows from 380 to 2000 pixels', async () => {
  for (const width of [380, 420, 768, 1400, 2000]) {
    const {page, close} = await open(fixturePage, {
      viewport: {width, height: 900},
      colorScheme: width === 420 ? 'dark' : 'light',
    });
    await page.locator('#alpha-traffic canvas').waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `at ${width} pixels the page is ${wide} wide`);
    await page.screenshot({path: path.join(OUT, `comparison-${width}.png`), fullPage: true});
    await close();
  }
});

test('on paper every run is there, everything is open, and nothing is a control', async () => {
  const {page, close} = await open(fixturePage, {colorScheme: 'dark'});
  await page.emulateMedia({media: 'print'});
  await page.waitForFunction(() => document.documentElement.classList.contains('printing'));
  assert.equal(await visible(page, '.panel'), fixture.runs.length);
  assert.equal(await visible(page, '.control'), 0);
  assert.equal(await page.locator('details:not([open]):not(.repeats)').count(), 0);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
  assert.ok((await page.locator('.panel canvas').count()) >= 3 * fixture.runs.length);
  const clipped = await page.$$eval(
    '.scroll',
    tables => tables.filter(t => getComputedStyle(t).overflowX !== 'visible').length,
  );
  assert.equal(clipped, 0, 'paper cannot be scrolled: tables show all of their columns');
  const paper = await page.pdf({format: 'A4', printBackground: true});
  fs.writeFileSync(path.join(OUT, 'comparison.pdf'), paper);
  assert.ok(paper.length > 50_000);
  await page.emulateMedia({media: 'screen'});
  await page.waitForFunction(() => !document.documentElement.classList.contains('printing'));
  assert.equal(await visible(page, '.panel'), 1);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await close();
});

test('a screen reader finds its way', async () => {
  const {page, close} = await open(fixturePage);
  const faults = await page.evaluate(() => {
    const out = [];
    const all = selector => [...document.querySelectorAll(selector)];
    for (const landmark of ['header', 'nav', 'main', 'footer'])
      if (!document.querySelector(landmark)) out.push(`no ${landmark}`);
    if (all('h1').length !== 1) out.push('not one h1');
    const ids = all('[id]').map(one => one.id);
    for (const id of ids)
      if (ids.indexOf(id) !== ids.lastIndexOf(id)) out.push(`two elements are called ${id}`);
    let level = 1;
    for (const heading of all('h1, h2, h3, h4').filter(
      one => one.checkVisibility() && !one.closest('dialog'),
    )) {
      const next = Number(heading.tagName[1]);
      if (next > level + 1) out.push(`h${level} is followed by h${next}, ${heading.textContent}`);
      level = next;
    }
    for (const one of all('[role=img]'))
      if (!one.getAttribute('aria-label')) out.push('a picture without a name');
    for (const one of all('thead th'))
      if (one.getAttribute('scope') !== 'col') out.push('a head of a column without scope');
    for (const one of all('tbody th'))
      if (one.getAttribute('scope') !== 'row') out.push('a head of a row without scope');
    for (const one of all('button'))
      if (!(one.getAttribute('aria-label') || one.textContent.trim()))
        out.push('a button without a name');
    for (const one of all('select, input'))
      if (!one.closest('label') && !document.querySelector(`label[for="${one.id}"]`))
        out.push('a field without a label');
    for (const one of all('[aria-labelledby]'))
      if (!document.getElementById(one.getAttribute('aria-labelledby')))
        out.push(`labelled by nothing: ${one.id}`);
    return out;
  });
  assert.deepEqual([...new Set(faults)], []);
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'To the results');
  await close();
});

test('what is missing is simply not there', async () => {
  const empty = path.join(OUT, 'missing.html');
  const bare = {
    kind: 'comparison',
    title: 'Bare',
    runs: [
      {id: 'a', label: 'A', results: {}},
      {
        id: 'b',
        label: 'B',
        results: {step_time_s: 1.5, patterns: {}, network: {}, inputs: [], diagnostics: []},
      },
    ],
  };
  for (const data of [{}, bare]) {
    fs.writeFileSync(empty, withData(fs.readFileSync(first.page, 'utf8'), data));
    const {page, close} = await open(empty);
    if (data.runs) await page.getByRole('tab', {name: 'B'}).click();
    assert.equal(await page.locator('.run-part').count(), 0);
    await close();
  }
});

test('the main job: the comparison of the documents’ models, as it is', async () => {
  const file = path.join(OUT, 'main.html'),
    json = path.join(OUT, 'main.json');
  const printed = execFileSync(RAILYARD, ['compare', '-o', file, '--json', json], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  assert.ok(printed.trimEnd().endsWith(`page: ${file}`));
  assert.ok(fs.statSync(file).size < LARGEST, `${fs.statSync(file).size} bytes`);
  const data = JSON.parse(fs.readFileSync(json, 'utf8'));
  const {page, close} = await open(file);
  for (const run of data.runs) {
    await page.getByRole('tab', {name: run.label, exact: true}).click();
    assert.ok(
      (await figuresAgree(page.locator(`#panel-${run.id}`), {...run.results, run})) > 10,
      run.id,
    );
    assert.equal(
      await page.locator(`#${run.id}-fabric .link`).count(),
      run.results.patterns.fabric_map.links.length,
    );
  }
  const cells = data.tables.flatMap(table =>
    table.rows.flatMap(row => row.cells.filter(cell => cell.key)),
  );
  const advice = data.advice.map(one => ({key: one.key, text: one.gain_text}));
  const shown = await page
    .locator('[data-key]')
    .evaluateAll(all => all.map(one => [one.dataset.key, one.textContent]));
  assert.deepEqual(
    new Map(shown),
    new Map([...cells, ...advice].map(cell => [cell.key, cell.text])),
  );
  for (const cell of cells) assert.ok(printed.includes(cell.text), `the terminal has ${cell.text}`);
  assert.equal(await page.locator('.advice').count(), data.advice.length);
  await page.locator('#claims').getByLabel('Verdict').selectOption('contradicted');
  assert.equal(await visible(page, '#claims .claim'), data.summary.contradicted);
  await page.screenshot({path: path.join(OUT, 'main.png'), fullPage: true});
  await close();
});
