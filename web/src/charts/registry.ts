// Every chart that is on the page, so that a change of theme, of size or of medium reaches them all.

export interface Chart {
  host: HTMLElement;
  resize(width: number): void;
  redraw(): void;
}

const charts = new Map<Element, Chart>();
const observer = new ResizeObserver(entries => {
  for (const {target, contentRect} of entries) {
    if (!target.isConnected) forget(target);
    else if (contentRect.width > 0) charts.get(target)?.resize(Math.floor(contentRect.width));
  }
});

/** A chart that another took the place of. */
function forget(host: Element): void {
  observer.unobserve(host);
  charts.delete(host);
}

/** Keeps a chart as wide as its host. It is drawn when the host has a width first. */
export function register(chart: Chart): void {
  charts.set(chart.host, chart);
  observer.observe(chart.host);
}

/** At once, to the width of the host: printing does not wait for observers. */
export function resizeAll(): void {
  for (const {host, resize} of charts.values()) {
    const width = Math.floor(host.clientWidth);
    if (width > 0 && host.isConnected) resize(width);
  }
}

export function redrawAll(): void {
  for (const chart of charts.values()) chart.redraw();
}
