/** The rules of the game beside the map: `<rule-book>`, the digest with its search, in the language of now. */

import { fill, inSight } from "./dom.js";
import { digestOf } from "./help.js";
import { lang } from "./i18n.js";

/** @import { GameClient } from "./game.js" */

export class RuleBook extends HTMLElement {
  /** The game and the language of what is shown. */
  loaded = "";

  /** Shows the rules as soon as somebody looks. @param {GameClient} game */
  async show(game) {
    const key = `${game.snapshot.game}|${lang()}`;
    if (!inSight(this) || this.loaded === key) return;
    this.loaded = key;
    const page = await digestOf(game.snapshot.game);
    if (this.loaded === key) fill(this, ...page);
  }
}

customElements.define("rule-book", RuleBook);
