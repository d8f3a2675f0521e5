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

/** At once, to a given width or to that of the host: printing does not wait for observers. */
export function resizeAll(width?: number): void {
  for (const chart of charts.values()) {
    const own = width ?? Math.floor(chart.host.clientWidth);
    if (own > 0 && chart.host.isConnected) chart.resize(own);
  }
}

export function redrawAll(): void {
  for (const chart of charts.values()) chart.redraw();
}
