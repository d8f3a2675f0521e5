// One colour for one thing, in every chart. The hues are told apart by people who see colours differently (after Okabe and Ito).

const PRIMITIVES: [RegExp, string][] = [
  [/^all.reduce/, 'all-reduce'],
  [/^all.gather/, 'all-gather'],
  [/^reduce.scatter/, 'reduce-scatter'],
  [/^all.to.all/, 'all-to-all'],
  [/^(send|point|p2p|recv)/, 'send'],
  [/^(broadcast|reduce)/, 'broadcast'],
];
const KINDS = [
  'forward',
  'backward',
  'optimizer',
  'bubble',
  'compute',
  'contention',
  'host',
  'tensor',
  'context',
  'expert',
  'pipeline',
  'data',
];
const SPARE = ['spare-1', 'spare-2', 'spare-3', 'spare-4', 'spare-5', 'spare-6'];

/** The CSS variable of a name, or nothing where it has no colour of its own. */
function known(name: string): string | undefined {
  const low = name.toLowerCase();
  const primitive = PRIMITIVES.find(([pattern]) => pattern.test(low));
  if (primitive) return `--c-${primitive[1]}`;
  if (/input.gradient/.test(low)) return '--c-backward';
  if (/weight.gradient/.test(low)) return '--c-weight';
  if (/interleaved|several/.test(low)) return '--c-compute';
  if (low === 'gradients') return '--c-reduce-scatter';
  if (low === 'parameters') return '--c-all-gather';
  const kind = KINDS.find(word => low.startsWith(word)) ?? KINDS.find(word => low.includes(word));
  return kind ? `--c-${kind}` : undefined;
}

export interface Paint {
  variable: string;
  shade: number; // 0: the colour itself; 1, 2, …: paler, for several things of one kind
}

/** Colours for names that stand side by side: the same name has the same colour everywhere, its namesakes are paler. */
export function paints(names: string[]): Paint[] {
  const used = new Map<string, number>();
  let spare = 0;
  return names.map(name => {
    const variable = known(name) ?? `--c-${SPARE[spare++ % SPARE.length]!}`;
    const shade = used.get(variable) ?? 0;
    used.set(variable, shade + 1);
    return {variable, shade};
  });
}

/** As CSS, for elements: follows the theme by itself. */
export function css({variable, shade}: Paint): string {
  return shade === 0
    ? `var(${variable})`
    : `color-mix(in oklab, var(${variable}) ${Math.max(30, 100 - 27 * shade)}%, var(--surface))`;
}

let probe: HTMLElement | undefined;
/** As a colour for a canvas: of the theme that holds now. */
export function resolved(color: string): string {
  if (!probe) {
    probe = document.createElement('span');
    probe.hidden = true;
    document.body.append(probe);
  }
  probe.style.color = '';
  probe.style.color = color;
  return getComputedStyle(probe).color;
}
