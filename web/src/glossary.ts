// Words that need a word: docs/glossary.md, taken in when the page is built. The first of each in a part can be pointed at.
import text from '../../docs/glossary.md?raw';
import {showTipAt, hideTip} from './charts/tip';
import {h} from './dom';

export interface Entry {
  term: string;
  meaning: string;
}

/** Words of the glossary that everybody knows, or that mean many things: they are not marked. */
const PLAIN = new Set(
  `algorithm analytic bundle calibration catalog chunk claim combine context core credit data
  diagnostic dispatch edge efficiency endpoint fabric fidelity flow group hidden hop link packet pass
  path placement plane preset protocol rank resolve scenario schedule slice status step tensor trunk
  validation`.split(/\s+/),
);
const INSIDE = 'a, button, summary, code, pre, svg, select, label, legend, h1, h2, h3, .term, .tag';

const plainText = (markdown: string) =>
  markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');

/** All rows of its tables. */
export const entries: Entry[] = [...text.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)]
  .map(([, term, meaning]) => ({term: plainText(term!), meaning: plainText(meaning!)}))
  .filter(({term}) => term !== 'term');

/** "queue pair (QP)" and "leaf, spine, core" are several words. */
const meanings = new Map<string, Entry>();
for (const entry of entries)
  for (const word of entry.term.split(/, | \(|\)/))
    if (word !== '' && !PLAIN.has(word)) meanings.set(word, entry);

const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const byLength = [...meanings.keys()].sort((a, b) => b.length - a.length);
const words = new RegExp(
  `(?<![\\w-])(${byLength.map(escaped).join('|')})(?:s|es)?(?![\\w-])`,
  'gi',
);

/** The entry of a word as it stands in a text; abbreviations in capitals only. */
function entryOf(word: string): [string, Entry] | undefined {
  for (const key of [word, word.toLowerCase()]) {
    const entry = meanings.get(key);
    if (entry) return [key, entry];
  }
  return undefined;
}

const shelf = h('div', {hidden: true});

function described(word: string, key: string, entry: Entry): HTMLElement {
  const id = `word-${key.replace(/\W+/g, '-')}`;
  if (!shelf.isConnected) document.body.append(shelf);
  if (!shelf.querySelector(`#${id}`)) shelf.append(h('span', {id}, entry.meaning));
  const element: HTMLElement = h(
    'span',
    {
      class: 'term',
      tabindex: 0,
      'aria-describedby': id,
      onmouseenter: () => show(),
      onmouseleave: hideTip,
      onfocus: () => show(),
      onblur: hideTip,
    },
    word,
  );
  const show = () => showTipAt(element, h('b', {}, entry.term), ': ', entry.meaning);
  return element;
}

/** Marks the first of each word in `root`, so that pointing at it, or coming to it by keyboard, tells what it means. */
export function explainWords(root: Element): void {
  const seen = new Set(
    [...root.querySelectorAll('.term')].map(one => one.getAttribute('aria-describedby')),
  );
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    words.lastIndex = 0;
    if (words.test(node.data) && !node.parentElement?.closest(INSIDE)) found.push(node);
  }
  for (const node of found) {
    const pieces: (string | Node)[] = [];
    let from = 0;
    for (const match of node.data.matchAll(words)) {
      const entry = entryOf(match[1]!);
      if (!entry) continue;
      const id = `word-${entry[0].replace(/\W+/g, '-')}`;
      if (seen.has(id)) continue;
      seen.add(id);
      pieces.push(node.data.slice(from, match.index), described(match[0], ...entry));
      from = match.index + match[0].length;
    }
    if (pieces.length > 0) node.replaceWith(...pieces, node.data.slice(from));
  }
}
