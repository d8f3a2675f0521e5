// What packets did: queues, marks and pauses over time, who paused whom, the worst ports.
import type {PacketPart, Run} from '../data';
import {h, lazyDetails, select, uniqueId, type Child} from '../dom';
import {
  bytes,
  bytesRounded,
  capital,
  count,
  gbps,
  microseconds,
  percent,
  plain,
  words,
} from '../format';
import {histogram} from '../charts/histogram';
import {seriesChart} from '../charts/series';
import {facts, rowsTable} from '../table';
import {anything} from './network';
import {figure, runPart, type Part} from './part';

const line = (n: number) => ({variable: `--c-line-${n}`, shade: 0});

function portCharts(over: NonNullable<PacketPart['over_time']>): HTMLElement {
  const times = over.at_us.map(t => t * 1e-6);
  const slot = h('div', {class: 'stack'});
  const together = uniqueId('ports');
  const chart = (
    title: string,
    name: string,
    values: number[] | undefined,
    unit: (v: number) => string,
    paint: number,
    most?: number,
  ): Child =>
    values &&
    values.some(v => v > 0) && [
      h('h4', {}, title),
      seriesChart({
        what: `${title} over time.`,
        times,
        rows: [{name, values, paint: line(paint)}],
        stacked: false,
        unit,
        height: 150,
        most,
        together,
      }),
    ];
  const show = (i: number) => {
    const port = over.ports[i]!;
    const parts = h('div', {class: 'stack'});
    for (const child of [
      chart('Queue', 'backlog', port.backlog_bytes, bytes, 2),
      chart('Rate on the wire', 'rate', port.gbps, gbps, 1),
      chart('Paused', 'share of the time', port.paused, percent, 3, 1),
      chart('ECN marks', 'marked packets', port.marked, plain, 4),
    ])
      if (child) parts.append(...(child as Node[]));
    slot.replaceChildren(parts);
  };
  if (over.ports.length > 0) show(0);
  const pairs = over.queue_pairs;
  const pairChart =
    pairs?.allowed_gbps &&
    lazyDetails('What congestion control allows', () => [
      seriesChart({
        what: 'Rate that congestion control allows a queue pair.',
        times,
        rows: [
          {name: 'mean', values: pairs.allowed_gbps!, paint: line(1)},
          ...(pairs.allowed_least_gbps
            ? [{name: 'least', values: pairs.allowed_least_gbps, paint: line(2)}]
            : []),
        ],
        stacked: false,
        unit: gbps,
        height: 170,
      }),
      pairs.active &&
        seriesChart({
          what: 'Queue pairs that have something to send.',
          times,
          rows: [
            {name: 'queue pairs with something to send', values: pairs.active, paint: line(4)},
          ],
          stacked: false,
          unit: plain,
          height: 130,
        }),
    ]);
  return h(
    'div',
    {},
    over.ports.length > 0 &&
      h(
        'div',
        {class: 'controls'},
        select(
          'Port',
          over.ports.map((port, i) => [String(i), port.port]),
          '0',
          value => show(Number(value)),
        ),
      ),
    slot,
    pairChart,
  );
}

interface TreeNode {
  port: string;
  depth: number;
  pauses: number;
  first_us: number;
  left_out?: number;
}

/** Nested lists from a list in depth-first order. */
function pauseTree(nodes: TreeNode[]): HTMLElement {
  const root = h('ul', {class: 'tree'});
  const open: {depth: number; list: HTMLElement}[] = [{depth: -1, list: root}];
  for (const node of nodes) {
    while (open[open.length - 1]!.depth >= node.depth) open.pop();
    const list = h('ul', {});
    const item = h(
      'li',
      {},
      h('span', {class: 'port'}, node.port),
      h(
        'span',
        {class: 'muted'},
        ` ${count(node.pauses)} ${node.pauses === 1 ? 'pause' : 'pauses'}, first at ${microseconds(node.first_us)}${node.left_out ? `; ${count(node.left_out)} below it not shown` : ''}`,
      ),
      list,
    );
    open[open.length - 1]!.list.append(item);
    open.push({depth: node.depth, list});
  }
  for (const list of root.querySelectorAll('ul:empty')) list.remove();
  return root;
}

function counters(packets: PacketPart, at: string): [string, Child][] {
  const get = (path: string, text: (v: number) => string) =>
    figure({x: packets}, `x.${path}`, text);
  const out: [string, Child][] = [];
  const add = (name: string, path: string, text: (v: number) => string) => {
    const element = get(path, text);
    if (element.tagName !== 'DATA') return;
    element.setAttribute('data-path', at === '' ? path : `${at}.${path}`);
    out.push([name, element]);
  };
  add('Pauses', 'pfc.pauses', count);
  add('Ports stopped for', 'pfc.paused_us', microseconds);
  add('Packets marked', 'ecn.marked', count);
  add('CNPs', 'cnp.sent', count);
  add('Drops', 'drops', count);
  add('Sent again', 'retransmissions', count);
  add('Queue found, p99', 'queue_depth_bytes.p99', bytes);
  add('Queue found, most', 'queue_depth_bytes.max', bytes);
  return out;
}

export function packetsPart(run: Run): Part | undefined {
  const index = (run.slices ?? []).findIndex(one => one.slice?.pfc !== undefined);
  const own = run.results.slice?.pfc !== undefined;
  const isSlice = own || (index >= 0 && !run.results.pfc);
  const packets: PacketPart = own
    ? run.results.slice!
    : isSlice
      ? run.slices![index]!.slice!
      : run.results;
  if (!packets.pfc && !packets.queue_depth_bytes) return undefined;
  const depth = packets.queue_depth_bytes;
  const nodes = (packets.pause_tree?.nodes ?? []) as TreeNode[];
  const first = packets.pfc?.['first_port'];
  const drops = Object.entries(packets.drops_by_reason ?? {}).filter(([, value]) => value !== 0);
  const standstills = packets.standstills ?? [];
  return runPart(
    run.id,
    'packets',
    isSlice ? 'A slice, packet by packet' : 'Queues, marks and pauses',
    isSlice && !own
      ? 'A short part of the collective that moves most bytes, every packet simulated.'
      : '',
    facts(counters(packets, own ? 'slice' : isSlice ? `run.slices[${index}].slice` : '')),
    drops.length > 0 &&
      h(
        'p',
        {class: 'note'},
        `Drops by reason: ${drops.map(([reason, value]) => `${words(reason)} ${plain(Number(value))}`).join(', ')}.`,
      ),
    standstills.length > 0 &&
      h(
        'div',
        {class: 'alarm', role: 'note'},
        h('h4', {}, 'Standstill'),
        anything('standstills', standstills),
      ),
    packets.over_time && packets.over_time.at_us.length > 0 && portCharts(packets.over_time),
    nodes.length > 0 && [
      h('h4', {}, 'Who paused whom'),
      first !== undefined &&
        first !== '' &&
        h('p', {class: 'note'}, `It began at ${String(first)}.`),
      h(
        'div',
        {class: 'scroll tall', tabindex: 0, role: 'region', 'aria-label': 'Who paused whom'},
        pauseTree(nodes),
      ),
    ],
    depth?.buckets &&
      depth.buckets.length > 0 && [
        h('h4', {}, 'Queues that packets found'),
        histogram({
          what: 'Backlog that data packets found at switches.',
          measures: [{name: 'packets', color: 'var(--c-line-1)'}],
          classes: depth.buckets.map(bucket => ({
            name: bucket.to <= 1 ? 'empty' : `${bytes(bucket.from)} to ${bytes(bucket.to)}`,
            tick: bucket.to <= 1 ? 'empty' : bytesRounded(bucket.from),
            values: [bucket.packets],
            texts: [`${count(bucket.packets)} packets`],
          })),
        }),
      ],
    (['deepest', 'paused'] as const).map(kind => {
      const rows = packets.worst_ports?.[kind];
      return (
        rows &&
        rows.length > 0 &&
        lazyDetails(
          kind === 'deepest' ? 'Ports with the deepest queues' : 'Ports that were paused longest',
          () => rowsTable(`${capital(kind)} ports`, rows),
        )
      );
    }),
    packets.buffers &&
      packets.buffers.length > 0 &&
      lazyDetails('Buffers', () => rowsTable('Buffers by kind of switch', packets.buffers!)),
  );
}
