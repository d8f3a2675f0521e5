// node trace_test.mjs RAILYARD FOLDER: the timeline that --trace writes, held against the rules of the Trace Event format and
// opened by a program that reads it (speedscope, in Debian's chromium).
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import test from 'node:test';
import zlib from 'node:zlib';
import {OUT, PATIENCE, RAILYARD, ROOT, browser} from './harness.mjs';

const STEP = `
name = "a step on two stages"
[model]
preset = "llama3-8b"
sequence = 4096
[training]
global_batch = 32
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
hosts_per_leaf = 8
[transport]
kind = "roce"
[engine]
fidelity = "flow"
`;
const ALL_REDUCE = `
name = "an all-reduce of two sizes"
[cluster]
gpus = 8
[fabric]
topology = "star"
switch = "Tomahawk-5"
link_rate = "400 Gb/s"
[collective]
kind = "all_reduce"
algorithm = "ring"
sizes = ["1 MiB", "4 MiB"]
[engine]
fidelity = "flow"
`;

/** The file of a run, and its transfers as --flows tells them. */
function traceOf(name, scenario, ...options) {
  const file = path.join(OUT, `${name}.json`),
    flows = path.join(OUT, `${name}.csv`);
  const input = scenario.includes('\n') ? path.join(OUT, `${name}.toml`) : scenario;
  if (input !== scenario) fs.writeFileSync(input, scenario);
  const run = ['run', input, '--quiet', '--no-advice', '--trace', file, '--flows', flows];
  execFileSync(RAILYARD, [...run, ...options], {cwd: ROOT});
  const text = fs.readFileSync(file, 'utf8');
  return {
    file,
    input,
    text,
    events: JSON.parse(text).traceEvents,
    flows: fs.readFileSync(flows, 'utf8').trim().split('\n').slice(1),
  };
}

const runs = {
  step: traceOf('step', STEP),
  sweep: traceOf('sweep', ALL_REDUCE),
  packets: traceOf('packets', 'packets/incast'),
};

const processes = events =>
  new Map(
    events.filter(e => e.ph === 'M' && e.name === 'process_name').map(e => [e.pid, e.args.name]),
  );

/** Slices by track, in the order of their starts. */
function tracks(events) {
  const all = new Map();
  for (const e of events) {
    const key = `${e.pid} ${e.tid}`;
    if (e.ph === 'B') {
      if (!all.has(key)) all.set(key, []);
      all.get(key).push({...e, end: undefined});
    } else if (e.ph === 'E') {
      const last = all.get(key).at(-1);
      assert.equal(last.end, undefined, 'an end has a beginning');
      last.end = e.ts;
      assert.deepEqual([e.name, e.args], [last.name, last.args], 'by which readers match them');
    }
  }
  return all;
}

for (const [name, {events}] of Object.entries(runs))
  test(`${name}: every event is as the format has it`, () => {
    const threads = new Set(
      events.filter(e => e.ph === 'M' && e.name === 'thread_name').map(e => `${e.pid} ${e.tid}`),
    );
    const known = processes(events);
    for (const e of events) {
      assert.ok(['M', 'B', 'E', 's', 'f', 'C'].includes(e.ph), e.ph);
      assert.ok(known.has(e.pid), 'its process has a name');
      if (e.ph !== 'M') assert.ok(e.ts >= 0, JSON.stringify(e));
      if (['B', 'E', 's', 'f'].includes(e.ph)) assert.ok(threads.has(`${e.pid} ${e.tid}`));
      if (e.ph === 'B') assert.ok(e.name.length > 0);
      if (e.ph === 'C')
        for (const value of Object.values(e.args)) assert.equal(typeof value, 'number');
    }
    const slices = tracks(events);
    for (const track of slices.values())
      track.forEach((slice, i) => {
        assert.ok(slice.end >= slice.ts, `${slice.name} ends`);
        assert.ok(i === 0 || slice.ts >= track[i - 1].end, `${slice.name} overlaps`);
      });
    const ends = new Map();
    for (const e of events.filter(one => one.ph === 's' || one.ph === 'f')) {
      const inside = slices.get(`${e.pid} ${e.tid}`).some(s => s.ts <= e.ts && e.ts <= s.end);
      assert.ok(inside, 'an arrow begins and ends in a slice');
      ends.set(e.id, (ends.get(e.id) ?? '') + e.ph);
    }
    for (const pair of ends.values()) assert.equal(pair, 'sf');
  });

test('every transfer is drawn once, or once at either end', () => {
  const count = (events, title) => {
    const known = processes(events);
    return events.filter(e => e.ph === 'B' && known.get(e.pid).startsWith(title)).length;
  };
  const {step, sweep, packets} = runs;
  assert.ok(step.flows.length > 10);
  assert.equal(count(step.events, 'transfers'), step.flows.length);
  assert.equal(count(sweep.events, 'GPUs'), 2 * sweep.flows.length);
  assert.equal(count(packets.events, 'GPUs'), 2 * packets.flows.length);
});

test('passes are drawn with the arrows of their micro-batches', () => {
  const passes = runs.step.events.filter(e => e.ph === 'B' && e.args['micro-batch'] !== undefined);
  const batches = new Set(passes.map(e => e.args['micro-batch'])).size;
  assert.equal(passes.length, batches * 2 * 2, 'forward and backward on two stages');
  const arrows = runs.step.events.filter(e => e.ph === 's').length;
  assert.equal(arrows, batches * 2, 'activations go there, gradients back');
  const compressed = path.join(OUT, 'step.json.gz');
  const run = ['run', runs.step.input, '--quiet', '--no-advice', '--trace', compressed];
  execFileSync(RAILYARD, [...run, '--threads', '1'], {cwd: ROOT});
  const text = zlib.gunzipSync(fs.readFileSync(compressed)).toString();
  assert.equal(text, runs.step.text, 'the same on one thread and compressed');
});

test('queues of a packet run are counters that reach what the run reports', () => {
  const json = path.join(OUT, 'packets-results.json');
  execFileSync(RAILYARD, ['run', 'packets/incast', '--quiet', '--no-advice', '--json', json], {
    cwd: ROOT,
  });
  const results = JSON.parse(fs.readFileSync(json, 'utf8'));
  const line = results.over_time.ports[0];
  const drawn = runs.packets.events.filter(e => e.ph === 'C' && e.name === `${line.port}, backlog`);
  assert.equal(Math.max(...drawn.map(e => e.args.bytes)), Math.max(...line.backlog_bytes));
});

test('speedscope opens every one of them', {timeout: PATIENCE}, async () => {
  const home = path.dirname(createRequire(import.meta.url).resolve('speedscope/package.json'));
  for (const [name, {file}] of Object.entries(runs)) {
    const page = await browser.newPage();
    const trouble = [];
    page.on('pageerror', error => trouble.push(String(error)));
    const script = `${file}.js`; // as its own command does it
    const base64 = fs.readFileSync(file).toString('base64');
    fs.writeFileSync(
      script,
      `speedscope.loadFileFromBase64(${JSON.stringify(path.basename(file))}, "${base64}")`,
    );
    await page.goto(`file://${home}/dist/release/index.html#localProfilePath=${script}`);
    await page.waitForFunction(called => document.title.includes(called), path.basename(file));
    assert.deepEqual(trouble, [], name);
    await page.screenshot({path: path.join(OUT, `${name}.png`)});
    await page.close();
  }
});
