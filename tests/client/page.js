/** What a page of a browser has and Node has not, as little of it as the client's logic touches. */

globalThis.location ??= /** @type {any} */ ({ href: "http://table.test/" });
globalThis.document ??= /** @type {any} */ ({ hidden: false, documentElement: { dataset: {}, style: {} } });
globalThis.HTMLElement ??= /** @type {any} */ (class {});
globalThis.customElements ??= /** @type {any} */ ({ define() {} });
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

/** An element that only knows its size, its class names and its listeners. */
export function box(width, height) {
  return Object.assign(new EventTarget(), {
    clientWidth: width,
    clientHeight: height,
    style: {},
    classList: { add() {}, remove() {}, toggle() {} },
    setPointerCapture() {},
    getBoundingClientRect: () => ({ left: 0, top: 0, width, height }),
  });
}

/** Requests wait here until the test answers them: `{ method, path, query, body, answer(json), refuse(status, json) }`. */
export function holdRequests() {
  /** @type {any[]} */
  const requests = [];
  globalThis.fetch = /** @type {any} */ (
    (url, { method, body }) =>
      new Promise((resolve) => {
        const reply = (status) => (json) => resolve({ ok: status < 400, status, json: async () => json, text: async () => json });
        requests.push({ method, path: url.pathname.slice(5), query: Object.fromEntries(url.searchParams), body: body && JSON.parse(body), answer: reply(200), refuse: (status, json) => reply(status)(json) });
      })
  );
  return requests;
}

/** Lets everything that waits for nothing but its turn go on. */
export const settled = () => new Promise((resolve) => setTimeout(resolve));
