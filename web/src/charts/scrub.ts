// Time under a chart: a slider over the parts of a run, which also plays by itself. At its left end is the whole run.
import {h} from '../dom';
import {microsecondsTicks} from '../format';

const PACE = 160; // ms for a part while it plays

export interface Scrubber {
  element: HTMLElement;
  again(): void; // shows what is chosen once more
}

/** `show` draws a part, or the whole run, and says what is seen. */
export function scrubber(
  parts: number,
  part_s: number,
  show: (part: number | undefined) => string,
): Scrubber {
  const time = microsecondsTicks(parts * part_s * 1e6);
  const when = (part: number) =>
    `${time(part * part_s * 1e6)} to ${time((part + 1) * part_s * 1e6)}`;
  const slider = h('input', {type: 'range', min: 0, max: parts, step: 1, value: 0});
  const said = h('p', {class: 'readout'}); // the slider says it to those who listen
  const play = h('button', {type: 'button', class: 'play'}, 'Play');
  const whole = h('button', {type: 'button'}, 'Whole run');
  const go = (to: number) => {
    const part = to > 0 ? to - 1 : undefined;
    const text = `${part === undefined ? 'Whole run' : when(part)}: ${show(part)}`;
    slider.value = String(to);
    slider.setAttribute('aria-valuetext', text);
    said.textContent = text;
    whole.disabled = to === 0;
  };
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
    play.textContent = 'Play';
  };
  const advance = () => {
    if (!slider.isConnected || Number(slider.value) >= parts) return stop();
    go(Number(slider.value) + 1);
  };
  play.addEventListener('click', () => {
    if (timer !== undefined) return stop();
    if (Number(slider.value) >= parts) go(0);
    timer = setInterval(advance, PACE);
    play.textContent = 'Pause';
    advance();
  });
  whole.addEventListener('click', () => {
    stop();
    go(0);
    slider.focus(); // the button is of no more use
  });
  slider.addEventListener('input', () => {
    stop();
    go(Number(slider.value));
  });
  go(0);
  const element = h(
    'div',
    {class: 'scrub control', role: 'group', 'aria-label': 'Load over time'},
    h(
      'div',
      {class: 'scrub-line'},
      play,
      h('label', {class: 'field'}, h('span', {}, 'Time in the run'), slider),
      whole,
    ),
    said,
  );
  return {element, again: () => go(Number(slider.value))};
}
