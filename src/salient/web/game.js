/** One game as this browser sees it: the snapshot, the log, what is shown now, looking back, and playback. */

import { GameSocket, get, request } from "./api.js";
import { changedSnapshot, changedView } from "./changes.js";
import { lang, t } from "./i18n.js";
import { later } from "./later.js";
import { Past } from "./past.js";
import { Previews } from "./previews.js";
import { Showtime } from "./showtime.js";

/** @import { Components, HexFact, LogPage, MapAnswer, Preview, Snapshot, View, WhyNot } from "./wire.d.ts" */

/** @import { ApiError } from "./api.js" */
/** @typedef {import("./api.js").Entry} Entry */
/** @typedef {import("./api.js").Update} Update */

export class GameClient extends EventTarget {
  /** @param {string} id */
  constructor(id) {
    super();
    this.id = id;
    /** @type {Snapshot} */
    this.snapshot = later();
    /** @type {View} the view on the board: the present one, one in the past, or a step of playback */
    this.shown = later();
    /** @type {Components} */
    this.components = later();
    /** @type {Record<string, string>} */
    this.names = {};
    /** How often words were loaded: what was drawn with earlier ones is drawn again. */
    this.wording = 0;
    /** @type {MapAnswer} */
    this.map = later();
    /** @type {Record<string, HexFact>} */
    this.hexes = {};
    /** @type {GameSocket | undefined} */
    this.socket = undefined;
    /** @type {string | undefined} what names this browser's socket, so that it is not told what its own requests were answered */
    this.link = undefined;
    /** @type {Promise<void> | undefined} the last request that may change the game */
    this.answered = undefined;
    this.past = new Past(this);
    this.previews = new Previews(this);
    /** @type {Entry[]} */
    this.entries = [];
    /** @type {number | null} the ply looked back at */
    this.back = null;
    /** @type {string | null} whose eyes were asked for; null follows the decision */
    this.perspective = null;
    /** @type {{ seats: string[], watching: number }} who is at the table */
    this.present = { seats: [], watching: 0 };
    this.playing = false;
    this.showtime = new Showtime(this);
    this.busy = false;
    /** @type {any[]} what the socket said while an answer was under way */
    this.unheard = [];
    this.connected = true;
    /** @type {number | undefined} what this browser's own last action led to */
    this.ownSeen = undefined;
  }

  /** Loads everything and opens the socket. */
  async load() {
    this.snapshot = await get(`games/${this.id}`, { game: this.id });
    this.shown = this.snapshot.view;
    await Promise.all([this.loadLibrary(), this.loadLog()]);
    this.socket = new GameSocket(this.id, () => this.position());
    this.socket.addEventListener("message", (event) => this.heard(/** @type {CustomEvent} */ (event).detail));
    this.socket.addEventListener("connected", (event) => {
      this.connected = /** @type {CustomEvent} */ (event).detail;
      this.tell("connection");
    });
  }

  async loadLibrary() {
    const { game } = this.snapshot;
    const [components, catalog, map, hexes] = await Promise.all([
      get(`library/${game}/components`),
      get(`library/${game}/catalog`),
      get(`library/${game}/map`),
      get(`library/${game}/hexes`),
    ]);
    this.components = components;
    this.names = catalog.names;
    this.wording += 1;
    this.map = map;
    this.hexes = hexes;
  }

  /** The whole log, page by page. */
  async loadLog() {
    /** @type {Entry[]} */
    const entries = [];
    for (let page = /** @type {LogPage | null} */ (null); !page || (page.entries.length && entries.length < page.ply); ) {
      page = await get(`games/${this.id}/log`, this.eyes({ since: entries.length }));
      entries.push(...page.entries);
    }
    this.entries = entries;
  }

  /** Loads all words again in the language chosen now. */
  async reword() {
    this.snapshot = await get(`games/${this.id}`, this.eyes());
    if (this.back === null) this.shown = this.snapshot.view;
    this.past.forget();
    await Promise.all([this.loadLibrary(), this.loadLog()]);
    this.socket?.send({ lang: lang(), ...this.position() });
    this.tell("entries");
    this.tell("shown");
  }

  close() {
    this.skip();
    this.socket?.close();
  }

  /** @param {string} key */
  name(key) {
    return this.names[key] ?? key;
  }

  /** A hex with the name of its place, other places by their own. @param {string} place */
  placeName(place) {
    const town = this.hexes[place]?.place;
    return town ? `${town} ${place}` : this.name(place);
  }

  /** The query of a request: whose eyes. @param {Record<string, any>} [query] */
  eyes(query = {}) {
    return { game: this.id, query: { seat: this.perspective, ...query } };
  }

  /** What this browser looks at and holds, for the socket. */
  position() {
    return { seat: this.perspective, since: this.snapshot.seen, held: this.snapshot.mark };
  }

  get over() {
    return this.snapshot.actor === "over";
  }

  /** Whether this browser may choose now. */
  get choosing() {
    return this.snapshot.yours && this.back === null && !this.playing && !this.busy;
  }

  /** Whether the present position came from elsewhere: another window, the other side. */
  get changedElsewhere() {
    return this.snapshot.seen !== this.ownSeen;
  }

  // ---- playing ---------------------------------------------------------------

  /** @param {string} action */
  play(action) {
    return this.submit("actions", { action });
  }

  /** The faces of real dice. @param {number[]} faces */
  roll(faces) {
    return this.submit("actions", { faces });
  }

  /** Waits for an answer under way, so that each of several quick presses counts. @param {"undo" | "reset" | "redo"} what */
  async turnBack(what) {
    while (this.busy) await this.answered;
    return this.submit(what, {});
  }

  /** A second click before the answer to the first one is no second action. @param {string} what @param {object} body */
  async submit(what, body) {
    if (this.busy) return;
    this.answered = this.send(what, body);
    return this.answered;
  }

  /** @param {string} what @param {object} body */
  async send(what, body) {
    this.busy = true;
    try {
      const known = { held: this.snapshot.mark, link: this.link };
      const update = await request("POST", `games/${this.id}/${what}`, { ...this.eyes(known), body: { seen: this.snapshot.seen, ...body } });
      this.busy = false;
      this.ownSeen = update.seen;
      this.receive(update);
    } catch (error) {
      await this.failed(/** @type {ApiError} */ (error));
    }
    for (const message of this.unheard.splice(0)) this.heard(message);
  }

  /** No answer came: what was sent may have arrived all the same, as the present tells. @param {ApiError} error */
  async failed(error) {
    const present = error.code === "offline" ? await get(`games/${this.id}`, this.eyes()).catch(() => null) : null;
    this.busy = false;
    if (!present || present.seen === this.snapshot.seen) return this.refused(error);
    this.ownSeen = present.seen;
    return this.catchUp(present);
  }

  /** @param {ApiError} error */
  refused(error) {
    const fresh = this.after(error.body ?? {});
    if (fresh) this.settle(fresh);
    if (error.code === "more-dice") return this.tell("more-dice", error.body.needed);
    const reasons = error.body?.refusals ?? [];
    this.tell("refused", { message: error.code === "stale" ? t("error.stale") : error.message, refusals: reasons });
    this.tell("shown");
  }

  // ---- updates ---------------------------------------------------------------

  /** What the socket says waits for an answer under way: what is new in it comes after. @param {any} message */
  heard(message) {
    if (this.busy) this.unheard.push(message);
    else if (message.type === "update") this.listen(message);
    else if (message.type === "chat") this.tell("chat");
    else if (message.type === "presence") this.tell("presence", (this.present = message));
    else if (message.type === "gone") this.tell("gone");
  }

  /** @param {Update & { link?: string }} update */
  listen(update) {
    this.link = update.link ?? this.link;
    this.receive(update);
  }

  /** The snapshot after an answer; undefined if it changes one that is not held. @param {Partial<Update>} answer */
  after({ snapshot, change, entries = [] }) {
    if (!change) return snapshot;
    if ((change.mark ?? change.from) === this.snapshot.mark) return this.snapshot;
    return change.from === this.snapshot.mark ? changedSnapshot(this.snapshot, change, entries) : undefined;
  }

  /** @param {Update} update @returns {Promise<void> | void} */
  receive(update) {
    const fresh = this.after(update);
    if (!fresh) return update.seen < this.snapshot.seen ? undefined : this.reload();
    if (fresh.seen < this.snapshot.seen || this.knows(fresh, update)) return undefined;
    return update.gap ? this.catchUp(fresh) : this.take(fresh, update);
  }

  /** Loads the present and the log: what is new was told of something that is not held. */
  async reload() {
    const fresh = await get(`games/${this.id}`, this.eyes());
    if (fresh.seen >= this.snapshot.seen) return this.catchUp(fresh);
  }

  /** @param {Snapshot} snapshot the present @param {Update} update */
  take(snapshot, update) {
    const known = this.entries.length;
    this.entries = [...this.entries.slice(0, update.cut), ...update.entries.filter(({ ply }) => ply > update.cut)];
    if (update.cut < known) this.past.forget();
    const fresh = update.entries.filter(({ ply }) => ply > known);
    this.past.extend(fresh);
    const before = this.snapshot;
    this.snapshot = snapshot;
    this.tell("entries");
    if (this.back !== null) return this.tell("snapshot");
    if (update.cut < known || !fresh.length) return this.settle(snapshot);
    this.showtime.add(fresh, before);
  }

  /** Loads the log anew after so much has happened that an update does not tell it. @param {Snapshot} snapshot */
  async catchUp(snapshot) {
    this.snapshot = snapshot;
    this.past.forget();
    await this.loadLog();
    this.tell("entries");
    this.settle(this.snapshot);
  }

  /** Whether an update says nothing new, as after a connection that came back. Drawing again would swallow a click. @param {Snapshot} fresh @param {Update} update */
  knows({ mark }, { ply }) {
    return mark === this.snapshot.mark && ply === this.entries.length;
  }

  /** @param {Snapshot} snapshot */
  settle(snapshot) {
    this.snapshot = snapshot;
    this.showtime.clear();
    this.playing = false;
    if (this.back === null) this.shown = snapshot.view;
    this.tell("shown");
    const others = snapshot.yours || this.over ? this.showtime.over() : undefined;
    if (others) this.tell("turn-over", others);
  }

  // ---- what is shown of what happens ---------------------------------------------

  /** Shows an action of the log. @param {Entry} entry */
  showEntry(entry) {
    this.shown = changedView(this.shown, entry.change);
    this.tell("played", entry);
  }

  /** Ends playback at once. */
  skip() {
    if (this.playing) this.settle(this.snapshot);
  }

  /** After how many actions the game is shown: those of now, of the past that is looked at, or as far as playback has come. */
  get at() {
    return this.back ?? (this.playing ? this.entries.length - this.showtime.queue.length : this.snapshot.ply);
  }

  // ---- looking back ----------------------------------------------------------

  /** Shows the position after `ply` actions; null returns to the present. @param {number | null} ply */
  async look(ply) {
    this.skip();
    if (ply === null) {
      this.back = null;
      return this.settle(this.snapshot);
    }
    const back = Math.max(0, Math.min(ply, this.snapshot.ply));
    await this.past.load(back);
    this.back = back;
    this.shown = this.past.viewAt(back);
    this.tell("shown");
  }

  /** Turn and phase in words at a ply. @param {number} ply */
  headingAt(ply) {
    for (let i = Math.min(ply, this.entries.length) - 1; i >= 0; i--) {
      if (this.entries[i].heading) return this.entries[i].heading;
    }
    return this.entries[0]?.heading ?? "";
  }

  // ---- looking ---------------------------------------------------------------

  /** What an action would do. @param {string} action */
  preview(action) {
    return this.previews.of(action);
  }

  /** The odds of the roll that led to a ply, as they stood when the die fell. @param {number} ply @returns {Promise<Preview>} */
  rolled(ply) {
    return get(`games/${this.id}/rolls/${ply}`, this.eyes()).catch(() => ({}));
  }

  /** @param {string} action @returns {Promise<WhyNot>} */
  why(action) {
    return get(`games/${this.id}/why`, this.eyes({ action })).catch(() => ({ legal: false, refusals: [] }));
  }

  /** @param {string} type @param {unknown} [detail] */
  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
