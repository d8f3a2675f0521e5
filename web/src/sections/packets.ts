// What packets did: queues, marks and pauses over time, who paused whom, the worst ports.
import {placeOf, type PacketPart, type Run, type SlowMessage, type StepPackets} from '../data';
import {h, lazyDetails, uniqueId, type Child} from '../dom';
import {
  bytes,
  bytesRounded,
  capital,
  count,
  gbps,
  microseconds,
  percent,
  microsecondsTicks,
  plain,
  seconds,
  times,
  words,
} from '../format';
import {histogram} from '../charts/histogram';
import {pausePicture, pauseText, type PauseNode} from '../charts/pauses';
import {rowsChart, type Bar} from '../charts/rows';
import {seriesChart} from '../charts/series';
import {facts, rowsTable, table, type Column} from '../table';
import {anything} from './network';
import {figure, runPart, type Part} from './part';

type Held = StepPackets['collectives'][number];

interface Found {
  packets: PacketPart;
  at: string; // where in the results; "run." begins what the run has beside them
  place: string; // where in the document
  isSlice: boolean;
  isTrial: boolean; // a slice that the comparison ran beside the step
}

/** Queues, marks, pauses and rates of the ports that were watched, all on the same time. */
function portCharts(over: NonNullable<PacketPart['over_time']>): HTMLElement {
  const at = over.at_us.map(t => t * 1e-6);
  const together = uniqueId('ports');
  const every = microseconds(over.interval_us);
  type Member = 'backlog_bytes' | 'marked' | 'paused' | 'gbps';
  const chart = (
    title: string,
    member: Member,
    unit: (v: number) => string,
    most?: number,
  ): Child => {
    const ports = over.ports
      .map((port, i) => ({port, i}))
      .filter(({port}) => port[member]?.some(v => v > 0));
    return (
      ports.length > 0 && [
        h('h4', {}, title),
        seriesChart({
          what: `${title} over time, of ${ports.map(({port}) => port.port).join(', ')}.`,
          times: at,
          rows: ports.map(({port, i}) => ({
            name: port.port,
            values: port[member]!,
            paint: {variable: `--c-port-${(i % 8) + 1}`, shade: 0},
          })),
          stacked: false,
          unit,
          height: 170,
          most,
          together,
          member,
        }),
      ]
    );
  };
  const pairs = over.queue_pairs;
  const line = (n: number) => ({variable: `--c-line-${n}`, shade: 0});
  const pairChart =
    pairs?.allowed_gbps &&
    lazyDetails('What congestion control allows', () => [
      seriesChart({
        what: 'Rate that congestion control allows a queue pair.',
        times: at,
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
          times: at,
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
    {class: 'stack'},
    chart('Queues', 'backlog_bytes', bytes),
    chart(`ECN marks, packets in ${every}`, 'marked', plain),
    chart('Paused, share of the time', 'paused', percent, 1),
    lazyDetails('Rates on the wire', () => chart('Rate on the wire', 'gbps', gbps)),
    pairChart,
  );
}

/** Nested lists from a list in depth-first order. */
function pauseTree(nodes: PauseNode[]): HTMLElement {
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
        ` ${pauseText(node)}${node.left_out ? `; ${count(node.left_out)} below it not shown` : ''}`,
      ),
      list,
    );
    open[open.length - 1]!.list.append(item);
    open.push({depth: node.depth, list});
  }
  for (const list of root.querySelectorAll('ul:empty')) list.remove();
  return root;
}

function whoPausedWhom(packets: PacketPart): Child {
  const nodes = (packets.pause_tree?.nodes ?? []) as PauseNode[];
  const first = packets.pfc?.['first_port'];
  return (
    nodes.length > 0 && [
      h('h4', {}, 'Who paused whom'),
      first !== undefined &&
        first !== '' &&
        h(
          'p',
          {class: 'note'},
          `It began at ${String(first)}. An arrow leads from a queue that grew too long to a port that was told to stop.`,
        ),
      pausePicture(nodes),
      lazyDetails('As a list', () => pauseTree(nodes)),
    ]
  );
}

/** The messages that took longest, one by one. */
function slowestMessages({packets}: Found): Child {
  const rows = packets.flows?.slowest ?? [];
  if (rows.length === 0) return null;
  const column = (
    title: string,
    cell: (row: SlowMessage) => string,
    isNumber = true,
  ): Column<SlowMessage> => ({title, cell, isNumber});
  return table(
    'Slowest flows, one by one',
    [
      column('from', row => `GPU ${row.from}`, false),
      column('to', row => `GPU ${row.to}`, false),
      column('size', row => bytes(row.size_bytes)),
      column('start', row => microseconds(row.start_us)),
      column('completion', row => microseconds(row.fct_us)),
      column('ideal', row => microseconds(row.ideal_us)),
      column('slowdown', row => times(row.slowdown)),
    ],
    rows,
    {isCaptionShown: true},
  );
}

/** Completion of messages: the slowest one by one, and all by how far they go. */
function slowestFlows(found: Found): Child {
  const {packets, place} = found;
  const rows = packets.flows?.by_distance ?? [];
  if (rows.length === 0 || !rows.some(row => row.fct_us?.max !== undefined)) return null;
  const name = (row: (typeof rows)[0]) =>
    `${count(row.messages)} messages through ${row.switches} ${row.switches === 1 ? 'switch' : 'switches'}`;
  const bars = (member: 'p50' | 'p99' | 'max', what: string, color: string) =>
    rows.flatMap((row, i): Bar[] => {
      const value = row.fct_us?.[member];
      if (value === undefined) return [];
      return [
        {
          row: name(row),
          value,
          color,
          path: `${place}.flows.by_distance[${i}].fct_us.${member}`,
          tip: `${name(row)}, ${what}: ${microseconds(value)}`,
        },
      ];
    });
  const unit = microsecondsTicks(Math.max(...rows.map(row => row.fct_us?.max ?? 0)));
  return [
    rowsChart({
      title: 'Slowest flows: completion of messages, by how far they go',
      what: 'Completion of messages: median, 99th percentile and slowest.',
      rows: rows.map(name),
      axis: {label: 'from post to completion', tick: unit},
      legend: [
        {name: 'median', color: 'var(--c-simulated)'},
        {name: 'p99', color: 'var(--c-simulated-pale)'},
        {name: 'slowest', color: 'var(--ink)', shape: 'tick'},
      ],
      bars: bars('p50', 'median', 'var(--c-simulated)'),
      backs: bars('p99', 'p99', 'var(--c-simulated-pale)'),
      ticks: bars('max', 'slowest', 'var(--ink)'),
    }),
    slowestMessages(found),
    packets.flows?.slowdown?.mean !== undefined &&
      h(
        'p',
        {class: 'note'},
        'Against an empty network a message takes ',
        number(found, 'flows.slowdown.mean', times),
        ' as long on average, ',
        number(found, 'flows.slowdown.max', times),
        ' at worst.',
      ),
  ];
}

/** A number of the packets, marked with where it stands in the results. */
function number({packets, at}: Found, path: string, text: (v: number) => string): HTMLElement {
  const element = figure(packets, path, text);
  if (element.tagName === 'DATA')
    element.setAttribute('data-path', at === '' ? path : `${at}.${path}`);
  return element;
}

function counters(found: Found): [string, Child][] {
  const out: [string, Child][] = [];
  const add = (name: string, path: string, text: (v: number) => string) => {
    const element = number(found, path, text);
    if (element.tagName === 'DATA') out.push([name, element]);
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

/** How well flows hold: every kind of collective in both engines, and who held up the others. */
function heldAgainstFlows(step: StepPackets, place: string): Child {
  const most = Math.max(...step.collectives.map(row => Math.max(row.flow_s, row.packet_s)));
  const time = (title: string, member: 'flow_s' | 'packet_s'): Column<Held> => ({
    title,
    cell: row =>
      h(
        'data',
        {
          value: row[member],
          'data-path': `${place}.collectives[${step.collectives.indexOf(row)}].${member}`,
        },
        seconds(row[member]),
      ),
    isNumber: true,
    bar: row => ({
      share: row[member] / most,
      color: member === 'packet_s' ? 'var(--c-line-1)' : 'var(--c-plain-bar)',
    }),
  });
  return [
    h(
      'p',
      {},
      `Every packet of the step was simulated. Over flows it takes ${seconds(step.flow_step_time_s)}; `,
      `packets take ${times(step.ratio)} of that.`,
    ),
    table<Held>(
      'Mean time of one call on the network',
      [
        {title: 'collective', cell: row => row.what},
        {title: 'group', cell: row => row.group},
        {title: 'calls', cell: row => count(row.calls), isNumber: true},
        time('over flows', 'flow_s'),
        time('packets', 'packet_s'),
        {title: 'longest', cell: row => seconds(row.packet_longest_s), isNumber: true},
        {title: 'packets / flows', cell: row => row.ratio.toFixed(2), isNumber: true},
      ],
      step.collectives,
      {isCaptionShown: true},
    ),
    step.stragglers.length > 0 &&
      table(
        'Senders that others waited for',
        [
          {title: 'from', cell: row => row.from},
          {title: 'to', cell: row => row.to},
          {title: 'calls it ended', cell: row => count(row.calls), isNumber: true},
          {title: 'behind the mean', cell: row => seconds(row.behind_s), isNumber: true},
        ],
        step.stragglers,
        {isCaptionShown: true},
      ),
  ];
}

/** The packets of a run: its own, those of its slice, or those of a slice that was run beside it. */
export function packetsOf(run: Run): Found | undefined {
  const index = (run.slices ?? []).findIndex(one => one.slice?.pfc !== undefined);
  const here = placeOf(run);
  if (run.results.packets)
    return {
      packets: run.results.packets,
      at: 'packets',
      place: `${here}.results.packets`,
      isSlice: false,
      isTrial: false,
    };
  const found: Found =
    run.results.slice?.pfc !== undefined
      ? {
          packets: run.results.slice,
          at: 'slice',
          place: `${here}.results.slice`,
          isSlice: true,
          isTrial: false,
        }
      : index >= 0 && !run.results.pfc
        ? {
            packets: run.slices![index]!.slice!,
            at: `run.slices[${index}].slice`,
            place: `${here}.slices[${index}].slice`,
            isSlice: true,
            isTrial: true,
          }
        : {packets: run.results, at: '', place: `${here}.results`, isSlice: false, isTrial: false};
  return found.packets.pfc || found.packets.queue_depth_bytes ? found : undefined;
}

function depths({packets, place}: Found): Child {
  const depth = packets.queue_depth_bytes;
  return (
    depth?.buckets &&
    depth.buckets.length > 0 && [
      h('h4', {}, 'Queues that packets found'),
      histogram({
        what: 'Backlog that data packets found at switches.',
        axis: 'bytes ahead in the queue',
        measures: [
          {
            name: 'packets',
            color: 'var(--c-line-1)',
            path: i => `${place}.queue_depth_bytes.buckets[${i}].packets`,
            tick: count,
          },
        ],
        classes: depth.buckets.map(bucket => ({
          name: bucket.to <= 1 ? 'empty' : `${bytes(bucket.from)} to ${bytes(bucket.to)}`,
          tick: bucket.to <= 1 ? 'empty' : bytesRounded(bucket.from),
          values: [bucket.packets],
          texts: [`${count(bucket.packets)} packets`],
        })),
      }),
    ]
  );
}

export function packetsPart(run: Run): Part | undefined {
  const found = packetsOf(run);
  if (!found) return undefined;
  const {packets, isSlice, isTrial} = found;
  const drops = Object.entries(packets.drops_by_reason ?? {}).filter(([, value]) => value !== 0);
  const standstills = packets.standstills ?? [];
  return runPart(
    run.id,
    'packets',
    isSlice ? 'A slice, packet by packet' : 'Queues, marks and pauses',
    isTrial ? 'A short part of the collective that moves most bytes, every packet simulated.' : '',
    run.results.packets && heldAgainstFlows(run.results.packets, found.place),
    facts(counters(found)),
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
    whoPausedWhom(packets),
    slowestFlows(found),
    depths(found),
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
    packets.virtual_queues &&
      lazyDetails(`Virtual output queues: ${plain(packets.virtual_queues.count)} were used`, () =>
        rowsTable('Deepest virtual output queues', packets.virtual_queues!.deepest),
      ),
    packets.buffers &&
      packets.buffers.length > 0 &&
      lazyDetails('Buffers', () => rowsTable('Buffers by kind of switch', packets.buffers!)),
  );
}
