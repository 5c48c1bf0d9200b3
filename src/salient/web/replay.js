/** Looking back: `<replay-bar>` with scrubber, play, speed. */

import { notice } from "./dialogs.js";
import { fill, h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { later } from "./later.js";
import { enemyRound, turnStarts } from "./rounds.js";

/** @import { GameClient } from "./game.js" */

const SPEEDS = [0.5, 1, 2, 4, 8];
const STEP = 1000;

export class ReplayBar extends HTMLElement {
  /** @type {GameClient} */
  game = later();
  speed = 1;
  /** @type {HTMLInputElement} */
  slider = h("input", { type: "range", min: "0", max: "0", step: "1", class: "scrubber", list: "turn-marks", "data-label": "replay.scrubber", "aria-label": t("replay.scrubber"), oninput: () => this.seek(Number(this.slider.value)) });
  /** Where turns begin. */
  marks = h("datalist", { id: "turn-marks" });
  /** Of how many actions the marks are. */
  marked = 0;
  label = h("output", { class: "replay-label" });
  playButton = h("button", { class: "quiet", type: "button", onclick: () => this.toggle() });
  speedButton = h("button", { class: "quiet speed", type: "button", onclick: () => this.faster() });
  /** @type {ReturnType<typeof setTimeout> | undefined} while it plays */
  timer;

  connectedCallback() {
    if (this.firstChild) return;
    this.append(
      h("div", { class: "replay-buttons" }, this.step("first", "first", () => this.seek(0)), this.step("back", "step-back", () => this.by(-1)), this.playButton, this.step("forward", "step-forward", () => this.by(1)), this.step("present", "last", () => this.present())),
      this.slider,
      this.marks,
      this.label,
      this.speedButton,
    );
  }

  /** @param {string} key @param {string} name @param {() => void} action */
  step(key, name, action) {
    return h("button", { class: "quiet", type: "button", "data-step": key, title: t(`replay.${key}`), "aria-label": t(`replay.${key}`), onclick: action }, icon(name));
  }

  /** @param {import("./game.js").GameClient} game */
  show(game) {
    this.game = game;
    const { ply } = game.snapshot;
    const { at } = game;
    this.slider.max = String(ply);
    this.mark();
    this.slider.value = String(at);
    this.style.setProperty("--done", `${ply ? (at / ply) * 100 : 100}%`);
    fill(this.label, h("span", {}, game.back === null && !game.playing ? t("replay.now") : game.headingAt(at)), h("b", {}, `${at} / ${ply}`));
    this.slider.setAttribute("aria-valuetext", `${at} / ${ply}. ${game.headingAt(at)}`);
    for (const button of this.querySelectorAll("[data-step]")) {
      const key = button.getAttribute("data-step") ?? "";
      button.setAttribute("title", t(`replay.${key}`));
      button.setAttribute("aria-label", t(`replay.${key}`));
    }
    this.buttons();
  }

  /** Marks the slider where a turn begins. */
  mark() {
    const { entries } = this.game;
    if (this.marked === entries.length) return;
    this.marked = entries.length;
    fill(this.marks, ...turnStarts(entries).map(({ ply, name }) => h("option", { value: String(ply), label: name })));
  }

  buttons() {
    fill(this.playButton, icon(this.timer ? "pause" : "play"));
    const key = this.timer ? "replay.pause" : "replay.play";
    this.playButton.setAttribute("aria-label", t(key));
    this.playButton.setAttribute("title", t(key));
    fill(this.speedButton, `${this.speed}×`);
    this.speedButton.setAttribute("aria-label", t("replay.speed", { speed: this.speed }));
    this.speedButton.setAttribute("title", t("replay.speed", { speed: this.speed }));
  }

  at() {
    return this.game.back ?? this.game.snapshot.ply;
  }

  /** @param {number} ply */
  seek(ply) {
    return this.game.look(Math.max(0, Math.min(ply, this.game.snapshot.ply)));
  }

  /** @param {number} plies */
  by(plies) {
    return this.seek(this.at() + plies);
  }

  present() {
    this.stop();
    return this.game.look(null);
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.at() >= this.game.snapshot.ply) this.seek(0);
    this.run();
  }

  /** Plays from a ply to the present. @param {number} ply */
  async playFrom(ply) {
    this.stop();
    await this.seek(ply);
    this.run();
  }

  /** Plays the other side's last turn again. */
  enemyTurn() {
    const [first, last] = enemyRound(this.game);
    if (last > first) this.playFrom(first);
    else notice([t("replay.no-enemy")]);
  }

  run() {
    this.timer = setTimeout(async () => {
      await this.by(1);
      if (this.at() >= this.game.snapshot.ply) this.present();
      else if (this.timer) this.run();
    }, STEP / this.speed);
    this.buttons();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.game) this.buttons();
  }

  faster() {
    this.speed = SPEEDS[(SPEEDS.indexOf(this.speed) + 1) % SPEEDS.length];
    this.buttons();
  }
}

customElements.define("replay-bar", ReplayBar);
