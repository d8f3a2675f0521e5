// Serving a model: what a pass of either side takes, what comes out of it, and what of it is the network.
import type {Data, Serving} from '../data';
import {h} from '../dom';
import {count, percent, seconds} from '../format';
import {table, type Column} from '../table';
import {figure, part, type Part} from './part';

interface Side {
  member: 'prefill' | 'decode';
}
interface Token {
  title: string;
  member: 'first_token' | 'next_token';
}

function tokensTable(found: Serving): HTMLElement {
  const number = (title: string, member: string): Column<Token> => ({
    title,
    cell: one => figure(found, `${one.member}.${member}`, seconds),
    isNumber: true,
  });
  const isLoaded = found.next_token.p99_s !== undefined;
  return table(
    'Tokens',
    [
      {title: 'Token', cell: one => one.title},
      number('On an idle network', 'time_s'),
      ...(isLoaded ? [number('Median', 'median_s'), number('p99', 'p99_s')] : []),
    ],
    [
      {title: 'the first', member: 'first_token'},
      {title: 'each further one', member: 'next_token'},
    ],
  );
}

function passesTable(found: Serving): HTMLElement {
  const number = (title: string, member: string, text: (v: number) => string): Column<Side> => ({
    title,
    cell: one => figure(found, `${one.member}.${member}`, text),
    isNumber: true,
  });
  return table(
    'Passes',
    [
      {title: 'Side', cell: one => one.member},
      number('GPUs', 'gpus', count),
      number('Requests', 'requests', count),
      number('Pass', 'time_s', seconds),
      number('Compute', 'compute_s', seconds),
      number('Scale-up', 'scale_up_s', seconds),
      number('Network', 'network_s', seconds),
      number('Of it', 'network_share', percent),
      number('Tokens/s of a GPU', 'tokens_per_second_per_gpu', count),
      number('Of a server', 'tokens_per_second_per_node', count),
    ],
    [{member: 'prefill'}, {member: 'decode'}],
  );
}

export function servingParts(data: Data): Part[] {
  const found = data.serving;
  if (!found) return [];
  return [
    part(
      'serving',
      'Prompts and tokens',
      'A pass reads the prompts of a tensor group, or writes one token of each of its requests. Compute is a pass without any links.',
      h('div', {class: 'card'}, tokensTable(found), passesTable(found)),
    ),
  ];
}
