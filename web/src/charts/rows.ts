// A row per model: a bar for what was simulated, below it marks for what was published and what documents say.
import {barX, dot, link, ruleX, text, tickX, type Markish} from '@observablehq/plot';
import {h} from '../dom';
import {plotChart, tagged, type Mark, type Swatch} from './plot';

export interface Bar extends Mark {
  row: string;
  from?: number; // where it begins; 0 unless told
  color: string;
  label?: string; // beside its end
}
/** A value or a range of values that someone gave. */
export interface Given extends Mark {
  row: string;
  to: number;
  who: 'published' | 'said';
  label: string;
}
export interface Dot extends Mark {
  row: string;
  color: string;
  symbol: 'circle' | 'square' | 'triangle' | 'diamond2';
}
export interface Limit extends Mark {
  label: string;
}

export interface RowsSpec {
  title: string;
  what: string;
  rows: string[];
  axis: {label: string; tick: (value: number) => string; from?: number; to?: number};
  legend: Swatch[];
  bars?: Bar[];
  backs?: Bar[]; // paler, behind the bars
  ticks?: Bar[]; // a line across the bar
  dots?: Dot[];
  given?: Given[];
  limits?: Limit[]; // lines over all rows
  hasTable?: boolean; // its values are listed elsewhere
  level?: 'h3' | 'h4';
}

export const GIVEN: Record<Given['who'], Swatch> = {
  published: {name: 'published', color: 'var(--c-published)', shape: 'range'},
  said: {name: 'said by the documents', color: 'var(--c-said)', shape: 'open'},
};
const BAR = 16;
const NARROW = 560;
const LETTER = 6.7; // pixels of a letter, about

/** Where things lie in a row of a given height. */
interface Layout {
  row: number;
  top: number; // of the bar
  line: Record<Given['who'], number>; // middle of each mark
  left: number;
  isNarrow: boolean;
}

function layout(spec: RowsSpec, width: number): Layout {
  const isNarrow = width < NARROW;
  const head = isNarrow ? 20 : 8;
  const who = (['published', 'said'] as const).filter(one =>
    spec.given?.some(mark => mark.who === one),
  );
  const line = {published: 0, said: 0};
  who.forEach((one, i) => (line[one] = head + BAR + 9 + i * 15));
  return {
    row: head + BAR + 8 + who.length * 15,
    top: head,
    line,
    left: isNarrow ? 18 : 14 + LETTER * Math.max(...spec.rows.map(row => row.length)),
    isNarrow,
  };
}

function givenMarks(given: Given[], at: Layout): Markish[] {
  return (['published', 'said'] as const).flatMap(who => {
    const own = given.filter(mark => mark.who === who);
    if (own.length === 0) return [];
    const dy = at.line[who] - at.row / 2;
    const {color} = GIVEN[who];
    const end = (mark: Given) => ({...mark, value: mark.to});
    const shape = {
      y: 'row',
      dy,
      r: 4,
      symbol: who === 'published' ? ('diamond2' as const) : ('circle' as const),
      stroke: color,
      strokeWidth: 1.8,
      fill: who === 'published' ? color : 'var(--surface)',
    };
    const ends = own.filter(mark => mark.to !== mark.value).map(end);
    return [
      link(own, {x1: 'value', x2: 'to', y: 'row', dy, stroke: color, strokeWidth: 2.5}),
      dot(own, {...shape, x: 'value', ...tagged(own)}),
      dot(ends, {...shape, x: 'value', ...tagged(ends)}),
      text(own, {
        x: 'to',
        y: 'row',
        text: 'label',
        dy,
        dx: 9,
        textAnchor: 'start',
        fill: 'var(--muted)',
      }),
    ];
  });
}

function barMarks(spec: RowsSpec, at: Layout): Markish[] {
  const inset = {insetTop: at.top, insetBottom: at.row - at.top - BAR};
  const labelled = (spec.bars ?? []).filter(bar => bar.label !== undefined);
  const backs = spec.backs ?? [];
  const bars = spec.bars ?? [];
  const ticks = spec.ticks ?? [];
  const dots = spec.dots ?? [];
  const middle = at.top + BAR / 2 - at.row / 2;
  const wide = {...inset, x1: (bar: Bar) => bar.from ?? 0, y: 'row', fill: 'color'};
  const end = (bar: Bar) => (bar.from ?? 0) + bar.value;
  return [
    barX(backs, {...wide, x2: end, ...tagged(backs)}),
    barX(bars, {
      ...wide,
      x2: end,
      ...(backs.length > 0 ? {insetTop: at.top + 4, insetBottom: inset.insetBottom + 4} : {}),
      ...tagged(bars),
    }),
    tickX(ticks, {
      x: 'value',
      y: 'row',
      stroke: 'color',
      strokeWidth: 2.5,
      insetTop: at.top - 4,
      insetBottom: inset.insetBottom - 4,
      ...tagged(ticks),
    }),
    dot(dots, {
      x: 'value',
      y: 'row',
      dy: middle,
      r: 6,
      symbol: 'symbol',
      fill: 'color',
      stroke: 'var(--surface)',
      ...tagged(dots),
    }),
    text(labelled, {
      x: end,
      y: 'row',
      text: 'label',
      dy: middle,
      dx: 7,
      textAnchor: 'start',
      fill: 'var(--ink)',
      fontWeight: 600,
    }),
  ];
}

/** The largest value there is, with room for the text beside it. */
function most(spec: RowsSpec): number {
  const ends = [
    ...(spec.bars ?? []).map(bar => (bar.from ?? 0) + bar.value),
    ...(spec.backs ?? []).map(bar => bar.value),
    ...(spec.ticks ?? []).map(bar => bar.value),
    ...(spec.dots ?? []).map(one => one.value),
    ...(spec.given ?? []).map(one => one.to),
    ...(spec.limits ?? []).map(one => one.value),
  ];
  return Math.max(...ends, 1e-9);
}

export function rowsChart(spec: RowsSpec): HTMLElement {
  const values = () =>
    h(
      'ul',
      {class: 'values'},
      [
        ...(spec.bars ?? []),
        ...(spec.backs ?? []),
        ...(spec.ticks ?? []),
        ...(spec.dots ?? []),
        ...(spec.given ?? []),
      ].map(mark => h('li', {}, mark.tip)),
    );
  return plotChart({
    title: spec.title,
    level: spec.level,
    what: spec.what,
    legend: spec.legend,
    values: spec.hasTable ? undefined : values,
    make(width) {
      const at = layout(spec, width);
      const limits = spec.limits ?? [];
      const top = limits.length > 0 ? 22 : 8;
      const longest = Math.max(0, ...(spec.given ?? []).map(one => one.label.length));
      const right = spec.axis.to !== undefined ? 18 : Math.max(64, 16 + longest * LETTER);
      return {
        height: top + spec.rows.length * at.row + 44,
        marginLeft: at.left,
        marginRight: right,
        marginTop: top,
        marginBottom: 44,
        x: {
          domain: [spec.axis.from ?? 0, spec.axis.to ?? most(spec)],
          label: spec.axis.label,
          labelAnchor: 'center',
          labelArrow: 'none',
          labelOffset: 38,
          grid: true,
          ticks: Math.max(2, Math.floor((width - at.left - right) / 90)),
          tickFormat: spec.axis.tick,
        },
        y: {
          domain: spec.rows,
          label: null,
          padding: 0,
          tickSize: 0,
          ...(at.isNarrow ? {axis: null} : {}),
        },
        color: {type: 'identity'},
        marks: [
          at.isNarrow
            ? text(spec.rows, {
                x: () => spec.axis.from ?? 0,
                y: (row: string) => row,
                text: (row: string) => row,
                dy: 12 - at.row / 2,
                textAnchor: 'start',
                fontWeight: 600,
              })
            : null,
          barMarks(spec, at),
          givenMarks(spec.given ?? [], at),
          ruleX([spec.axis.from ?? 0], {stroke: 'var(--muted)'}),
          ruleX(limits, {
            x: 'value',
            stroke: 'var(--c-said)',
            strokeDasharray: '4 3',
            strokeWidth: 1.6,
            ...tagged(limits),
          }),
          text(limits, {
            x: 'value',
            text: 'label',
            frameAnchor: 'top',
            dy: -12,
            fill: 'var(--muted)',
          }),
        ],
      };
    },
  });
}
