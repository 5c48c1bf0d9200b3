/** When and where units arrive: `<arrival-calendar>`, turn by turn, one's own first; a press shows the entry on the map. */

import { fill, h, inSight } from "./dom.js";
import { lang, t } from "./i18n.js";
import { later } from "./later.js";
import { arrivalRow } from "./situation.js";
import { Standing } from "./standing.js";

/** @import { GameClient } from "./game.js" */
/** @import { Arrival } from "./wire.d.ts" */

export class ArrivalCalendar extends HTMLElement {
  /** @type {GameClient} */
  game = later();
  /** @type {Standing} */
  standing = later();
  /** The language of what is shown. */
  worded = "";
  /** What was asked for last: an answer to an earlier question is not shown. */
  asked = {};

  /** @type {Set<string>} sides whose arrivals the player has opened */
  opened = new Set();

  /** @param {GameClient} game */
  show(game) {
    if (this.game !== game) {
      this.game = game;
      this.standing = new Standing(game);
    }
    if (this.worded !== lang()) fill(this); // words of another language do not wait for the new ones
    if (inSight(this) && !game.playing) this.load();
  }

  async load() {
    const asked = (this.asked = {});
    const { arrivals } = await this.standing.situation().catch(() => ({ arrivals: /** @type {Arrival[]} */ ([]) }));
    if (asked !== this.asked) return;
    const { game } = this;
    this.worded = lang();
    const sides = [...new Set(arrivals.map(({ side }) => side))].sort((a, b) => Number(b === game.snapshot.seat) - Number(a === game.snapshot.seat));
    fill(this, ...sides.map((side) => this.side(side, arrivals.filter((row) => row.side === side))));
  }

  /** @param {string} side @param {Arrival[]} rows */
  side(side, rows) {
    const units = rows.reduce((sum, row) => sum + row.units.length, 0);
    return h(
      "details",
      { class: "calendar", open: this.opened.has(side), ontoggle: (/** @type {{ target: HTMLDetailsElement }} */ event) => this.remember(side, event.target.open) },
      h("summary", {}, t("calendar.title", { side: this.game.name(side), n: units })),
      ...rows.map((row) => arrivalRow(this.game, row, (places) => this.dispatchEvent(new CustomEvent("spot", { detail: places })))),
    );
  }

  /** @param {string} side @param {boolean} open */
  remember(side, open) {
    if (open) this.opened.add(side);
    else this.opened.delete(side);
  }
}

customElements.define("arrival-calendar", ArrivalCalendar);
