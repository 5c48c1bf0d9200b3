/** The server's API (docs/API.md): requests with the right token and language, and the socket that brings updates. */

import { lang, t } from "./i18n.js";
import { settings } from "./settings.js";

/** @typedef {{ rule: string, key: string, args: Record<string, any>, text: string }} Message */
/** @typedef {{ kind: string, value: string }} Argument */
/** @typedef {{ text: string, verb: string, args: Argument[], label: string, names: boolean }} LegalAction */
/** @typedef {{ ply: number, seat: string, action: string, label: string, heading?: string, events: Message[], change: any, reasons: boolean, roll?: { faces: number[], panel?: any } }} Entry */
/** @typedef {{ seen: number, ply: number, cut: number, entries: Entry[], snapshot: any }} Update */

/** An answer that is no success; `body` is what the server said. */
export class ApiError extends Error {
  /** @param {number} status @param {any} body */
  constructor(status, body) {
    super(body?.message ?? t("error.unknown", { status }));
    this.status = status;
    this.code = body?.error ?? "";
    this.body = body ?? {};
  }
}

/**
 * @param {string} method
 * @param {string} path below /api
 * @param {{ body?: unknown, query?: Record<string, string | number | null | undefined>, game?: string, text?: boolean }} [more]
 */
export async function request(method, path, { body, query = {}, game, text = false } = {}) {
  const url = new URL(`/api/${path}`, location.href);
  url.searchParams.set("lang", lang());
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) url.searchParams.set(name, String(value));
  }
  let answer;
  try {
    answer = await fetch(url, { method, headers: headers(game, body), body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new ApiError(0, { error: "offline", message: t("error.offline") });
  }
  if (!answer.ok) throw new ApiError(answer.status, await answer.json().catch(() => null));
  if (answer.status === 204) return null;
  return text ? answer.text() : answer.json();
}

/** @param {string} path @param {Parameters<typeof request>[2]} [more] */
export const get = (path, more) => request("GET", path, more);
/** @param {string} path @param {unknown} body @param {Parameters<typeof request>[2]} [more] */
export const post = (path, body, more) => request("POST", path, { ...more, body });

function headers(game, body) {
  const token = game ? settings.tokens[game] : Object.values(settings.tokens).join(",");
  return {
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(token ? { "X-Salient-Token": token } : {}),
  };
}

/** Keeps a socket open to one game and hands its messages on; comes again with what was last seen after a loss. */
export class GameSocket extends EventTarget {
  /** @param {string} game @param {() => { seat: string | null, since: number | null }} position */
  constructor(game, position) {
    super();
    this.game = game;
    this.position = position;
    this.closed = false;
    this.delay = 500;
    this.open();
  }

  open() {
    const url = new URL(`/api/games/${this.game}/socket`, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(url);
    this.socket.onopen = () => {
      this.delay = 500;
      this.send({ token: settings.tokens[this.game] ?? null, lang: lang(), ...this.position() });
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

  /** @param {unknown} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }
}
