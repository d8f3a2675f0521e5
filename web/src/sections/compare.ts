// The comparison as charts: what was simulated beside what was published and what documents say. Tables are folded below.
import {at, type Data, type Explanation, type Run, type Table} from '../data';
import {h, lazyDetails, type Child} from '../dom';
import {capital, gbps, microseconds, percent, words} from '../format';
import {css, paints} from '../palette';
import {GIVEN, rowsChart, type Bar, type Dot, type Given, type Limit} from '../charts/rows';
import type {Swatch} from '../charts/plot';
import {differences} from './differences';
import type {Explanations} from './explain';
import {readRange} from './given';
import {part, type Part} from './part';

type Chart = (book: Book) => HTMLElement | undefined;

/** The document by what charts ask for. */
class Book {
  private readonly byKey: Map<string, Explanation>;
  constructor(readonly data: Data) {
    this.byKey = new Map((data.explanations ?? []).map(one => [one.key, one]));
  }
  get runs(): Run[] {
    return this.data.runs ?? [];
  }
  get rows(): string[] {
    return this.runs.map(run => run.label);
  }
  /** A number of each run that has it. */
  numbers(path: string): {run: Run; value: number; path: string}[] {
    return this.runs.flatMap((run, i) => {
      const value = at(run, path);
      return typeof value === 'number' ? [{run, value, path: `runs[${i}].${path}`}] : [];
    });
  }
  /** What someone gave for each run, where it can be read. */
  given(who: Given['who'], table: string, column: string, unit: string, scale = 1): Given[] {
    return this.runs.flatMap(run => {
      const key = `${table}.${run.id}.${column}`;
      const text = this.byKey.get(key)?.value;
      const range = text === undefined ? undefined : readRange(text, unit);
      if (!range || text === undefined) return [];
      return [
        {
          row: run.label,
          who,
          value: range.from * scale,
          to: range.to * scale,
          label: text,
          key,
          tip: `${run.label}, ${GIVEN[who].name}: ${text}`,
        },
      ];
    });
  }
}

const SIMULATED = 'var(--c-simulated)';

function given(marks: Given[]): Swatch[] {
  return (['published', 'said'] as const)
    .filter(who => marks.some(mark => mark.who === who))
    .map(who => GIVEN[who]);
}

function mfuChart(book: Book): HTMLElement | undefined {
  const bars = book
    .numbers('results.mfu.causal')
    .map(({run, value, path}): Bar => ({
      row: run.label,
      value,
      path,
      color: SIMULATED,
      label: percent(value),
      tip: `${run.label}, simulated: ${percent(value)}`,
    }));
  if (bars.length < 2) return undefined;
  const marks = [
    ...book.given('published', 'mfu', 'mfu-published', '%', 0.01),
    ...book.given('said', 'mfu', 'mfu-said', '%', 0.01),
  ];
  return rowsChart({
    level: 'h3',
    hasTable: true,
    title: 'MFU: useful FLOP/s of the peak',
    what: `MFU as simulated: ${bars.map(bar => `${bar.row} ${bar.label}`).join(', ')}.`,
    rows: book.rows,
    axis: {label: 'MFU, causal attention', tick: value => `${Math.round(value * 100)} %`},
    legend: [{name: 'simulated', color: SIMULATED}, ...given(marks)],
    bars,
    given: marks,
  });
}

/** The resolution of a millisecond, as in the table. */
function burstPath(run: Run, where: string): string | undefined {
  const bursts = run.results.patterns?.bursts ?? [];
  const i = bursts.findIndex(one => one.where === where);
  const j = bursts[i]?.resolutions.findIndex(one => Math.abs(one.resolution_s - 1e-3) < 1e-6) ?? -1;
  return i < 0 || j < 0 ? undefined : `results.patterns.bursts[${i}].resolutions[${j}]`;
}

function bandwidthChart(book: Book): HTMLElement | undefined {
  const found: Record<'mean' | 'peak' | 'rate', Bar[]> = {mean: [], peak: [], rate: []};
  book.runs.forEach((run, i) => {
    const base = burstPath(run, 'NIC');
    if (base === undefined) return;
    const add = (list: Bar[], path: string, what: string, color: string) => {
      const value = at(run, path);
      if (typeof value !== 'number') return;
      const tip = `${run.label}, ${what}: ${gbps(value)}`;
      list.push({row: run.label, value, path: `runs[${i}].${path}`, color, tip});
    };
    add(found.mean, `${base}.mean_gbps`, 'mean of the busiest NIC', SIMULATED);
    add(found.peak, `${base}.peak_gbps`, 'peak of the busiest NIC', 'var(--c-simulated-pale)');
    add(
      found.rate,
      base.replace(/\.resolutions.*/, '.capacity_gbps'),
      'line rate of a NIC',
      'var(--ink)',
    );
  });
  if (found.mean.length < 2) return undefined;
  const marks = book.given('said', 'bandwidth', 'link-said', 'Gb/s');
  return rowsChart({
    level: 'h3',
    hasTable: true,
    title: 'Bandwidth of the busiest NIC',
    what: `Mean and peak of the busiest NIC: ${found.mean.map(bar => bar.tip).join('; ')}; ${found.peak.map(bar => bar.tip).join('; ')}.`,
    rows: book.rows,
    axis: {label: 'Gb/s, in bins of 1 ms', tick: String},
    legend: [
      {name: 'mean over the step', color: SIMULATED},
      {name: 'peak', color: 'var(--c-simulated-pale)'},
      {name: 'line rate', color: 'var(--ink)', shape: 'tick'},
      ...given(marks),
    ],
    bars: found.mean,
    backs: found.peak,
    ticks: found.rate,
    given: marks,
  });
}

/** Parts of all bytes, all-to-all first so that what documents say of it can be read off the axis. */
function primitivesChart(share: 'share' | 'scale_out_share', title: string): Chart {
  return book => {
    const order = ['all_to_all', 'all_gather', 'reduce_scatter', 'all_reduce', 'send', 'broadcast'];
    const rank = (name: string) => (order.indexOf(name) + order.length + 1) % (order.length + 1);
    const colors = new Map<string, string>();
    const bars: Bar[] = book.runs.flatMap((run, i) => {
      const k = (run.results.patterns?.volumes ?? []).findIndex(one => one.by === 'primitive');
      const rows = run.results.patterns?.volumes?.[k]?.rows ?? [];
      let end = 0;
      return rows
        .map((row, j) => ({row, j, value: row[share] ?? 0}))
        .filter(({value}) => value > 0.0005)
        .sort((a, b) => rank(a.row.name) - rank(b.row.name))
        .map(({row, j, value}): Bar => {
          const color = css(paints([row.name])[0]!);
          colors.set(words(row.name), color);
          const from = end;
          end += value;
          return {
            row: run.label,
            from,
            value,
            color,
            path: `runs[${i}].results.patterns.volumes[${k}].rows[${j}].${share}`,
            tip: `${run.label}, ${words(row.name)}: ${percent(value)}`,
          };
        });
    });
    if (new Set(bars.map(bar => bar.row)).size < 2) return undefined;
    const marks =
      share === 'share' ? book.given('said', 'primitives', 'all_to_all-said', '%', 0.01) : [];
    return rowsChart({
      level: 'h3',
      hasTable: true,
      title,
      what: `${title}: ${bars.map(bar => bar.tip).join('; ')}.`,
      rows: book.rows,
      axis: {label: 'share of bytes', tick: value => `${Math.round(value * 100)} %`, to: 1},
      legend: [
        ...[...colors].map(([name, color]): Swatch => ({name, color})),
        ...given(marks).map(one => ({...one, name: 'said of all-to-all'})),
      ],
      bars,
      given: marks,
    });
  };
}

const DISTANCES: [string, string, string, Dot['symbol']][] = [
  ['same_leaf_us', 'under one leaf', 'var(--c-line-1)', 'circle'],
  ['across_leaves_us', 'across leaves', 'var(--c-line-2)', 'square'],
  ['across_pods_us', 'across pods', 'var(--c-line-3)', 'triangle'],
];
const LIMITS: [string, string][] = [
  ['roce-same-rack', 'said: in a rack'],
  ['roce-across-racks', 'said: between racks'],
];

function latencyChart(book: Book): HTMLElement | undefined {
  const dots = DISTANCES.flatMap(([name, what, color, symbol]) =>
    book
      .numbers(`latency.${name}`)
      .map(({run, value, path}): Dot => ({
        row: run.label,
        value,
        path,
        color,
        symbol,
        tip: `${run.label}, ${what}: ${microseconds(value)}`,
      })),
  );
  if (dots.length < 2) return undefined;
  const claims = book.data.claims ?? [];
  const limits = LIMITS.flatMap(([id, label]): Limit[] => {
    const i = claims.findIndex(claim => claim.id === id && typeof claim.high === 'number');
    if (i < 0) return [];
    const value = claims[i]!.high!;
    return [{value, label, path: `claims[${i}].high`, tip: `${label}: below ${value} µs`}];
  });
  return rowsChart({
    level: 'h3',
    hasTable: true,
    title: 'Latency of 64 bytes on the idle network',
    what: `Latency one way: ${dots.map(one => one.tip).join('; ')}.`,
    rows: book.rows,
    axis: {label: 'µs, one way, application to application', tick: String},
    legend: [
      ...DISTANCES.filter(([, , color]) => dots.some(one => one.color === color)).map(
        ([, name, color]): Swatch => ({name, color, shape: 'dot'}),
      ),
      ...(limits.length > 0
        ? [{name: 'said to be needed', color: 'var(--c-said)', shape: 'tick' as const}]
        : []),
    ],
    dots,
    limits,
  });
}

const SYMBOLS: Dot['symbol'][] = ['circle', 'square', 'triangle', 'diamond2'];

/** Whatever the table of transports gives as a share: each as a dot. */
function transportsChart(book: Book): HTMLElement | undefined {
  const item = (book.data.tables ?? []).find(one => one.id === 'transports');
  if (!item) return undefined;
  const columns = item.columns
    .map((column, i) => ({title: column.title, i}))
    .filter(({i}) => item.rows.some(row => readRange(row.cells[i]?.text ?? '', '%')));
  const color = (k: number) => `var(--c-line-${(k % 4) + 1})`;
  const dots = columns.flatMap(({title, i}, k) =>
    item.rows.flatMap((row): Dot[] => {
      const cell = row.cells[i];
      const range = readRange(cell?.text ?? '', '%');
      if (!cell || !range) return [];
      return [
        {
          row: row.cells[0]!.text,
          value: range.from / 100,
          key: cell.key,
          color: color(k),
          symbol: SYMBOLS[k % 4]!,
          tip: `${row.cells[0]!.text}, ${title}: ${cell.text}`,
        },
      ];
    }),
  );
  if (dots.length < 2) return undefined;
  const from = Math.floor(Math.min(...dots.map(one => one.value)) * 20) / 20;
  return rowsChart({
    level: 'h3',
    hasTable: true,
    title: `${item.title}: speed`,
    what: `${item.title}: ${dots.map(one => one.tip).join('; ')}.`,
    rows: item.rows.map(row => row.cells[0]!.text),
    axis: {
      label: `of InfiniBand’s speed; the axis begins at ${Math.round(from * 100)} %`,
      tick: value => `${Math.round(value * 100)} %`,
      from,
    },
    legend: columns.map(({title}, k): Swatch => ({name: title, color: color(k), shape: 'dot'})),
    dots,
  });
}

const CHARTS: [tables: string[], chart: Chart][] = [
  [['mfu'], mfuChart],
  [['bandwidth'], bandwidthChart],
  [['primitives'], primitivesChart('share', 'Primitives: all bytes that GPUs send')],
  [
    ['primitives-network'],
    primitivesChart('scale_out_share', 'Primitives: bytes on the network alone'),
  ],
  [['latency'], latencyChart],
  [['transports'], transportsChart],
];

function tableElement(item: Table, explanations: Explanations): HTMLElement {
  const side = (i: number) => (item.columns[i]?.align === 'right' ? 'r' : null);
  return h(
    'div',
    {class: 'table-block', id: `table-${item.id}`},
    explanations.grid(item, side),
    item.note !== undefined && item.note !== '' && h('p', {class: 'note'}, item.note),
  );
}

/** A chart with its table folded below it. */
function block(
  chart: HTMLElement,
  tables: (Table | undefined)[],
  explanations: Explanations,
): Child {
  return h(
    'div',
    {class: 'table-block chart-block'},
    chart,
    tables.map(
      item => item && lazyDetails(`Table: ${item.title}`, () => tableElement(item, explanations)),
    ),
  );
}

/** Nothing for a single run: its own section says the same. */
export function comparePart(data: Data, explanations: Explanations): Part | undefined {
  const tables = data.tables ?? [];
  const book = new Book(data);
  const byId = new Map(tables.map(item => [item.id, item]));
  const drawn = CHARTS.flatMap(([ids, chart]) => {
    const element = chart(book);
    return element ? [{ids, element}] : [];
  });
  const own = differences(data);
  if (drawn.length === 0 && tables.length === 0 && !own) return undefined;
  const used = new Set(drawn.flatMap(({ids}) => ids));
  const rest = tables.filter(item => !used.has(item.id));
  return part(
    'compare',
    'Comparison',
    '',
    (data.explanations ?? []).length > 0 &&
      h(
        'p',
        {class: 'intro control'},
        'Tables are folded below their charts; in them, a number that is underlined says where it comes from.',
      ),
    h(
      'div',
      {class: 'tables'},
      drawn.map(({ids, element}) =>
        block(
          element,
          ids.map(id => byId.get(id)),
          explanations,
        ),
      ),
    ),
    h(
      'div',
      {class: 'folds'},
      rest.map(item => lazyDetails(capital(item.title), () => tableElement(item, explanations))),
      own,
    ),
  );
}
