// The network in tiers, GPUs below: a line per link, coloured by the share of its capacity. Arrow keys go from link to link.
import {choice, h, s} from '../dom';
import type {FabricLink, FabricMap} from '../data';
import {capital, count, gbps, percent} from '../format';
import {register} from './registry';
import {scrubber} from './scrub';
import {hideTip, showTip, showTipAt} from './tip';
import {useColor, useScale} from './use';

const TALL = 132, // from tier to tier
  PAPER = 66, // the same in print
  NODE = 26,
  HEAD = 20; // the name of a tier
const PLURALS: Record<string, string> = {
  leaf: 'leaf switches',
  spine: 'spine switches',
  core: 'core switches',
  switch: 'switches',
  gateway: 'gateways',
};

export const plural = (kind: string): string => PLURALS[kind] ?? kind;

interface Place {
  x: number;
  y: number;
  name: string;
  kind: string;
  width: number;
}

/** "hosts under leaf 3" are its GPUs. */
const friendly = (name: string) => name.replace(/^hosts under /, 'GPUs under ');
const linkName = (name: string) =>
  friendly(name)
    .replace(/^(GPUs under (.+)) to \2$/, '$1')
    .replace(/ to /, ' – ');

/** "leaf 3 – spine 1: 8 links, together 3200 Gb/s; 41.2 % up, 3.0 % down; busiest link 97.0 %" */
export function linkText(link: FabricLink): string {
  const ports =
    link.ports !== undefined && link.gbps !== undefined
      ? `${count(link.ports)} ${link.ports === 1 ? 'link' : 'links'}, ${link.ports === 1 ? '' : 'together '}${gbps(link.gbps)}; `
      : '';
  const means = [
    link.mean !== undefined && `${percent(link.mean)} up`,
    link.mean_back !== undefined && `${percent(link.mean_back)} down`,
  ]
    .filter(Boolean)
    .join(', ');
  const loads = [means, link.peak !== undefined && `busiest link ${percent(link.peak)}`]
    .filter(Boolean)
    .join('; ');
  return `${linkName(link.name)}: ${ports}${loads || 'load not known'}`;
}

const row = () => (document.documentElement.classList.contains('printing') ? PAPER : TALL);

function places(map: FabricMap, width: number): Map<number | string, Place> {
  const tiers = [...new Set(map.nodes.map(node => node.tier))].sort((a, b) => b - a);
  const out = new Map<number | string, Place>();
  tiers.forEach((tier, at) => {
    const nodes = map.nodes.filter(node => node.tier === tier);
    nodes.forEach((node, i) =>
      out.set(node.id, {
        x: ((i + 0.5) * width) / nodes.length,
        y: HEAD + NODE / 2 + 4 + at * row(),
        name: friendly(node.name),
        kind: node.kind ?? '',
        width: Math.min(120, (width / nodes.length) * 0.88),
      }),
    );
  });
  return out;
}

/** The longest of these that fits. */
function fitting(texts: string[], width: number): string {
  return texts.find(text => text.length * 6.4 + 4 <= width) ?? '';
}

function drawNodes(svg: SVGSVGElement, at: Map<number | string, Place>, map: FabricMap): void {
  const rows = new Map<number, [number | string, Place][]>();
  for (const entry of at) rows.set(entry[1].y, [...(rows.get(entry[1].y) ?? []), entry]);
  for (const [y, row] of rows) {
    const kind = row[0]![1].kind;
    const all = map.switches?.find(one => one.kind === kind)?.peak.length;
    const shown = all !== undefined && all > row.length ? `, ${row.length} of ${count(all)}` : '';
    const title = kind === 'GPUs' ? 'GPUs' : `${capital(plural(kind))}${shown}`;
    const label = {x: 0, y: y - NODE / 2 - 7};
    const back = {x: -2, y: label.y - 13, width: title.length * 7.2 + 8, height: 17};
    svg.append(
      s('rect', {...back, class: 'tier-back'}),
      s('text', {...label, class: 'tier'}, title),
    );
    for (const [id, place] of row) {
      const group = s('g', {class: `node ${kind.toLowerCase()}`}, s('title', {}, place.name));
      const {x, width} = place;
      group.append(s('rect', {x: x - width / 2, y: y - NODE / 2, width, height: NODE, rx: 4}));
      const ports = map.links.find(link => link.from === id)?.ports;
      const number = place.name.match(/\d[\d,–-]*$/)?.[0] ?? '';
      const texts =
        kind === 'GPUs' && ports !== undefined
          ? [`${count(ports)} GPUs`, count(ports)]
          : [place.name, number];
      group.append(s('text', {x, y: y + 4, 'text-anchor': 'middle'}, fitting(texts, width)));
      svg.append(group);
    }
  }
}

type Measure = 'mean' | 'peak';
const load = (link: FabricLink, measure: Measure) =>
  measure === 'peak' ? (link.peak ?? 0) : Math.max(link.mean ?? 0, link.mean_back ?? 0);

/** Links in one part of a run. */
function linksAt(map: FabricMap, part: number): Map<FabricLink, FabricLink> {
  const share = (loads?: number[]) => (loads?.[part] ?? 0) / 1000;
  return new Map(
    map.links.map((link, i) => {
      const loads = map.over_time?.links?.[i];
      const mean = share(loads?.mean),
        mean_back = share(loads?.mean_back);
      const peak = loads?.peak ? share(loads.peak) : Math.max(mean, mean_back);
      return [link, {...link, mean, mean_back, peak}];
    }),
  );
}

/** "busiest is leaf 3 – spine 1, 97.0 %" */
function busiestText(links: FabricLink[], measure: Measure): string {
  const most = links.reduce((a, b) => (load(b, measure) > load(a, measure) ? b : a));
  const share = load(most, measure);
  return share > 0 ? `busiest is ${linkName(most.name)}, ${percent(share)}` : 'all links are idle';
}

/** A line, and the link it stands for. */
type Drawn = [line: SVGPathElement, link: FabricLink];

/** Gives lines the colours of what links carry now. */
function paint(lines: Drawn[], now: (link: FabricLink) => FabricLink, measure: Measure): void {
  for (const [line, link] of lines) {
    const share = load(now(link), measure);
    line.style.stroke = useColor(share);
    line.dataset['value'] = String(share);
    line.setAttribute('aria-label', linkText(now(link)));
  }
}

/** Lines for all links, and what they tell of themselves. */
function drawLinks(
  svg: SVGSVGElement,
  links: FabricLink[],
  at: Map<number | string, Place>,
  now: (link: FabricLink) => FabricLink,
  tell: (text: string) => void,
): Drawn[] {
  const drawn: Drawn[] = [];
  const most = Math.max(1, ...links.map(link => link.ports ?? 1));
  links.forEach((link, index) => {
    const from = at.get(link.from),
      to = at.get(link.to);
    if (!from || !to) return;
    const width = 1.4 + 3.2 * (Math.log(1 + (link.ports ?? 1)) / Math.log(1 + most));
    const bend = from.y === to.y ? 34 : 0; // between switches of one tier
    const d = bend
      ? `M${from.x} ${from.y}Q${(from.x + to.x) / 2} ${from.y - bend} ${to.x} ${to.y}`
      : `M${from.x} ${from.y - NODE / 2}L${to.x} ${to.y + NODE / 2}`;
    const line = s('path', {
      d,
      class: link.worst ? 'link worst' : 'link',
      'stroke-width': width,
      tabindex: index === 0 ? 0 : -1,
      role: 'img',
    });
    line.dataset['name'] = link.name;
    drawn.push([line, link]);
    if (link.worst) svg.append(s('path', {d, class: 'halo', 'stroke-width': width + 3.5}));
    const hit = s('path', {d, class: 'hit'});
    for (const target of [line, hit]) {
      target.addEventListener('mousemove', event => {
        tell(linkText(now(link)));
        line.classList.add('on');
        showTip(event.clientX, event.clientY, linkText(now(link)));
      });
      target.addEventListener('mouseleave', () => (line.classList.remove('on'), hideTip()));
    }
    line.addEventListener('focus', () => {
      tell(linkText(now(link)));
      showTipAt(line, linkText(now(link)));
    });
    line.addEventListener('blur', hideTip);
    svg.append(hit, line);
  });
  return drawn;
}

function moveByKeys(svg: SVGSVGElement): void {
  svg.addEventListener('keydown', event => {
    const move = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
    const lines = [...svg.querySelectorAll<SVGPathElement>('.link')];
    const here = lines.indexOf(event.target as SVGPathElement);
    if (!move || here < 0) return;
    event.preventDefault();
    const next = lines[(here + move + lines.length) % lines.length]!;
    lines[here]!.setAttribute('tabindex', '-1');
    next.setAttribute('tabindex', '0');
    next.focus();
  });
}

export function fabricMap(map: FabricMap, name: string): HTMLElement {
  const links = [...map.links].sort((a, b) => Number(a.worst ?? false) - Number(b.worst ?? false));
  let measure: Measure = links.some(link => link.mean !== undefined) ? 'mean' : 'peak';
  let zoom = 1,
    room = 0,
    lines: Drawn[] = [],
    then: Map<FabricLink, FabricLink> | undefined; // of the part that is looked at
  const isOnPaper = () => document.documentElement.classList.contains('printing');
  const now = (link: FabricLink) => (isOnPaper() ? link : (then?.get(link) ?? link));
  const tiers = new Set(map.nodes.map(node => node.tier)).size;
  const readout = h(
    'p',
    {class: 'readout', 'aria-live': 'polite'},
    'Point at a link, or go through them with the arrow keys.',
  );
  const host = h('div', {
    class: 'map',
    tabindex: 0,
    role: 'region',
    'aria-label': `Fabric of ${name}`,
  });
  const draw = () => {
    const width = room * zoom;
    const height = HEAD + NODE + 8 + (tiers - 1) * row();
    const svg = s('svg', {
      class: 'fabric',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'group',
      'aria-label': 'The fabric, tier by tier. Arrow keys go from link to link.',
    });
    const at = places(map, width);
    lines = drawLinks(svg, links, at, now, text => (readout.textContent = text));
    paint(lines, now, measure);
    drawNodes(svg, at, map);
    moveByKeys(svg);
    host.replaceChildren(svg);
  };
  register({
    host,
    resize(width) {
      if (width === room) return;
      room = width;
      draw();
    },
    redraw: () => undefined,
  });
  const {bins, bin_s, unknown} = map.over_time ?? {};
  const scrub =
    bins !== undefined &&
    bin_s !== undefined &&
    scrubber(bins, bin_s, part => {
      then = part === undefined ? undefined : linksAt(map, part);
      paint(lines, now, measure);
      return busiestText(links.map(now), measure);
    });
  const zoomed = (factor: number) => () => {
    zoom = Math.min(4, Math.max(1, zoom * factor));
    draw();
  };
  const tools = h(
    'div',
    {class: 'zoom control', role: 'group', 'aria-label': 'Zoom of the map'},
    h('button', {type: 'button', 'aria-label': 'Zoom in', onclick: zoomed(2)}, '+'),
    h('button', {type: 'button', 'aria-label': 'Zoom out', onclick: zoomed(0.5)}, '−'),
  );
  const chooser =
    links.some(link => link.mean !== undefined) &&
    links.some(link => link.peak !== undefined) &&
    choice('Load', ['Mean of the busier direction', 'Busiest link'], 0, i => {
      measure = i === 0 ? 'mean' : 'peak';
      draw();
      if (scrub) scrub.again();
    });
  return h(
    'figure',
    {class: 'chart'},
    h('div', {class: 'chart-head'}, useScale(), h('div', {class: 'controls'}, chooser, tools)),
    host,
    scrub && scrub.element,
    unknown !== undefined && h('p', {class: 'note control'}, unknown),
    readout,
  );
}
