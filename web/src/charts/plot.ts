// Bars and dots with axes, drawn by Observable Plot in the width that there is. What is drawn says what it stands for.
import {plot, type PlotOptions, type RenderFunction} from '@observablehq/plot';
import {h, lazyDetails, type Child} from '../dom';
import {register} from './registry';
import {hideTip, showTip} from './tip';

/** One bar or dot: its value, and where that stands in the document. */
export interface Mark {
  value: number;
  path?: string; // in the document: "runs[0].results.mfu.causal"
  key?: string; // of an explanation, whose text has the value
  tip: string; // what the pointer is told
}

export interface Swatch {
  name: string;
  color: string;
  shape?: 'bar' | 'range' | 'open' | 'tick' | 'dot' | 'line' | 'dashes' | 'dots';
}

export interface PlotSpec {
  title?: string;
  level?: 'h3' | 'h4'; // of the title
  what: string; // a sentence for those who do not see it
  legend?: Swatch[];
  make: (width: number) => PlotOptions;
  values?: () => Child; // the same as a table
}

/** For the options of a mark: writes value and place of each datum on what is drawn of it. */
export function tagged(data: readonly Mark[]): {render: RenderFunction} {
  return {
    render(index, scales, values, dimensions, context, next) {
      const group = next!(index, scales, values, dimensions, context)!;
      [...index].forEach((at, i) => {
        const shape = group.children[i] as SVGElement | undefined;
        const mark = data[at];
        if (!shape || !mark) return;
        shape.dataset['value'] = String(mark.value);
        shape.dataset['tip'] = mark.tip;
        if (mark.path !== undefined) shape.dataset['at'] = mark.path;
        if (mark.key !== undefined) shape.dataset['of'] = mark.key;
      });
      return group;
    },
  };
}

export function legendList(swatches: Swatch[]): HTMLElement {
  return h(
    'ul',
    {class: 'legend'},
    swatches.map(({name, color, shape}) =>
      h('li', {}, h('span', {class: `swatch ${shape ?? 'bar'}`, style: `--swatch:${color}`}), name),
    ),
  );
}

export function plotChart(spec: PlotSpec): HTMLElement {
  const host = h('div', {class: 'drawn', role: 'img', 'aria-label': spec.what});
  host.addEventListener('mousemove', event => {
    const shape = (event.target as Element).closest<SVGElement>('[data-tip]');
    if (shape) showTip(event.clientX, event.clientY, shape.dataset['tip']!);
    else hideTip();
  });
  host.addEventListener('mouseleave', hideTip);
  let drawn = 0;
  register({
    host,
    resize(width) {
      if (width === drawn) return;
      drawn = width;
      const picture = plot({
        ...spec.make(width),
        width,
        style: {background: 'none', overflow: 'visible', fontSize: '12px', fontFamily: 'inherit'},
      });
      picture.setAttribute('aria-hidden', 'true'); // the host says what it is
      host.replaceChildren(picture);
    },
    redraw: () => undefined, // colours are variables of the theme
  });
  return h(
    'figure',
    {class: 'chart'},
    spec.title !== undefined && h(spec.level ?? 'h4', {}, spec.title),
    spec.legend && h('div', {class: 'chart-head'}, legendList(spec.legend)),
    host,
    spec.values && lazyDetails('Values as a table', spec.values),
  );
}
