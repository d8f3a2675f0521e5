// The answer first: what the network costs, what limits the job, what to change, how sure that is, what is not known.
import type {Data, Verdict} from '../data';
import {h} from '../dom';
import {capital} from '../format';
import {part, type Part} from './part';

const ABOUT: Record<string, string> = {
  cost: 'What the network costs',
  limit: 'What limits it',
  change: 'What to change',
  confidence: 'How sure this is',
  unknown: 'What it could not tell',
  manner: 'How it degrades',
  wrong: 'Wrong values',
  measured: 'What was measured',
  cause: 'Likeliest cause',
  whose: 'Whose fault',
  fix: 'What to do',
  check: 'To be sure',
  sharing: 'What sharing costs',
  messages: 'What it does to messages',
  blame: 'Who hurts whom',
  place: 'Where they meet',
  phase: 'In phase or out of it',
  'further tokens': 'Further tokens',
  rate: 'What servers get done',
  load: 'All at a time',
};

/** A number and its unit stay on one line. */
const joined = (text: string) =>
  text.replace(/(\d) (%|s|ms|µs|Gb\/s|GB\/s|GiB|GB|MB)(?![\w])/g, '$1\u00a0$2');

/** A command in the middle of a sentence, up to the full stop behind it. */
const COMMAND = /(railyard run \S+(?: --set (?:'[^']*'|[^\s']+?))+)(?=\.?(?:\s|$))/;

/** Commands as such, so that they are told from the sentence and copied as they are. */
const prose = (text: string) =>
  text.split(COMMAND).map((part, i) => (i % 2 === 1 ? h('code', {}, part) : joined(part)));

/** Without the words that say on a terminal what stands beside it here. Names of runs and files stay as they are. */
const bare = (text: string, labels: string[]) => {
  const rest = text
    .replace(/^(How sure|What limits them|Not told by this run): /, '')
    .replace(/^Likeliest cause \((\d+ of 100)\): /, '$1: ');
  const isName = labels.some(label => rest.startsWith(label)) || !/^[a-z]+[ ,]/.test(rest);
  return isName ? rest : capital(rest);
};

/** The first sentence is the answer; the others say the rest, each under what it is about. */
export function sentences(verdict: Verdict, labels: string[] = []): HTMLElement {
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
            h('dd', {}, prose(bare(one.text, labels))),
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
  return part(
    'verdict',
    'Verdict',
    '',
    sentences(
      verdict,
      runs.map(run => run.label),
    ),
  );
}
