// Who paused whom: a box per port, an arrow to each port that it stopped, thicker with more pauses.
import {h, s} from '../dom';
import {count, microseconds} from '../format';
import {register} from './registry';

export interface PauseNode {
  port: string;
  depth: number;
  pauses: number;
  first_us: number;
  left_out?: number;
}

interface Box {
  node: PauseNode;
  parent: Box | undefined;
  children: number;
  x: number;
  y: number;
}

const MOST = 36; // boxes
const BOX = 42,
  GAP = 12,
  LEAST = 190, // width of a box
  INDENT = 22;

export const pauseText = (node: PauseNode): string =>
  `${count(node.pauses)} ${node.pauses === 1 ? 'pause' : 'pauses'}, first at ${microseconds(node.first_us)}`;

/** Those with most pauses, each with all that it follows from; in the order of the document. */
export function mostPaused(nodes: PauseNode[]): PauseNode[] {
  const parents = nodes.map((node, i) =>
    nodes.findLastIndex((other, j) => j < i && other.depth < node.depth),
  );
  const kept = new Set<number>();
  const order = nodes
    .map((_n, i) => i)
    .sort((a, b) => nodes[b]!.pauses - nodes[a]!.pauses || a - b);
  for (const i of order) {
    const line: number[] = [];
    for (let at = i; at >= 0 && !kept.has(at); at = parents[at]!) line.push(at);
    if (kept.size + line.length <= MOST) line.forEach(at => kept.add(at));
  }
  return nodes.filter((_n, i) => kept.has(i));
}

/** From left to right if there is room, else each under the one before. */
function boxes(nodes: PauseNode[], width: number): {all: Box[]; box: number; isTall: boolean} {
  const depth = Math.max(...nodes.map(node => node.depth)) + 1;
  const isTall = width < depth * (LEAST + 50);
  const box = isTall
    ? Math.min(LEAST + 40, width - INDENT * depth)
    : Math.min(300, width / depth - 60);
  const step = isTall ? INDENT : depth > 1 ? (width - box) / (depth - 1) : 0;
  const open: Box[] = [];
  let row = 0;
  const all = nodes.map(node => {
    while (open.length > 0 && open[open.length - 1]!.node.depth >= node.depth) open.pop();
    const parent = open[open.length - 1];
    if (!isTall && parent?.children === 0) row--; // beside the one that paused it
    const here: Box = {node, parent, children: 0, x: node.depth * step, y: row++ * (BOX + GAP)};
    if (parent) parent.children++;
    open.push(here);
    return here;
  });
  return {all, box, isTall};
}

function arrow(from: Box, to: Box, box: number, isTall: boolean): string {
  const [y1, y2] = [from.y + BOX / 2, to.y + BOX / 2];
  if (isTall) return `M${from.x + 9} ${from.y + BOX}V${y2}H${to.x - 9}`;
  const [x1, x2] = [from.x + box, to.x - 9];
  const middle = (x1 + x2) / 2;
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
}

export function pausePicture(nodes: PauseNode[]): HTMLElement {
  const shown = mostPaused(nodes);
  const most = Math.max(...shown.map(node => node.pauses), 1);
  const host = h('div', {
    class: 'pauses',
    role: 'img',
    'aria-label': `Who paused whom: ${shown.map(node => `${'below it '.repeat(Math.min(1, node.depth))}${node.port}, ${pauseText(node)}`).join('; ')}.`,
  });
  register({
    host,
    resize(width) {
      const {all, box, isTall} = boxes(shown, width);
      const letters = Math.floor((box - 16) / 6.9);
      const svg = s('svg', {width, height: Math.max(...all.map(one => one.y)) + BOX + 4});
      for (const one of all)
        if (one.parent)
          svg.append(
            s('path', {
              d: arrow(one.parent, one, box, isTall),
              class: 'arrow',
              'stroke-width': 1.2 + 5 * (one.node.pauses / most),
            }),
            s('path', {d: `M${one.x} ${one.y + BOX / 2 + 1}l-10 -6v12z`, class: 'head'}),
          );
      for (const one of all) {
        const name = one.node.port;
        svg.append(
          s(
            'g',
            {
              class: one.parent ? 'port' : 'port root',
              'data-port': name,
              'data-value': one.node.pauses,
            },
            s('title', {}, `${name}: ${pauseText(one.node)}`),
            s('rect', {x: one.x + 1, y: one.y + 1, width: box - 2, height: BOX, rx: 5}),
            s(
              'text',
              {x: one.x + 9, y: one.y + 18, class: 'name'},
              name.length > letters ? `${name.slice(0, letters - 1)}…` : name,
            ),
            s('text', {x: one.x + 9, y: one.y + 34, class: 'what'}, pauseText(one.node)),
          ),
        );
      }
      host.replaceChildren(svg);
    },
    redraw: () => undefined,
  });
  return h(
    'figure',
    {class: 'chart'},
    host,
    shown.length < nodes.length &&
      h(
        'p',
        {class: 'note'},
        `${shown.length} of ${count(nodes.length)} ports are drawn: those that were paused most, and what they follow from.`,
      ),
  );
}
