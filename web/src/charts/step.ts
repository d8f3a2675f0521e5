// Where a step's time goes: one bar of the step, the network's part in it called out.
import {barX, text} from '@observablehq/plot';
import {percent, seconds} from '../format';
import {plotChart, tagged, type Mark} from './plot';

export interface StepPart extends Mark {
  name: string;
  brief?: string; // where the name does not fit
  share: number;
  color: string;
  ink: string; // of text on that colour
  isNetwork: boolean;
}

const LETTER = 6.8;

/** `parts` fill the step from left to right. */
export function stepBar(name: string, parts: StepPart[]): HTMLElement {
  let end = 0;
  const pieces = parts.map(part => ({...part, x1: end, x2: (end += part.value)}));
  const network = pieces.find(piece => piece.isNetwork);
  const said = pieces.map(p => `${p.name} ${seconds(p.value)}, ${percent(p.share)}`).join('; ');
  return plotChart({
    what: `Where a step of ${name} goes: ${said}.`,
    make(width) {
      const pixels = (piece: (typeof pieces)[0]) => ((piece.x2 - piece.x1) / end) * (width - 24);
      /** The longest text that fits into a part. */
      const inside = (piece: (typeof pieces)[0]) =>
        [
          `${piece.name} ${percent(piece.share)}`,
          `${piece.brief ?? piece.name} ${percent(piece.share)}`,
          piece.brief ?? piece.name,
          '',
        ].find(words => piece.isNetwork || pixels(piece) > 8 + LETTER * words.length)!;
      const fits = pieces.filter(piece => !piece.isNetwork && inside(piece) !== '');
      const middle = network ? (network.x1 + network.x2) / 2 : 0;
      const anchor = middle < end * 0.25 ? 'start' : middle > end * 0.75 ? 'end' : 'middle';
      return {
        height: 104,
        marginLeft: 12,
        marginRight: 12,
        marginTop: 26,
        marginBottom: 38,
        x: {
          domain: [0, end],
          label: 'time of one step',
          labelAnchor: 'center',
          labelArrow: 'none',
          labelOffset: 36,
          ticks: Math.max(2, Math.floor(width / 110)),
          tickFormat: seconds,
        },
        y: {axis: null},
        color: {type: 'identity'},
        marks: [
          barX(pieces, {x1: 'x1', x2: 'x2', fill: 'color', insetRight: 0.6, ...tagged(pieces)}),
          text(fits, {x: piece => (piece.x1 + piece.x2) / 2, text: inside, fill: 'ink'}),
          network
            ? text([network], {
                x: middle,
                frameAnchor: 'top',
                dy: -14,
                textAnchor: anchor,
                text: () => `▾ ${network.name} ${percent(network.share)}`,
                fill: 'var(--c-network-ink)',
                fontWeight: 650,
                fontSize: 13,
              })
            : null,
        ],
      };
    },
  });
}
