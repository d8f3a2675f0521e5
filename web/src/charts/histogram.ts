// Bars over classes of sizes. Two measures side by side, a mark from a class onwards.
import {h, lazyDetails, s} from '../dom';
import {hideTip, showTipAt} from './tip';

export interface HistogramSpec {
  what: string;
  classes: {name: string; tick: string; isMarked?: boolean; values: number[]; texts: string[]}[];
  measures: {name: string; color: string}[];
  mark?: string; // what marked classes are
}

const WIDTH = 760,
  HEIGHT = 210,
  BASE = 176,
  TOP = 16;

/** Each measure is drawn against its own largest value. */
export function histogram(spec: HistogramSpec): HTMLElement {
  const most = spec.measures.map((_m, j) =>
    Math.max(...spec.classes.map(c => c.values[j] ?? 0), 1e-300),
  );
  const slot = Math.min(96, WIDTH / Math.max(1, spec.classes.length));
  const width = slot * spec.classes.length;
  const bar = Math.min(34, (slot * 0.8) / spec.measures.length);
  const svg = s('svg', {
    class: 'histogram',
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: 'img',
    'aria-label': spec.what,
  });
  const first = spec.classes.findIndex(c => c.isMarked);
  if (first >= 0 && spec.mark) {
    svg.append(
      s('rect', {
        x: first * slot,
        y: 0,
        width: width - first * slot,
        height: BASE,
        class: 'marked',
      }),
      s(
        'text',
        {x: Math.max(width - 6, 150), y: 12, class: 'mark-text', 'text-anchor': 'end'},
        spec.mark,
      ),
    );
  }
  svg.append(s('line', {x1: 0, x2: width, y1: BASE, y2: BASE, class: 'base'}));
  const every = Math.ceil(spec.classes.length / 12);
  spec.classes.forEach((c, i) => {
    const group = s('g', {
      class: 'class',
      onmouseenter: () =>
        showTipAt(
          group,
          h('b', {}, c.name),
          h('br'),
          c.texts.map((text, j) => [j > 0 ? h('br') : null, text]),
        ),
      onmouseleave: hideTip,
    });
    group.append(s('rect', {x: i * slot, y: 0, width: slot, height: BASE, fill: 'transparent'}));
    spec.measures.forEach((measure, j) => {
      const share = (c.values[j] ?? 0) / most[j]!;
      const height = c.values[j] ? Math.max(1.5, share * (BASE - TOP)) : 0;
      group.append(
        s('rect', {
          x: i * slot + slot / 2 + (j - spec.measures.length / 2) * bar,
          y: BASE - height,
          width: Math.max(1, bar - 2),
          height,
          style: `fill:${measure.color}`,
        }),
      );
    });
    if (i % every === 0)
      group.append(
        s(
          'text',
          {x: i * slot + slot / 2, y: BASE + 16, 'text-anchor': 'middle', class: 'tick'},
          c.tick,
        ),
      );
    svg.append(group);
  });
  const table = () =>
    h(
      'div',
      {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Values of the chart'},
      h(
        'table',
        {},
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            h('th', {scope: 'col'}, 'Class'),
            spec.measures.map(m => h('th', {scope: 'col', class: 'r'}, m.name)),
          ),
        ),
        h(
          'tbody',
          {},
          spec.classes.map(c =>
            h(
              'tr',
              {},
              h('th', {scope: 'row'}, c.name),
              c.texts.map(text => h('td', {class: 'r'}, text)),
            ),
          ),
        ),
      ),
    );
  const legend = h(
    'ul',
    {class: 'legend'},
    spec.measures.map(m =>
      h('li', {}, h('span', {class: 'swatch', style: `background:${m.color}`}), m.name),
    ),
  );
  return h(
    'figure',
    {class: 'chart'},
    h('div', {class: 'chart-head'}, legend),
    svg,
    lazyDetails('Values as a table', table, false),
  );
}
