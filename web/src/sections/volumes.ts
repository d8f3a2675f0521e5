// What a run sends: by kind, by size, in bursts, from whom to whom.
import {placeOf, type Bursts, type FlowSizes, type Run, type Spread} from '../data';
import {choice, h, lazyDetails, type Child} from '../dom';
import {
  bytes,
  bytesRounded,
  byteTicks,
  capital,
  count,
  gbps,
  percent,
  seconds,
  short,
  times,
  words,
} from '../format';
import {css, paints} from '../palette';
import {heatmap} from '../charts/heatmap';
import {histogram} from '../charts/histogram';
import {rowsTable, table} from '../table';
import {runPart, type Part} from './part';

const ELEPHANT = 100e6; // bytes; flow sizes in the document are counted with the same border

export function volumesPart(run: Run): Part | undefined {
  const volumes = run.results.patterns?.volumes ?? [];
  const detail =
    Array.isArray(run.results.traffic) && run.results.traffic.length > 0
      ? run.results.traffic
      : undefined;
  if (volumes.length === 0 && !detail) return undefined;
  const blocks = volumes.map(volume => {
    const colors =
      volume.by === 'tier'
        ? volume.rows.map(() => 'var(--c-line-1)')
        : paints(volume.rows.map(row => row.name)).map(css);
    return table(
      `By ${volume.by}`,
      [
        {title: `By ${volume.by}`, cell: row => words(row.name)},
        {title: 'Bytes', cell: row => bytes(row.bytes), isNumber: true},
        {
          title: 'Share',
          cell: row => percent(row.share),
          isNumber: true,
          bar: row => ({share: row.share, color: colors[volume.rows.indexOf(row)]!}),
        },
        ...(volume.rows.some(row => row.scale_out_bytes !== undefined)
          ? [
              {
                title: 'Scale-out',
                cell: (row: (typeof volume.rows)[0]) => bytes(row.scale_out_bytes ?? 0),
                isNumber: true,
              },
              {
                title: 'Share',
                cell: (row: (typeof volume.rows)[0]) => percent(row.scale_out_share ?? 0),
                isNumber: true,
                bar: (row: (typeof volume.rows)[0]) => ({
                  share: row.scale_out_share ?? 0,
                  color: colors[volume.rows.indexOf(row)]!,
                }),
              },
            ]
          : []),
      ],
      volume.rows,
    );
  });
  return runPart(
    run.id,
    'volumes',
    'Volumes',
    'What the mean GPU sends in a step, in all and over the scale-out network.',
    h('div', {class: 'columns'}, blocks),
    detail &&
      lazyDetails('Every call by itself', () =>
        rowsTable('Traffic by phase, op and group, of the mean GPU', detail),
      ),
  );
}

function sizesChart(sizes: FlowSizes, place: string): HTMLElement {
  const unit =
    sizes.level === 'collective'
      ? 'collectives'
      : `${sizes.level.replace('pair', 'pairs')}${/pair/.test(sizes.level) ? '' : 's'}`;
  return histogram({
    what: `Sizes at the level of ${sizes.level}: ${sizes.what ?? ''}`,
    mark: 'elephants, over 100 MB',
    axis: 'size',
    measures: [
      {
        name: `number of ${unit}`,
        color: 'var(--c-line-1)',
        path: i => `${place}.buckets[${i}].count`,
        tick: short,
      },
      {
        name: 'bytes in them',
        color: 'var(--c-line-2)',
        path: i => `${place}.buckets[${i}].bytes`,
        tick: bytesRounded,
        ticks: most => byteTicks(most, 4),
      },
    ],
    classes: sizes.buckets.map(bucket => ({
      name: `${bytes(bucket.from_bytes)} to ${bytes(bucket.to_bytes)}`,
      tick: bytesRounded(bucket.from_bytes),
      isMarked: bucket.from_bytes >= ELEPHANT,
      values: [bucket.count, bucket.bytes],
      texts: [`${count(bucket.count)} ${unit}`, bytes(bucket.bytes)],
    })),
  });
}

export function flowSizesPart(run: Run): Part | undefined {
  const levels = run.results.patterns?.flow_sizes ?? [];
  if (levels.length === 0) return undefined;
  const slot = h('div', {});
  const show = (i: number) => {
    const sizes = levels[i]!;
    slot.replaceChildren(
      h('p', {class: 'note'}, sizes.what ?? ''),
      sizesChart(sizes, `${placeOf(run)}.results.patterns.flow_sizes[${i}]`),
    );
  };
  show(0);
  const summary = table<FlowSizes>(
    'Sizes at each level',
    [
      {title: 'Level', cell: row => capital(row.level)},
      {title: 'Count', cell: row => count(row.count), isNumber: true},
      {title: 'Bytes', cell: row => bytes(row.bytes), isNumber: true},
      {
        title: 'Elephants, by count',
        cell: row => (row.elephants ? percent(row.elephants.count_share) : '–'),
        isNumber: true,
        bar: row => ({share: row.elephants?.count_share ?? 0}),
      },
      {
        title: 'Elephants, by bytes',
        cell: row => (row.elephants ? percent(row.elephants.bytes_share) : '–'),
        isNumber: true,
        bar: row => ({share: row.elephants?.bytes_share ?? 0}),
      },
      {
        title: 'Mice, by count',
        cell: row => (row.mice ? percent(row.mice.count_share) : '–'),
        isNumber: true,
        bar: row => ({share: row.mice?.count_share ?? 0}),
      },
      {
        title: 'Mice, by bytes',
        cell: row => (row.mice ? percent(row.mice.bytes_share) : '–'),
        isNumber: true,
        bar: row => ({share: row.mice?.bytes_share ?? 0}),
      },
      {
        title: 'Median',
        cell: row => (row.p50_bytes === undefined ? '–' : bytes(row.p50_bytes)),
        isNumber: true,
      },
      {
        title: 'p99',
        cell: row => (row.p99_bytes === undefined ? '–' : bytes(row.p99_bytes)),
        isNumber: true,
      },
      {
        title: 'Largest',
        cell: row => (row.max_bytes === undefined ? '–' : bytes(row.max_bytes)),
        isNumber: true,
      },
    ],
    levels,
  );
  return runPart(
    run.id,
    'sizes',
    'Flow sizes',
    'An elephant is larger than 100 MB, a mouse smaller than 100 kB. The answer depends on what is called a flow.',
    summary,
    h(
      'div',
      {class: 'controls'},
      choice(
        'Level',
        levels.map(row => capital(row.level)),
        0,
        show,
      ),
    ),
    slot,
  );
}

export function burstsPart(run: Run): Part | undefined {
  const bursts = run.results.patterns?.bursts ?? [];
  if (bursts.length === 0) return undefined;
  type Line = {place: Bursts; row: Bursts['resolutions'][0]; isFirst: boolean};
  const lines = bursts.flatMap(place =>
    place.resolutions.map((row, i): Line => ({place, row, isFirst: i === 0})),
  );
  const spread = (value: Spread | undefined): Child =>
    value?.p50 === undefined
      ? '–'
      : h(
          'span',
          {
            title: `mean ${seconds(value.mean ?? 0)}, p99 ${seconds(value.p99 ?? 0)}, longest ${seconds(value.max ?? 0)}`,
          },
          `${seconds(value.p50)} / ${seconds(value.p99 ?? 0)}`,
        );
  const rows = table<Line>(
    'Bursts by place and resolution',
    [
      {
        title: 'Where',
        cell: ({place, isFirst}) =>
          isFirst
            ? [
                h('b', {}, capital(place.where)),
                place.name !== undefined && h('small', {class: 'under'}, place.name),
              ]
            : h('span', {class: 'unseen'}, place.where),
      },
      {title: 'Resolution', cell: ({row}) => seconds(row.resolution_s), isNumber: true},
      {title: 'Mean', cell: ({row}) => gbps(row.mean_gbps), isNumber: true},
      {
        title: 'Peak',
        cell: ({row}) => gbps(row.peak_gbps),
        isNumber: true,
        bar: ({place, row}) =>
          place.capacity_gbps === undefined
            ? undefined
            : {share: row.peak_gbps / place.capacity_gbps},
      },
      {title: 'Peak / mean', cell: ({row}) => times(row.peak_to_mean), isNumber: true},
      {
        title: 'Duty cycle',
        cell: ({row}) => percent(row.duty_cycle),
        isNumber: true,
        bar: ({row}) => ({share: row.duty_cycle}),
      },
      {title: 'Bursts', cell: ({row}) => count(row.bursts), isNumber: true},
      {title: 'Length, p50 / p99', cell: ({row}) => spread(row.burst_s), isNumber: true},
      {title: 'Gap, p50 / p99', cell: ({row}) => spread(row.gap_s), isNumber: true},
      {
        title: 'Period',
        cell: ({row}) =>
          row.period_s === undefined
            ? '–'
            : [
                seconds(row.period_s),
                row.period_strength !== undefined &&
                  h('small', {class: 'under'}, `strength ${row.period_strength.toFixed(2)}`),
              ],
        isNumber: true,
      },
    ],
    lines,
  );
  return runPart(
    run.id,
    'bursts',
    'Burstiness',
    'A burst is a run of values above 1 % of the capacity. What a mean hides depends on how long it is taken over.',
    rows,
  );
}

export function matrixPart(run: Run): Part | undefined {
  const matrix = run.results.patterns?.matrix;
  const incast = run.results.patterns?.incast;
  if (!matrix && !incast) return undefined;
  const square =
    matrix &&
    heatmap({
      what: `Bytes between ${matrix.level}, ${matrix.size} by ${matrix.size}.`,
      labels: matrix.labels,
      values: matrix.bytes,
      level: matrix.level,
    });
  const fan = incast && [
    h('h4', {}, 'Incast'),
    h(
      'p',
      {},
      `At most ${count(incast.max)} send to one of the ${incast.of ?? 'receivers'} at once, ${incast.mean.toFixed(2)} on average`,
      incast.overlapping &&
        ` (over all calls under way: ${count(incast.overlapping.max)}, ${incast.overlapping.mean.toFixed(2)})`,
      '. ',
      h('span', {class: 'muted'}, incast.what ?? ''),
    ),
    incast.degrees &&
      incast.degrees.length > 0 &&
      table(
        'Receivers by the number of their senders',
        [
          {title: 'Senders', cell: row => count(row.senders), isNumber: true},
          {title: 'Receivers', cell: row => count(row.receivers), isNumber: true},
          ...(incast.degrees.some(row => row.bytes !== undefined)
            ? [
                {
                  title: 'Bytes',
                  cell: (row: {bytes?: number}) => bytes(row.bytes ?? 0),
                  isNumber: true,
                },
              ]
            : []),
        ],
        incast.degrees,
      ),
  ];
  return runPart(
    run.id,
    'matrix',
    'Who sends to whom',
    matrix ? `Bytes of one step between ${matrix.level}.` : '',
    h('div', {class: 'matrix'}, square, fan && h('div', {}, fan)),
  );
}
