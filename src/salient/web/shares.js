/** This browser's part of shared dice (docs/DICE.md): it keeps seeds, commits to chains, shows links when dice are due, and checks the server. */

import { post } from "./api.js";
import { notice } from "./dialogs.js";
import { t } from "./i18n.js";

const LENGTH = 600;
const AHEAD = 64;
const LOW = 24;

const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

/** The links of a seed's chain, the head first. @param {string} seed @returns {Promise<string[]>} */
async function chainOf(seed) {
  let link = unhex(seed);
  const links = [seed];
  for (let i = 0; i < LENGTH; i++) links.push(hex((link = await sha256(link))));
  return links.reverse();
}

export class DiceShares {
  /** @param {import("./game.js").GameClient} game */
  constructor(game) {
    this.game = game;
    this.chains = new Map();
    for (const type of ["shown", "snapshot"]) game.addEventListener(type, () => this.look());
    this.look();
  }

  get kept() {
    return JSON.parse(localStorage.getItem(`salient-dice-${this.game.id}`) ?? "{}");
  }

  keep(values) {
    localStorage.setItem(`salient-dice-${this.game.id}`, JSON.stringify({ ...this.kept, ...values }));
  }

  async look() {
    if (this.busy) return (this.again = true);
    this.busy = true;
    try {
      this.checkCommitment();
      const body = this.game.over ? null : await this.due();
      if (body) this.game.settle(await post(`games/${this.game.id}/shares`, body, { game: this.game.id }));
      if (this.game.over) await this.checkSecret();
    } catch (error) {
      notice([/** @type {Error} */ (error).message], "bad");
    }
    this.busy = false;
    if (this.again) {
      this.again = false;
      this.look();
    }
  }

  /** The server's commitment is kept from the first look on: another one later is a fraud. */
  checkCommitment() {
    const { commitment } = this.game.snapshot.dice;
    const { commitment: first } = this.kept;
    if (!first) this.keep({ commitment });
    else if (first !== commitment) throw new Error(t("shares.commitment-changed"));
  }

  /** When the game is over the secret must fit the commitment kept here. */
  async checkSecret() {
    if (this.checked) return;
    this.checked = true;
    const { get } = await import("./api.js");
    const { secret } = await get(`games/${this.game.id}/dice`, { game: this.game.id });
    const bound = new TextEncoder().encode(`salient-dice-2|${this.game.snapshot.dice.shares.binding}|`);
    const found = hex(await sha256(new Uint8Array([...bound, ...unhex(secret)])));
    if (found !== this.kept.commitment) throw new Error(t("shares.commitment-changed"));
  }

  /** What to send now: commitments where this browser has none, and the links that are due. */
  async due() {
    const { shares } = this.game.snapshot.dice;
    const [seat, mine] = Object.entries(shares.mine)[0] ?? [];
    if (!seat) return null;
    const commit = {};
    const show = {};
    for (const role of ["active", "passive"]) {
      const chain = await this.chain(seat, role, mine[role], commit);
      const number = this.wanted(seat, role, shares, mine[role].last);
      if (number && !commit[role]) show[role] = { number, link: chain.links[number - chain.first] };
    }
    return Object.keys(commit).length || Object.keys(show).length ? { commit, show } : null;
  }

  /** The chain that the server knows, if its seed is here; otherwise a new one to commit to. */
  async chain(seat, role, { last, head }, commit) {
    const name = `${seat}.${role}`;
    const known = this.kept[name];
    const links = known && (this.chains.get(known.seed) ?? (await chainOf(known.seed)));
    if (known) this.chains.set(known.seed, links);
    if (links && links[0] === head && last - known.first < LENGTH - AHEAD) return { links, first: known.first };
    const seed = hex(crypto.getRandomValues(new Uint8Array(32)));
    const fresh = await chainOf(seed);
    this.keep({ [name]: { seed, first: last } });
    this.chains.set(seed, fresh);
    commit[role] = fresh[0];
    return { links: fresh, first: last };
  }

  /**
   * The number of the link to show, or 0. For one's own casts one at a time, when the dice are due and never before;
   * for the other's some ahead where nobody waits for another, but in live play one at a time too.
   */
  wanted(seat, role, { due, caster, used }, last) {
    const other = Object.keys(used).find((each) => each !== seat) ?? seat;
    if (role === "active") return due.includes(seat) && caster === seat ? used[seat] + 1 : 0;
    if (this.game.snapshot.between?.terms.pace === "live") return due.includes(seat) && caster === other ? used[other] + 1 : 0;
    return last - used[other] < LOW ? used[other] + AHEAD : 0;
  }
}
