/** The server's API (docs/API.md): requests with the right token and language, and the socket that brings updates. */

import { lang, t } from "./i18n.js";
import { settings } from "./settings.js";

/** @import { More } from "./wire.d.ts" */
/** @typedef {import("./wire.d.ts").Said} Message */
/** @typedef {import("./wire.d.ts").Argument} Argument */
/** @typedef {import("./wire.d.ts").LegalAction} LegalAction */
/** @typedef {import("./wire.d.ts").LogEntry} Entry */
/** @typedef {import("./wire.d.ts").Update} Update */

const TRIES = 6;
const LONGEST_PAUSE = 2; // seconds: whoever has to wait longer is told so

/** An answer that is no success; `body` is what the server said. */
export class ApiError extends Error {
  /** @param {number} status @param {any} body */
  constructor(status, body) {
    super(body?.message ?? t("error.unknown", { status }));
    this.status = status;
    this.code = body?.error ?? "";
    this.body = body ?? {};
  }

  /** Whether the same may go well a little later: no connection, too many requests, trouble in the server. */
  get passing() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/**
 * @param {string} method
 * @param {string} path below /api
 * @param {More} [more]
 * @returns {Promise<any>}
 */
export async function request(method, path, { body, query = {}, game, text = false } = {}) {
  const url = new URL(`/api/${path}`, location.href);
  url.searchParams.set("lang", lang());
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
  }
  let answer;
  try {
    answer = await patientFetch(url, { method, headers: headers(game, body), body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new ApiError(0, { error: "offline", message: t("error.offline") });
  }
  if (!answer.ok) throw new ApiError(answer.status, await answer.json().catch(() => null));
  if (answer.status === 204) return null;
  return text ? answer.text() : answer.json();
}

/**
 * Asks again where the server wants to be asked a moment later: nothing has been done then. Two people of one house share its limit.
 * @param {URL} url @param {RequestInit} init
 */
async function patientFetch(url, init) {
  for (let left = TRIES - 1; ; left--) {
    const answer = await fetch(url, init);
    const passing = answer.status === 429 || (answer.status === 503 && init.method === "GET");
    const seconds = passing ? Number(answer.headers.get("Retry-After")) : 0;
    if (!seconds || seconds > LONGEST_PAUSE || !left) return answer;
    await new Promise((resolve) => setTimeout(resolve, seconds * (500 + 500 * Math.random())));
  }
}

/** @type {import("./wire.d.ts").Get} */
export const get = (/** @type {string} */ path, /** @type {More | undefined} */ more) => request("GET", path, more);
/** @type {import("./wire.d.ts").Post} */
export const post = (/** @type {string} */ path, /** @type {unknown} */ body, /** @type {More | undefined} */ more) => request("POST", path, { ...more, body });

/** @param {string | undefined} game @param {unknown} body */
function headers(game, body) {
  const token = game ? settings.tokens[game] : Object.values(settings.tokens).join(",");
  return {
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(token ? { "X-Salient-Token": token } : {}),
  };
}

/** A page that was out of sight for so many milliseconds may have slept, and its sockets died without a word. */
const ASLEEP = 60_000;

/** Keeps a socket open and hands its messages on; comes again by itself after a loss. */
export class Socket extends EventTarget {
  /** @param {string} path below /api @param {() => object} greeting what is said first, each time */
  constructor(path, greeting) {
    super();
    this.path = path;
    this.greeting = greeting;
    this.closed = false;
    this.delay = 500;
    this.hidden = Date.now();
    this.renewing = () => this.renew();
    this.waking = () => this.seen();
    window.addEventListener("online", this.renewing);
    document.addEventListener("visibilitychange", this.waking);
    this.open();
  }

  open() {
    const url = new URL(`/api/${this.path}`, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(url);
    this.socket.onopen = () => {
      this.delay = 500;
      this.send({ lang: lang(), ...this.greeting() });
      this.dispatchEvent(new CustomEvent("connected", { detail: true }));
    };
    this.socket.onmessage = (event) => this.dispatchEvent(new CustomEvent("message", { detail: JSON.parse(event.data) }));
    this.socket.onclose = () => this.lost();
  }

  lost() {
    if (this.closed) return;
    this.dispatchEvent(new CustomEvent("connected", { detail: false }));
    this.timer = setTimeout(() => this.open(), this.delay);
    this.delay = Math.min(this.delay * 2, 8000);
  }

  /** Comes again: a network that was away takes sockets along, and nobody tells the page. */
  renew() {
    clearTimeout(this.timer);
    if (this.socket) this.socket.onclose = this.socket.onmessage = null;
    this.socket?.close();
    this.delay = 500;
    this.open();
  }

  seen() {
    if (document.hidden) this.hidden = Date.now();
    else if (Date.now() - this.hidden > ASLEEP) this.renew();
  }

  /** @param {unknown} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  close() {
    this.closed = true;
    window.removeEventListener("online", this.renewing);
    document.removeEventListener("visibilitychange", this.waking);
    clearTimeout(this.timer);
    this.socket?.close();
  }
}

/** A socket to one game, which tells each time what was last seen. */
export class GameSocket extends Socket {
  /** @param {string} game @param {() => { seat: string | null, since: number | null, held: string | null }} position */
  constructor(game, position) {
    super(`games/${game}/socket`, () => ({ token: settings.tokens[game] ?? null, ...position() }));
  }
}
