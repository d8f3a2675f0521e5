// The answer first: what the network costs, what limits the job, what to change, how sure that is, what is not known.
import type {Data, Verdict} from '../data';
import {h} from '../dom';
import {part, type Part} from './part';

const ABOUT: Record<string, string> = {
  cost: 'What the network costs',
  limit: 'What limits it',
  change: 'What to change',
  confidence: 'How sure this is',
  unknown: 'What it could not tell',
  manner: 'How it degrades',
};

/** A number and its unit stay on one line. */
const joined = (text: string) =>
  text.replace(/(\d) (%|s|ms|µs|Gb\/s|GB|MB)(?![\w])/g, '$1\u00a0$2');

/** Without the words that say on a terminal what stands beside it here. */
const bare = (text: string) => {
  const rest = text.replace(/^(How sure|What limits them|Not told by this run): /, '');
  return rest.charAt(0).toUpperCase() + rest.slice(1);
};

/** The first sentence is the answer; the others say the rest, each under what it is about. */
export function sentences(verdict: Verdict): HTMLElement {
  const [first, ...rest] = verdict.sentences ?? [];
  return h(
    'div',
    {class: 'verdict'},
    first && h('p', {class: 'lead'}, joined(first.text)),
    rest.length > 0 &&
      h(
        'dl',
        {},
        rest.map(one =>
          h(
            'div',
            {class: `about-${one.about}`},
            h('dt', {}, ABOUT[one.about] ?? one.about),
            h('dd', {}, joined(bare(one.text))),
          ),
        ),
      ),
    verdict.pointless &&
      verdict.pointless.length > 0 &&
      h(
        'div',
        {class: 'pointless'},
        h('h4', {}, 'What cannot matter here'),
        h(
          'ul',
          {},
          verdict.pointless.map(text => h('li', {}, text)),
        ),
      ),
  );
}

/** Of the comparison as a whole, or of the run if there is one. */
export function verdictPart(data: Data): Part | undefined {
  const runs = data.runs ?? [];
  const verdict = data.verdict ?? (runs.length === 1 ? runs[0]!.results.verdict : undefined);
  if (!verdict?.sentences || verdict.sentences.length === 0) return undefined;
  return part('verdict', 'Verdict', '', sentences(verdict));
}
