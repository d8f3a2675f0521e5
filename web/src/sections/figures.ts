// The few numbers a run is known by, whatever kind it is.
import type {Run} from '../data';
import {h, type Child} from '../dom';
import {count, gbps, microseconds, percent, seconds} from '../format';
import {figure} from './part';

type Figure = [name: string, value: Child, note?: string];

function ofStep(run: Run): Figure[] {
  const r = run.results;
  const out: Figure[] = [];
  if (r.step_time_s !== undefined) out.push(['Step time', figure(r, 'step_time_s', seconds)]);
  if (r.mfu) out.push(['MFU', figure(r, 'mfu.causal', percent), 'causal attention']);
  if (r.verdict?.cost?.network_share !== undefined)
    out.push(['Network costs', figure(r, 'verdict.cost.network_share', percent), 'of the step']);
  else if (r.breakdown?.shares)
    out.push([
      'Exposed communication',
      figure(r, 'breakdown.shares.exposed', percent),
      'of the step',
    ]);
  if (r.verdict?.cost?.scale_up_share !== undefined)
    out.push(['Scale-up links', figure(r, 'verdict.cost.scale_up_share', percent), 'of the step']);
  if (r.breakdown?.shares && !r.verdict?.parts)
    out.push([
      'Waiting for other stages',
      figure(r, 'breakdown.shares.bubble', percent),
      'of the step',
    ]);
  if (r.tokens_per_s_per_gpu !== undefined)
    out.push(['Tokens', figure(r, 'tokens_per_s_per_gpu', count), 'per second and GPU']);
  return out;
}

function ofTraffic(run: Run): Figure[] {
  const r = run.results;
  const out: Figure[] = [];
  if (r.flows?.fct_us)
    out.push(
      ['Completion, mean', figure(r, 'flows.fct_us.mean', microseconds)],
      ['Completion, p99', figure(r, 'flows.fct_us.p99', microseconds)],
    );
  if (typeof (r as {goodput_gbps?: number}).goodput_gbps === 'number')
    out.push(['Goodput', figure(r, 'goodput_gbps', gbps), 'all receivers']);
  if (r.points && r.points.length > 0) {
    const last = r.points.length - 1;
    const at = (name: string) => `points[${last}].${name}`;
    out.push(
      ['Time', figure(r, at('time_us'), microseconds), 'largest size'],
      ['Bus bandwidth', figure(r, at('busbw_gbs'), v => `${v.toFixed(2)} GB/s`), 'largest size'],
      ['Of the bound', figure(r, at('of_bound'), percent), 'largest size'],
    );
  }
  return out;
}

export function figuresList(run: Run): HTMLElement {
  const all = [...ofStep(run), ...ofTraffic(run)];
  if (run.results.ranks !== undefined) all.push(['GPUs', figure(run.results, 'ranks', count)]);
  return h(
    'dl',
    {class: 'figures'},
    all.map(([name, value, note]) =>
      h(
        'div',
        {},
        h('dt', {}, name),
        h('dd', {}, value, note !== undefined && h('small', {}, note)),
      ),
    ),
  );
}
