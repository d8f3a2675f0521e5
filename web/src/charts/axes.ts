// What all uPlot charts share: axes in the colours of the theme, zooming by drag and by keyboard, buttons for it.
import uPlot from 'uplot';
import {h} from '../dom';
import {resolved} from '../palette';

const FONT = '12px system-ui, sans-serif';

export function axis(values: (v: number) => string, extra: Partial<uPlot.Axis> = {}): uPlot.Axis {
  return {
    stroke: () => resolved('var(--muted)'),
    grid: {stroke: () => resolved('var(--rule)'), width: 1},
    ticks: {stroke: () => resolved('var(--rule)'), width: 1, size: 5},
    font: FONT,
    values: (_u, splits) => splits.map(split => (split === null ? '' : values(split))),
    ...extra,
  };
}

/** Ticks of an axis of seconds: all in the unit of the whole, with as many digits as tell them apart. */
export function timeTicks(u: uPlot, splits: number[]): string[] {
  const {min = 0, max = 1} = u.scales['x']!;
  const span = max - min;
  const [scale, unit] = span >= 2 ? [1, 's'] : span >= 2e-3 ? [1e3, 'ms'] : [1e6, 'µs'];
  const step = splits.length > 1 ? (splits[1]! - splits[0]!) * scale : 1;
  let digits = 0;
  while (digits < 6 && Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) > 1e-3)
    digits++;
  return splits.map(split => `${(split * scale).toFixed(digits)} ${unit}`);
}

export interface Zoom {
  bar: HTMLElement;
  onKey(event: KeyboardEvent): void;
  changed(): void;
}

/** Buttons and keys that zoom `chart` between `from` and `to`. Dragging is uPlot's own. */
export function zoom(chart: () => uPlot | undefined, from: number, to: number): Zoom {
  const set = (min: number, max: number) => {
    const width = Math.min(to - from, Math.max((to - from) / 2000, max - min));
    const left = Math.min(Math.max(from, min), to - width);
    chart()?.setScale('x', {min: left, max: left + width});
  };
  const by = (factor: number) => {
    const scale = chart()?.scales['x'];
    if (!scale) return;
    const middle = ((scale.min ?? from) + (scale.max ?? to)) / 2;
    const half = (((scale.max ?? to) - (scale.min ?? from)) / 2) * factor;
    set(middle - half, middle + half);
  };
  const move = (share: number) => {
    const scale = chart()?.scales['x'];
    if (!scale) return;
    const step = ((scale.max ?? to) - (scale.min ?? from)) * share;
    set((scale.min ?? from) + step, (scale.max ?? to) + step);
  };
  const reset = h(
    'button',
    {type: 'button', disabled: true, onclick: () => set(from, to)},
    'Whole',
  );
  const bar = h(
    'div',
    {class: 'zoom control', role: 'group', 'aria-label': 'Zoom'},
    h('button', {type: 'button', 'aria-label': 'Zoom in', onclick: () => by(0.5)}, '+'),
    h('button', {type: 'button', 'aria-label': 'Zoom out', onclick: () => by(2)}, '−'),
    reset,
  );
  const keys: Record<string, () => void> = {
    '+': () => by(0.5),
    '=': () => by(0.5),
    '-': () => by(2),
    ArrowLeft: () => move(-0.2),
    ArrowRight: () => move(0.2),
    Home: () => set(from, to),
    '0': () => set(from, to),
    Escape: () => set(from, to),
  };
  return {
    bar,
    onKey(event) {
      const act = keys[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act();
    },
    changed() {
      const scale = chart()?.scales['x'];
      const isWhole = !scale || ((scale.min ?? from) <= from && (scale.max ?? to) >= to);
      reset.toggleAttribute('disabled', isWhole);
    },
  };
}
