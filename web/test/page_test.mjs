// node page_test.mjs RAILYARD FOLDER: makes pages with the program, opens them in Debian's chromium and uses them as a reader would.
// Screenshots of what it saw are left in FOLDER. What is drawn is looked at in charts_test.mjs, how it looks in layout_test.mjs.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import {withData} from './fixture.mjs';
import {
  LARGEST,
  OUT,
  PATIENCE,
  browser,
  figuresAgree,
  first,
  fixture,
  fixturePage,
  mainJob,
  open,
  openAll,
  pageOf,
  scaleOf,
  unfold,
  visible,
} from './harness.mjs';

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
    [first, '-points', 8],
    [pageOf('scenarios/packets/slow-receiver.toml'), '-packets', 8],
    [pageOf('scenarios/packets/gradients.toml'), '-fabric', 8],
  ];
  for (const [{page: file, results}, part, least] of cases) {
    const {page, close} = await open(file);
    await openAll(page);
    assert.ok(
      (await figuresAgree(page.locator('main'), results)) >= least,
      `${file} shows figures`,
    );
    assert.equal(await page.locator(`section[id$="${part}"]`).count(), 1);
    assert.equal(await page.locator('[id$="-inputs"] tbody tr').count(), results.inputs.length);
    await page.screenshot({
      path: path.join(OUT, `${path.basename(file, '.html')}.png`),
      fullPage: true,
    });
    await close();
  }
});

test('the patterns of a real step are all drawn', async () => {
  const {page: file, results} = pageOf('scenarios/packets/gradients.toml');
  const {patterns} = results;
  const {page, close} = await open(file);
  await openAll(page);
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
  assert.equal(
    await page.locator('#gradients-sizes table').first().locator('tbody tr').count(),
    patterns.flow_sizes.length,
  );
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

test('commands of the answer are told from its words, and names stay as they are', async () => {
  const {page, close} = await open(fixturePage);
  const answer = page.locator('#verdict .verdict').first();
  assert.deepEqual(await answer.locator('code').allTextContents(), [
    "railyard run beta --set 'fabric.link_rate=800 Gb/s' --set routing.policy=adaptive",
  ]);
  assert.match(await answer.locator('.about-limit dd').textContent(), /^c11 by compute/);
  await close();
});

test('models are switched by click, by keyboard and by address, and each shows its own figures', async () => {
  const {page, close} = await open(fixturePage);
  assert.equal(await page.locator('h1').textContent(), fixture.title);
  for (const run of fixture.runs) {
    await page.getByRole('tab', {name: run.label}).click();
    assert.equal(await visible(page, '.panel'), 1);
    await openAll(page, `#panel-${run.id}`);
    assert.ok((await figuresAgree(page.locator(`#panel-${run.id}`), {...run.results, run})) > 6);
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
  await page.goto(`file://${fixturePage}#gamma-sizes`);
  await page.locator('#gamma-sizes table').first().waitFor();
  await page.screenshot({path: path.join(OUT, 'comparison-light.png'), fullPage: true});
  await close();
});

test('a link tells its name and load, to the pointer and to the keyboard', async () => {
  const {page, close} = await open(fixturePage);
  const fabric = page.locator('#alpha-fabric');
  const readout = fabric.locator('.map ~ .readout');
  const worst = fixture.runs[0].results.patterns.fabric_map.links.filter(link => link.worst);
  assert.equal(await fabric.locator('.link.worst').count(), worst.length);
  const link = fabric.locator(`.link[data-name="${worst[0].name}"]`);
  await link.scrollIntoViewIfNeeded();
  const box = await link.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  assert.match(
    await page.locator('.tip').textContent(),
    new RegExp(worst[0].name.replace(' to ', ' – ')),
  );
  assert.match(await readout.textContent(), new RegExp(`${(worst[0].mean * 100).toFixed(1)} % up`));
  await fabric.screenshot({path: path.join(OUT, 'fabric.png')});
  await fabric.locator('.link[tabindex="0"]').focus();
  const before = await readout.textContent();
  await page.keyboard.press('ArrowRight');
  assert.notEqual(await readout.textContent(), before);
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
  await unfold(page, 'claims');
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
  await openAll(page, '#compare');
  await openAll(page, '#advice');
  const cell = page.locator('#table-mfu [data-key="mfu.beta.simulated"]');
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
    '--explain mfu.beta.simulated',
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
  await unfold(page, 'alpha-inputs');
  const inputs = page.locator('#alpha-inputs');
  await inputs.getByLabel('Status').selectOption('assumed');
  assert.deepEqual(await inputs.locator('tbody th').allTextContents(), ['compute.efficiency']);
  await close();
});

test('a matrix is read cell by cell with arrow keys', async () => {
  const {page, close} = await open(fixturePage);
  await unfold(page, 'alpha-matrix');
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
  const {file, printed, data} = mainJob();
  assert.ok(printed.trimEnd().endsWith(`page: ${file}`));
  const {page, close} = await open(file);
  for (const run of data.runs) {
    await page.getByRole('tab', {name: run.label, exact: true}).click();
    const card = page.locator(`.card[data-run="${run.id}"]`);
    assert.ok((await figuresAgree(card, run.results)) > 4, run.id);
    if (run === data.runs[0]) {
      await openAll(page, `#panel-${run.id}`);
      const panel = page.locator(`#panel-${run.id}`);
      assert.ok((await figuresAgree(panel, {...run.results, run})) > 4, run.id);
    }
    const {fabric_map} = run.results.patterns;
    assert.equal(await page.locator(`#${run.id}-fabric .link`).count(), fabric_map.links.length);
    assert.equal(
      await page.locator(`#${run.id}-fabric .cells rect[data-i]`).count(),
      fabric_map.switches[0].peak.length,
      'every leaf is there',
    );
  }
  await openAll(page, '#compare');
  await openAll(page, '#advice');
  await unfold(page, 'claims');
  const cells = data.tables.flatMap(table =>
    table.rows.flatMap(row => row.cells.filter(cell => cell.key)),
  );
  const advice = data.advice.map(one => ({key: one.key, text: one.gain_text}));
  const shown = await page
    .locator('[data-key]')
    .evaluateAll(all => all.map(one => [one.dataset.key, one.textContent]));
  assert.deepEqual(
    new Map(shown.sort()),
    new Map([...cells, ...advice].map(cell => [cell.key, cell.text]).sort()),
  );
  for (const cell of cells) assert.ok(printed.includes(cell.text), `the terminal has ${cell.text}`);
  assert.equal(await page.locator('.advice').count(), data.advice.length);
  await page.locator('#claims').getByLabel('Verdict').selectOption('contradicted');
  assert.equal(await visible(page, '#claims .claim'), data.summary.contradicted);
  await close();
});
