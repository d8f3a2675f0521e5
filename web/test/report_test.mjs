// node report_test.mjs RAILYARD FOLDER: pages of commands that show their report: every sentence and every cell is there.
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
  open,
  openAll,
} from './harness.mjs';

const JOB = `
name = "a small job"
[model]
preset = "llama3-8b"
sequence = 4096
[training]
global_batch = 64
[parallel]
tensor = 4
pipeline = 2
[cluster]
gpu = "H100-SXM-80"
gpus = 32
gpus_per_node = 8
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
hosts_per_leaf = 8
[transport]
kind = "roce"
[engine]
fidelity = "flow"
`;
// Its path is longer than a narrow screen is wide: commands on the pages name it.
const folder = path.join(OUT, 'a_folder_that_has_a_name_of_many_letters');
fs.mkdirSync(folder, {recursive: true});
const job = path.join(folder, 'job.toml');
fs.writeFileSync(job, JOB);
const nodes = path.join(OUT, 'nodes.txt');
fs.writeFileSync(nodes, ['node0', 'node1', 'node2', 'node3', ''].join('\n'));

function pageOf(name, ...words) {
  const page = path.join(OUT, `${name}.html`);
  const printed = execFileSync(RAILYARD, [...words, '-o', page], {
    cwd: ROOT,
    encoding: 'utf8',
    env: {...process.env, COLUMNS: '200'},
  });
  assert.ok(printed.trimEnd().endsWith(`page: ${page}`));
  return {name, page, printed};
}

const capture = path.join(OUT, 'incast.pcapng');
execFileSync(RAILYARD, ['run', 'packets/incast', '--quiet', '--no-advice', '--pcap', capture], {
  cwd: ROOT,
});
const logs = path.join(ROOT, 'docs/traces/inspector');
const SWEEP = `
name = "hosts, delays and rates"
[cluster]
gpus = 16
[fabric]
topology = "star"
link_rate = "100 Gb/s"
switch_latency = "900 ns"
[collective]
kind = "all_reduce"
algorithm = "ring"
sizes = ["1 MB"]
[engine]
fidelity = "analytic"
[sweep]
hypercube = 60
[sweep.axes]
cluster.gpus = [4, 8, 16, 32]
fabric.link_delay = { from = "100 ns", to = "3000 ns" }
fabric.link_rate = ["100 Gb/s", "200 Gb/s", "400 Gb/s", "800 Gb/s"]
collective.kind = ["all_reduce", "all_gather"]
`;
const sweep = path.join(folder, 'sweep.toml');
const rows = path.join(folder, 'sweep.db');
fs.writeFileSync(sweep, SWEEP);
execFileSync(RAILYARD, ['sweep', sweep, '--quiet', '--db', rows], {cwd: ROOT});

const pages = [
  pageOf('cost', 'cost', job),
  pageOf('place', 'place', job, '--nodes', nodes),
  pageOf('network', 'plan', job, '--network'),
  pageOf('capture', 'capture', capture),
  pageOf('replay', 'replay', logs, '--scenario', job, '--ranks', '32'),
  pageOf('sweep', 'sweep', 'show', rows),
];

test('sweep: a curve for each axis and a map of two, with the values of the document', async () => {
  const {page} = pages.find(({name}) => name === 'sweep');
  const {curves, map} = documentOf(page).report;
  assert.deepEqual(curves.map(({scale}) => scale).sort(), ['linear', 'log', 'log', 'names']);
  const {page: shown, close} = await open(page);
  await openAll(shown);
  for (const [i, curve] of curves.entries())
    for (const [k, point] of curve.points.entries()) {
      const dot = shown.locator(`[data-at="report.curves[${i}].points[${k}].mean"]`);
      assert.equal(Number(await dot.getAttribute('data-value')), point.mean, curve.axis);
    }
  for (const [i, cell] of map.cells.entries()) {
    const drawn = shown.locator(`[data-at="report.map.cells[${i}].value"]`);
    assert.equal(Number(await drawn.getAttribute('data-value')), cell.value);
  }
  // Numbers go up from left to right, whatever their order in the file.
  const log = curves.findIndex(({scale}) => scale === 'log');
  const across = await shown
    .locator(`[data-at^="report.curves[${log}].points"]`)
    .evaluateAll(dots => dots.map(dot => Number(dot.getAttribute('cx'))));
  assert.ok(
    across.every((x, k) => k === 0 || x > across[k - 1]),
    across.join(' '),
  );
  await close();
});

for (const {name, page, printed} of pages)
  test(`${name}: what is printed is on the page, and bars have their values`, async () => {
    const data = documentOf(page);
    assert.equal(data.kind, 'report');
    assert.ok(fs.statSync(page).size < LARGEST);
    const {page: shown, close} = await open(page);
    const text = (await shown.locator('main').textContent()).replaceAll('\u00a0', ' ');
    for (const section of data.report.sections)
      for (const block of section.blocks)
        if (block.text !== undefined) assert.ok(text.includes(block.text.slice(0, 60)), block.text);
        else for (const cell of block.rows.flat()) assert.ok(text.includes(cell), cell);
    const first = data.report.sections.flatMap(one => one.blocks).find(one => one.text);
    assert.ok(printed.replaceAll(/\s+/g, ' ').includes(first.text.slice(0, 60)));
    for (const [i, group] of data.report.bars.entries())
      if (group.bars.length > 1)
        for (const [k, bar] of group.bars.entries()) {
          const cell = shown.locator(`[data-path="report.bars[${i}].bars[${k}].value"]`);
          assert.equal(Number(await cell.getAttribute('value')), bar.value);
          assert.equal(await cell.textContent(), bar.text);
        }
    await close();
  });

test('nothing is cut off, and axe finds nothing serious', async () => {
  for (const {page} of pages)
    for (const width of [380, 1400]) {
      const {page: shown, close} = await open(page, {viewport: {width, height: 900}});
      assert.deepEqual(await clipped(shown), [], `${page}, ${width}`);
      if (width === 1400) assert.deepEqual(await axeFindings(shown), []);
      await close();
    }
});
