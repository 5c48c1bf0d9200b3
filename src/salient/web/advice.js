/** What would you do? `<plan-advice>`: two plans of the computer for the present decision, with arrows, odds and reasons. */

import { get, request } from "./api.js";
import { messageOf } from "./dialogs.js";
import { fill, h, icon } from "./dom.js";
import { percent, t } from "./i18n.js";
import { later } from "./later.js";

/** @import { SalientTable } from "./table.js" */
/** @import { Child } from "./dom.js" */
/** @import { Snapshot } from "./wire.d.ts" */

/** @typedef {import("./wire.d.ts").PlanAdvice} Plan */

const PATIENCE = 400;

/** Whether who decides may ask the computer: not between people, and not about dice. @param {Snapshot} snapshot */
export function advised({ yours, between, actor, seats }) {
  return yours && !between && actor !== "chance" && !seats.some(({ player }) => player === "link");
}

export class PlanAdvice extends HTMLElement {
  /** @type {SalientTable} */
  table = later();
  /** @type {number | undefined} the position that was asked about */
  asked;
  /** @type {ReturnType<typeof setTimeout> | undefined} while the computer thinks */
  timer;

  /** @param {SalientTable} table */
  attach(table) {
    this.table = table;
  }

  /** Whether the computer may be asked now. */
  get possible() {
    const { game } = this.table;
    return game.choosing && advised(game.snapshot);
  }

  /** Asks the computer, which the record notes; an answer to a question that is over is not shown. */
  async ask() {
    const { game } = this.table;
    if (!this.possible) return;
    await game.submit("hint", {});
    if (!this.possible) return;
    this.asked = game.snapshot.seen;
    this.thinking(0, 0);
    return this.follow(this.asked);
  }

  /** Asks how far the computer is, until it has thought. @param {number} seen */
  async follow(seen) {
    const { game } = this.table;
    const answer = await get(`games/${game.id}/advice`, game.eyes()).catch((error) => ({ state: "failed", done: 0, total: 0, plans: [], message: messageOf(error) }));
    if (this.asked !== seen || game.snapshot.seen !== seen) return;
    if (answer.state === "running") {
      this.thinking(answer.done, answer.total);
      this.timer = setTimeout(() => this.follow(seen), PATIENCE);
    } else {
      this.timer = undefined;
      this.render(answer.plans, "message" in answer ? answer.message : t("advice.none"));
    }
  }

  /** @param {number} done @param {number} total */
  thinking(done, total) {
    const bar = h("progress", total ? { max: total, value: done } : {});
    const stop = h("button", { class: "quiet small", type: "button", "data-advice": "stop", onclick: () => this.close() }, t("advice.stop"));
    this.show(h("label", { class: "muted", role: "status" }, t("advice.thinking"), bar), stop);
  }

  /** @param {Plan[]} plans @param {string} none what is said without any */
  render(plans, none) {
    this.show(plans.length ? h("ol", { class: "plans" }, ...plans.map((plan) => this.plan(plan))) : h("p", {}, none));
    if (plans.length) this.point(plans[0]);
  }

  /** @param {...Child} content */
  show(...content) {
    this.hidden = false;
    fill(this, h("header", {}, h("h2", {}, t("advice.title")), h("button", { class: "quiet small", type: "button", "aria-label": t("close"), onclick: () => this.close() }, icon("close"))), ...content);
  }

  /** @param {Plan} plan */
  plan(plan) {
    const chance = plan.share === null ? null : h("small", {}, t("advice.chance", { share: percent(plan.share) }));
    const last = plan.actions.length - 1;
    const steps = plan.actions.filter((_, i) => i === 0 || i === last || plan.actions.length <= 4);
    return h(
      "li",
      { onmouseenter: () => this.point(plan), onfocusin: () => this.point(plan) },
      h("p", { class: "steps" }, ...steps.map(({ label }) => h("span", {}, label)), chance),
      ...plan.told.map((text) => h("p", { class: "told" }, text)),
      h("button", { class: "action", type: "button", "data-advice": "do", onclick: () => this.carryOut(plan) }, t("advice.do")),
    );
  }

  /** Draws a plan on the map and shows its odds. @param {Plan} plan */
  point({ paths, odds }) {
    const { considering } = this.table;
    considering.action = "advice";
    considering.preview = { path: paths[paths.length - 1], odds: odds ?? undefined };
    considering.about = "";
    considering.show();
    const place = odds?.target ?? paths[paths.length - 1]?.at(-1);
    if (place && this.table.board.geometry.has(place)) this.table.board.reveal(place);
  }

  /** @param {Plan} plan */
  carryOut({ actions }) {
    this.table.ready();
    return this.table.group.carryOut({ actions: actions.map(({ text }) => text) });
  }

  close() {
    const { game } = this.table;
    if (this.timer) request("DELETE", `games/${game.id}/advice`, game.eyes()).catch(() => null);
    clearTimeout(this.timer);
    this.timer = this.asked = undefined;
    if (this.hidden) return;
    this.hidden = true;
    if (this.table.considering.action === "advice") this.table.considering.look(null);
  }
}

customElements.define("plan-advice", PlanAdvice);
