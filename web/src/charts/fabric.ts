// The network in tiers, GPUs below: a line per link, darker with its load, the worst marked. Arrow keys go from link to link.
import {choice, h, s} from '../dom';
import type {FabricLink, FabricMap} from '../data';
import {count, gbps, percent} from '../format';
import {loadColor} from '../palette';
import {hideTip, showTip, showTipAt} from './tip';

const WIDTH = 1000,
  ROW = 130,
  NODE = 22,
  LABELS = 58;
const PLURALS: Record<string, string> = {
  leaf: 'leaves',
  spine: 'spines',
  core: 'cores',
  switch: 'switches',
  gateway: 'gateways',
};

interface Place {
  x: number;
  y: number;
  name: string;
  kind: string;
}

function places(map: FabricMap): Map<number | string, Place> {
  const tiers = [...new Set(map.nodes.map(node => node.tier))].sort((a, b) => b - a);
  const out = new Map<number | string, Place>();
  tiers.forEach((tier, row) => {
    const nodes = map.nodes.filter(node => node.tier === tier);
    nodes.forEach((node, i) =>
      out.set(node.id, {
        x: ((i + 0.5) * WIDTH) / nodes.length,
        y: 30 + row * ROW,
        name: node.name,
        kind: node.kind ?? '',
      }),
    );
  });
  return out;
}

/** "leaf 3 to spine 1: 8 ports, together 3200 Gb/s; mean 41.2 %, back 3.0 %; busiest port 97.0 %" */
export function linkText(link: FabricLink): string {
  const ports =
    link.ports !== undefined && link.gbps !== undefined
      ? `${count(link.ports)} ${link.ports === 1 ? 'port' : 'ports'}, ${link.ports === 1 ? '' : 'together '}${gbps(link.gbps)}; `
      : '';
  const means = [
    link.mean !== undefined && `mean ${percent(link.mean)}`,
    link.mean_back !== undefined && `back ${percent(link.mean_back)}`,
  ]
    .filter(Boolean)
    .join(', ');
  const loads = [means, link.peak !== undefined && `busiest port ${percent(link.peak)}`]
    .filter(Boolean)
    .join('; ');
  return `${link.name}: ${ports}${loads || 'load not known'}${link.worst ? '; among the worst' : ''}`;
}

function drawNodes(svg: SVGSVGElement, at: Map<number | string, Place>): void {
  const rows = new Map<number, Place[]>();
  for (const place of at.values()) rows.set(place.y, [...(rows.get(place.y) ?? []), place]);
  for (const row of rows.values()) {
    const kind = row[0]!.kind;
    svg.append(s('text', {x: -LABELS, y: row[0]!.y + 4, class: 'tier'}, PLURALS[kind] ?? kind));
    const width = Math.min(92, (WIDTH / row.length) * 0.86);
    for (const place of row) {
      const group = s('g', {class: `node ${place.kind.toLowerCase()}`}, s('title', {}, place.name));
      group.append(
        s('rect', {x: place.x - width / 2, y: place.y - NODE / 2, width, height: NODE, rx: 4}),
      );
      const text = width > 74 ? place.name : (place.name.match(/\d[\d,–-]*$/)?.[0] ?? place.name);
      if (width >= 22)
        group.append(
          s(
            'text',
            {x: place.x, y: place.y + 4, 'text-anchor': 'middle'},
            text.length * 6 <= width ? text : text.slice(0, Math.max(2, Math.floor(width / 6))),
          ),
        );
      svg.append(group);
    }
  }
}

export function fabricMap(map: FabricMap): HTMLElement {
  const at = places(map);
  const rows = new Set([...at.values()].map(place => place.y)).size;
  const svg = s('svg', {
    class: 'fabric',
    viewBox: `${-LABELS} 0 ${WIDTH + LABELS} ${60 + (rows - 1) * ROW}`,
    role: 'group',
    'aria-label': 'The fabric, tier by tier. Arrow keys go from link to link.',
  });
  const readout = h(
    'p',
    {class: 'readout', 'aria-live': 'polite'},
    'Point at a link, or go through them with the arrow keys.',
  );
  const lines: SVGLineElement[] = [];
  const links = [...map.links].sort((a, b) => Number(a.worst ?? false) - Number(b.worst ?? false));
  let measure: 'mean' | 'peak' = links.some(link => link.mean !== undefined) ? 'mean' : 'peak';
  const most = Math.max(1, ...links.map(link => link.ports ?? 1));
  links.forEach((link, index) => {
    const from = at.get(link.from),
      to = at.get(link.to);
    if (!from || !to) return;
    const width = 1.4 + 3.2 * (Math.log(1 + (link.ports ?? 1)) / Math.log(1 + most));
    const [x1, y1, x2, y2] = [from.x, from.y, to.x, to.y];
    const line = s('line', {
      x1,
      y1,
      x2,
      y2,
      class: link.worst ? 'link worst' : 'link',
      'stroke-width': link.worst ? width + 1.6 : width,
      tabindex: index === 0 ? 0 : -1,
      role: 'img',
      'aria-label': linkText(link),
    });
    if (link.worst)
      svg.append(s('line', {x1, y1, x2, y2, class: 'halo', 'stroke-width': width + 6}));
    const hit = s('line', {x1, y1, x2, y2, class: 'hit'});
    line.dataset['name'] = link.name;
    const tell = () => (readout.textContent = linkText(link));
    for (const target of [line, hit]) {
      target.addEventListener(
        'mousemove',
        event => (
          tell(),
          line.classList.add('on'),
          showTip(event.clientX, event.clientY, linkText(link))
        ),
      );
      target.addEventListener('mouseleave', () => (line.classList.remove('on'), hideTip()));
    }
    line.addEventListener('focus', () => (tell(), showTipAt(line, linkText(link))));
    line.addEventListener('blur', hideTip);
    lines.push(line);
    svg.append(hit, line);
  });
  drawNodes(svg, at);
  const shown = links.filter(link => at.has(link.from) && at.has(link.to));
  const top = h('span', {});
  const load = (link: FabricLink) =>
    measure === 'peak' ? (link.peak ?? 0) : Math.max(link.mean ?? 0, link.mean_back ?? 0);
  const paint = () => {
    const full = Math.max(1e-9, ...shown.map(load));
    lines.forEach((line, i) => (line.style.stroke = loadColor((load(shown[i]!) / full) * 0.9999)));
    top.textContent = percent(full);
  };
  paint();
  svg.addEventListener('keydown', event => {
    const move = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
    const here = lines.indexOf(event.target as SVGLineElement);
    if (!move || here < 0) return;
    event.preventDefault();
    const next = lines[(here + move + lines.length) % lines.length]!;
    lines[here]!.setAttribute('tabindex', '-1');
    next.setAttribute('tabindex', '0');
    next.focus();
  });
  const scale = h(
    'p',
    {class: 'scale'},
    '0 %',
    h(
      'span',
      {class: 'steps', 'aria-hidden': 'true'},
      Array.from({length: 7}, (_u, k) => h('span', {style: `background:var(--load-${k})`})),
    ),
    top,
    map.links.some(link => link.worst) &&
      h(
        'span',
        {class: 'note'},
        h('span', {class: 'swatch worst-swatch', 'aria-hidden': 'true'}),
        ' among the worst',
      ),
  );
  const measures = ['mean', 'peak'].filter(name =>
    links.some(link => link[name as 'mean' | 'peak'] !== undefined),
  );
  const chooser =
    measures.length > 1 &&
    choice(
      'Load',
      ['Mean, busier way', 'Busiest port'],
      0,
      i => ((measure = i === 0 ? 'mean' : 'peak'), paint()),
    );
  return h(
    'figure',
    {class: 'chart'},
    h('div', {class: 'chart-head'}, scale, chooser),
    h('div', {class: 'scroll'}, svg),
    readout,
  );
}
