// One small label that follows the pointer or the focus.
import {append, h, type Child} from '../dom';

const tip = h('div', {class: 'tip', role: 'presentation', hidden: true});

export function showTip(x: number, y: number, ...content: Child[]): void {
  if (!tip.isConnected) document.body.append(tip);
  tip.replaceChildren();
  append(tip, content);
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const left = x + 14 + box.width > innerWidth ? Math.max(4, x - box.width - 14) : x + 14;
  const top = y + 14 + box.height > innerHeight ? Math.max(4, y - box.height - 10) : y + 14;
  tip.style.transform = `translate(${left}px, ${top}px)`;
}

export function hideTip(): void {
  tip.hidden = true;
}

/** Over the middle of an element, for the keyboard. */
export function showTipAt(element: Element, ...content: Child[]): void {
  const box = element.getBoundingClientRect();
  showTip(box.left + box.width / 2, box.top + box.height / 2, ...content);
}
