/** One game as this browser sees it: the snapshot, the log, what is shown now, looking back, and playback. */

import { ApiError, GameSocket, get, post } from "./api.js";
import { lang, t } from "./i18n.js";
import { settings } from "./settings.js";

/** @typedef {import("./api.js").Entry} Entry */
/** @typedef {import("./api.js").Update} Update */

const KEYFRAME = 25;
/** The longest that others' actions between two of one's own decisions take to be shown, in milliseconds at the normal pace. */
const SHOWING = 18_000;
const NORMAL_PACE = 0.9;
const REPLAY_PAGE = 200;

/** The ply at which the page of the replay begins that holds a ply. @param {number} ply */
const pageOf = (ply) => ply - (ply % REPLAY_PAGE);

export class GameClient extends EventTarget {
  /** @param {string} id */
  constructor(id) {
    super();
    this.id = id;
    /** @type {any} */
    this.snapshot = null;
    /** @type {any} the view on the board: the present one, one in the past, or a step of playback */
    this.shown = null;
    /** @type {Entry[]} */
    this.entries = [];
    /** @type {number | null} the ply looked back at */
    this.back = null;
    /** @type {string | null} whose eyes were asked for; null follows the decision */
    this.perspective = null;
    this.playing = false;
    this.busy = false;
    this.connected = true;
  }

  /** Loads everything and opens the socket. */
  async load() {
    this.snapshot = await get(`games/${this.id}`, { game: this.id });
    this.shown = this.snapshot.view;
    await Promise.all([this.loadLibrary(), this.loadLog()]);
    this.socket = new GameSocket(this.id, () => ({ seat: this.perspective, since: this.snapshot.seen }));
    this.socket.addEventListener("message", (event) => this.heard(/** @type {CustomEvent} */ (event).detail));
    this.socket.addEventListener("connected", (event) => {
      this.connected = /** @type {CustomEvent} */ (event).detail;
      this.tell("connection");
    });
  }

  async loadLibrary() {
    const base = `library/${this.snapshot.game}`;
    const [components, catalog, map, hexes] = await Promise.all([
      get(`${base}/components`),
      get(`${base}/catalog`),
      get(`${base}/map`),
      get(`${base}/hexes`),
    ]);
    this.components = components;
    this.names = catalog.names;
    this.map = map;
    this.hexes = hexes;
  }

  /** The whole log, page by page. */
  async loadLog() {
    const entries = [];
    for (let page = null; !page || (page.entries.length && entries.length < page.ply); ) {
      page = await get(`games/${this.id}/log`, this.eyes({ since: entries.length }));
      entries.push(...page.entries);
    }
    this.entries = entries;
  }

  /** Loads all words again in the language chosen now. */
  async reword() {
    this.snapshot = await get(`games/${this.id}`, this.eyes());
    if (this.back === null) this.shown = this.snapshot.view;
    this.replay = undefined;
    await Promise.all([this.loadLibrary(), this.loadLog()]);
    this.socket?.send({ seat: this.perspective, lang: lang() });
    this.tell("entries");
    this.tell("shown");
  }

  close() {
    this.skip();
    this.socket?.close();
  }

  /** @param {string} key */
  name(key) {
    return this.names?.[key] ?? key;
  }

  /** A hex with the name of its place, other places by their own. @param {string} place */
  placeName(place) {
    const town = this.hexes?.[place]?.place;
    return town ? `${town} ${place}` : this.name(place);
  }

  /** The query of a request: whose eyes. @param {Record<string, any>} [query] */
  eyes(query = {}) {
    return { game: this.id, query: { seat: this.perspective, ...query } };
  }

  get over() {
    return this.snapshot.actor === "over";
  }

  /** Whether this browser may choose now. */
  get choosing() {
    return this.snapshot.yours && this.back === null && !this.playing && !this.busy;
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

  /** A second click before the answer to the first one is no second action. */
  async submit(what, body) {
    if (this.busy) return;
    this.answered = this.send(what, body);
    return this.answered;
  }

  async send(what, body) {
    this.busy = true;
    try {
      const update = await post(`games/${this.id}/${what}`, { seen: this.snapshot.seen, ...body }, this.eyes());
      this.busy = false;
      if (this.knows(update)) this.tell("shown"); // the socket was faster, but nothing could be chosen yet
      else this.receive(update);
    } catch (error) {
      this.busy = false;
      this.refused(/** @type {ApiError} */ (error));
    }
  }

  refused(error) {
    const fresh = error.body?.snapshot;
    if (fresh) this.settle(fresh);
    if (error.code === "more-dice") return this.tell("more-dice", error.body.needed);
    const reasons = error.body?.refusals ?? [];
    this.tell("refused", { message: error.code === "stale" ? t("error.stale") : error.message, refusals: reasons });
    this.tell("shown");
  }

  // ---- updates ---------------------------------------------------------------

  heard(message) {
    if (message.type === "update") this.receive(message);
    else if (message.type === "chat") this.tell("chat");
    else if (message.type === "gone") this.tell("gone");
  }

  /** @param {Update} update */
  receive(update) {
    if (update.seen < this.snapshot.seen || this.knows(update)) return;
    if (update.gap) return this.catchUp(update);
    const known = this.entries.length;
    this.entries = [...this.entries.slice(0, update.cut), ...update.entries.filter(({ ply }) => ply > update.cut)];
    if (update.cut < known) this.replay = undefined;
    const fresh = update.entries.filter(({ ply }) => ply > known);
    this.extendReplay(fresh);
    const before = this.snapshot;
    this.snapshot = update.snapshot;
    this.tell("entries");
    if (this.back !== null) return this.tell("snapshot");
    if (update.cut < known || !fresh.length) return this.settle(update.snapshot);
    this.enqueue(fresh, before);
  }

  /** Loads the log anew after so much has happened that an update does not tell it. @param {Update} update */
  async catchUp(update) {
    this.snapshot = update.snapshot;
    this.replay = undefined;
    await this.loadLog();
    this.tell("entries");
    this.settle(this.snapshot);
  }

  /** Whether an update says nothing new: the socket repeats what a request was answered with. Drawing again would swallow a click. @param {Update} update */
  knows({ seen, cut, snapshot }) {
    return seen === this.snapshot.seen && cut >= this.entries.length && JSON.stringify(snapshot) === JSON.stringify(this.snapshot);
  }

  settle(snapshot) {
    this.snapshot = snapshot;
    this.queue = [];
    this.playing = false;
    if (this.back === null) this.shown = snapshot.view;
    this.tell("shown");
    if (this.others?.entries.length && (snapshot.yours || this.over)) {
      this.tell("turn-over", this.others);
      this.others = undefined;
    }
  }

  // ---- playback at a readable pace ---------------------------------------------

  enqueue(entries, before) {
    const mine = new Set(before.seats.filter(({ mine }) => mine).map(({ seat }) => seat));
    this.begin(before, entries, mine);
    this.queue = [...(this.queue ?? []), ...entries.map((entry) => ({ entry, wait: this.waitFor(entry, mine) }))];
    if (!this.playing) this.playNext();
  }

  /** Remembers what others do since the last own decision, and how long the showing has taken. */
  begin(before, entries, mine) {
    if (before.yours || !this.others) this.others = { before: before.view, entries: [], spent: 0 };
    this.others.entries.push(...entries.filter(({ seat }) => !mine.has(seat)));
  }

  /** Own actions show at once, others' at the chosen pace: long turns ever faster, and nothing where nothing is to be seen. */
  waitFor(entry, mine) {
    if (document.hidden || mine.has(entry.seat)) return 0;
    if (entry.seat === "chance" && this.others.spent === 0) return entry.roll?.panel ? Math.max(350, settings.pace * 1000) : 350;
    if (!entry.events.length && !Object.keys(entry.change?.units ?? {}).length) return 0;
    const left = (SHOWING * settings.pace) / NORMAL_PACE - this.others.spent;
    const wait = Math.min(settings.pace * 1000, Math.max(0, left) / (entry.roll ? 12 : 40));
    this.others.spent += wait;
    return wait;
  }

  playNext() {
    const next = this.queue?.shift();
    if (!next) return this.settle(this.snapshot);
    const { entry, wait } = next;
    this.playing = this.queue.length > 0 || wait > 0;
    this.shown = changed(this.shown, entry.change);
    this.tell("played", entry);
    if (wait) {
      this.tell("shown");
      this.timer = setTimeout(() => this.playNext(), wait);
    } else this.playNext();
  }

  /** Ends playback at once. */
  skip() {
    clearTimeout(this.timer);
    if (this.playing) this.settle(this.snapshot);
  }

  // ---- looking back ----------------------------------------------------------

  /** Loads the pages of the replay that show the position after `ply` actions and the action that led to it. */
  async loadReplay(ply) {
    this.replay ??= { changes: new Map(), keyframes: new Map(), seat: this.snapshot.seat };
    for (const at of new Set([pageOf(Math.max(0, ply - 1)), pageOf(ply)])) {
      if (this.replay.keyframes.has(at)) continue;
      const { start, entries } = await get(`games/${this.id}/replay`, this.eyes({ since: at, limit: REPLAY_PAGE }));
      this.replay.keyframes.set(at, start);
      for (const entry of entries) this.replay.changes.set(entry.ply, entry.change);
    }
  }

  extendReplay(entries) {
    if (!this.replay) return;
    if (this.replay.seat !== this.snapshot.seat) this.replay = undefined;
    else for (const entry of entries) this.replay.changes.set(entry.ply, entry.change);
  }

  /** Shows the position after `ply` actions; null returns to the present. @param {number | null} ply */
  async look(ply) {
    this.skip();
    if (ply === null) {
      this.back = null;
      return this.settle(this.snapshot);
    }
    const back = Math.max(0, Math.min(ply, this.snapshot.ply));
    await this.loadReplay(back);
    this.back = back;
    this.shown = this.viewAt(back);
    this.tell("shown");
  }

  viewAt(ply) {
    const { keyframes, changes } = this.replay;
    let at = ply - (ply % KEYFRAME);
    while (!keyframes.has(at)) at -= KEYFRAME;
    let view = keyframes.get(at);
    for (; at < ply; at++) {
      view = changed(view, changes.get(at + 1));
      if ((at + 1) % KEYFRAME === 0) keyframes.set(at + 1, view);
    }
    return view;
  }

  /** From where to where a unit went with the action that led to a ply, or null. @param {number} ply @returns {string[] | null} */
  moveAt(ply) {
    if (!ply || !this.replay) return null;
    const before = this.viewAt(ply - 1).units;
    const moved = Object.entries(this.replay.changes.get(ply)?.units ?? {}).find(([id, unit]) => unit?.where && before[id]?.where && before[id].where !== unit.where);
    return moved ? [before[moved[0]].where, moved[1].where] : null;
  }

  /** Turn and phase in words at a ply. @param {number} ply */
  headingAt(ply) {
    for (let i = Math.min(ply, this.entries.length) - 1; i >= 0; i--) {
      if (this.entries[i].heading) return this.entries[i].heading;
    }
    return this.entries[0]?.heading ?? "";
  }

  // ---- looking ---------------------------------------------------------------

  /** What an action would do; remembered until the position changes. @param {string} action */
  preview(action) {
    const key = `${this.snapshot.seen}|${lang()}`;
    if (this.previewsOf !== key) {
      this.previewsOf = key;
      this.previews = new Map();
    }
    if (!this.previews.has(action)) this.previews.set(action, this.gather(action));
    return this.previews.get(action);
  }

  /** All actions asked about at one moment are one request. @param {string} action */
  gather(action) {
    if (!this.asked) {
      const asked = (this.asked = []);
      this.answering = Promise.resolve().then(() => {
        this.asked = undefined;
        return post(`games/${this.id}/previews`, { actions: asked }, this.eyes()).catch(() => ({ previews: {} }));
      });
    }
    this.asked.push(action);
    return this.answering.then(({ previews }) => previews[action] ?? {});
  }

  /** @param {string} action @returns {Promise<{ legal: boolean, refusals: import("./api.js").Message[] }>} */
  why(action) {
    return get(`games/${this.id}/why`, this.eyes({ action })).catch(() => ({ legal: false, refusals: [] }));
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** A view with one entry's change applied. */
function changed(view, change) {
  const { units = {}, ...rest } = change ?? {};
  const after = { ...view, ...rest, units: { ...view.units, ...units } };
  for (const [id, unit] of Object.entries(units)) if (unit === null) delete after.units[id];
  return after;
}
