/** When it is the player's move: the icon of the tab and a chime; sounds of dice, counters and guns. One press silences all. */

import { AfterFrame } from "./afterframe.js";
import { h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { change, settings } from "./settings.js";

/** Each sound is a few strokes: waveform, pitch, when it begins and how long it lasts, in seconds. */
const SOUNDS = {
  move: [{ wave: "triangle", pitch: 660, at: 0, long: 0.16 }, { wave: "triangle", pitch: 880, at: 0.14, long: 0.28 }],
  die: [0, 0.07, 0.13].map((at) => ({ wave: "square", pitch: 170 + at * 900, at, long: 0.035 })),
  counter: [{ wave: "sine", pitch: 240, at: 0, long: 0.05 }],
  gun: [{ wave: "sawtooth", pitch: 58, at: 0, long: 0.4 }, { wave: "square", pitch: 41, at: 0.03, long: 0.5 }],
};
const LOUDNESS = 0.05;

export class Attention {
  /** @param {import("./table.js").SalientTable} table */
  constructor(table) {
    this.game = table.game;
    this.yours = this.game.snapshot.yours;
    /** @type {AudioContext | undefined} made with the first sound */
    this.audio = undefined;
    /** @type {keyof typeof SOUNDS} what was heard last */
    this.heard = "counter";
    this.after = new AfterFrame(() => this.sound(this.heard));
    this.button = h("button", { class: "quiet tool", type: "button", "data-tool": "sound", onclick: () => this.toggle() });
    table.querySelector(".toolbar")?.append(this.button);
    this.label();
    this.mark();
    this.game.addEventListener("shown", () => this.look());
    this.game.addEventListener("played", (event) => this.hear(/** @type {CustomEvent} */ (event).detail));
    this.onLanguage = () => this.label();
    document.addEventListener("language", this.onLanguage);
  }

  /** Tells once that the player's move begins. */
  look() {
    const { yours } = this.game.snapshot;
    const now = yours && !this.game.playing && this.game.back === null;
    if (now && !this.yours) this.sound("move");
    this.yours = yours;
    this.mark();
  }

  /** @param {import("./api.js").Entry} entry */
  hear(entry) {
    const changes = Object.values(entry.change?.units ?? {});
    const gone = changes.some((unit) => unit === null || unit?.where === "eliminated");
    const heard = entry.roll ? "die" : gone ? "gun" : changes.some((unit) => unit?.where) ? "counter" : null;
    if (!heard) return;
    this.heard = heard;
    this.after.soon(); // the board shows it first: the first sound of all takes long to begin
  }

  mark() {
    const link = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));
    const wanted = this.game.snapshot.yours ? "icon-move.svg" : "icon.svg";
    if (link && link.getAttribute("href") !== wanted) link.setAttribute("href", wanted);
  }

  toggle() {
    change({ sound: !settings.sound });
    this.label();
    if (settings.sound) this.sound("move");
  }

  label() {
    const text = t(settings.sound ? "sound.off" : "sound.on");
    this.button.replaceChildren(icon(settings.sound ? "sound" : "silent"), h("span", { class: "visually-hidden" }, text));
    this.button.title = text;
    this.button.setAttribute("aria-pressed", String(settings.sound));
  }

  /** A browser that has not been touched yet stays silent. @param {keyof typeof SOUNDS} name */
  sound(name) {
    if (!settings.sound || document.hidden || !navigator.userActivation?.hasBeenActive) return;
    const audio = (this.audio ??= new AudioContext());
    const start = audio.currentTime;
    for (const { wave, pitch, at, long } of SOUNDS[name]) {
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      tone.type = /** @type {OscillatorType} */ (wave);
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(LOUDNESS, start + at);
      volume.gain.exponentialRampToValueAtTime(0.0001, start + at + long);
      tone.connect(volume).connect(audio.destination);
      tone.start(start + at);
      tone.stop(start + at + long);
    }
  }

  remove() {
    document.removeEventListener("language", this.onLanguage);
    document.querySelector("link[rel=icon]")?.setAttribute("href", "icon.svg");
    this.audio?.close();
  }
}
