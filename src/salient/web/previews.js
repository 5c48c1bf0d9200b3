/** What actions would do: asked for together, and remembered until the position changes. */

import { post } from "./api.js";
import { lang } from "./i18n.js";

/** @import { GameClient } from "./game.js" */
/** @import { Preview, PreviewsAnswer } from "./wire.d.ts" */

export class Previews {
  /** @param {GameClient} game */
  constructor(game) {
    this.game = game;
    /** The position and the language of what is known. */
    this.about = "";
    /** @type {Map<string, Promise<Preview>>} by action */
    this.known = new Map();
    /** @type {{ actions: string[], answer: Promise<Pick<PreviewsAnswer, "previews">> } | undefined} the request of this moment */
    this.asking = undefined;
  }

  /** What an action would do. @param {string} action */
  of(action) {
    const about = `${this.game.snapshot.seen}|${lang()}`;
    if (about !== this.about) this.known = new Map();
    this.about = about;
    const preview = this.known.get(action) ?? this.ask(action);
    this.known.set(action, preview);
    return preview;
  }

  /** All actions asked about at one moment are one request. @param {string} action @returns {Promise<Preview>} */
  ask(action) {
    const asking = (this.asking ??= this.askSoon());
    asking.actions.push(action);
    return asking.answer.then(({ previews }) => previews[action] ?? {});
  }

  /** A request that is sent once everybody has asked. */
  askSoon() {
    const { game } = this;
    /** @type {string[]} */
    const actions = [];
    /** @type {Promise<Pick<PreviewsAnswer, "previews">>} */
    const answer = Promise.resolve().then(() => {
      this.asking = undefined;
      return post(`games/${game.id}/previews`, { actions }, game.eyes()).catch(() => ({ previews: {} }));
    });
    return { actions, answer };
  }
}
