/**
 * This browser's part of shared dice (docs/DICE.md): it keeps seeds, commits to chains, shows links when dice are due, and checks the
 * server and the other player: what they promised before a link was shown must hold after it.
 */

import { get, post } from "./api.js";
import { failed, notice } from "./dialogs.js";
import { t } from "./i18n.js";

/** @import { GameClient } from "./game.js" */
/** @typedef {import("./wire.d.ts").DiceShares} Told what the server tells of both chains */
/** @typedef {"active" | "passive"} Role */
/** @typedef {{ head: string, shown: number }} Promised a head of the other's, and the last link that was shown against it */
/** @typedef {{ commitment?: string | null, next?: Record<string, number>, against?: Partial<Record<Role, Promised[]>> }} Kept besides, seeds by seat and role */

const LENGTH = 600;
const AHEAD = 64;
const LOW = 24;
const PATIENCE = 4000; // milliseconds for another device that may have the seed
/** The role of the other's chain that a chain is mixed with. @type {Record<Role, Role>} */
const PARTNER = { active: "passive", passive: "active" };

/** @type {Role[]} */
const ROLES = ["active", "passive"];

const hex = (/** @type {Uint8Array} */ bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (/** @type {string} */ text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const sha256 = async (/** @type {Uint8Array<ArrayBuffer>} */ bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

/** The links of a seed's chain, the head first. @param {string} seed @returns {Promise<string[]>} */
async function chainOf(seed) {
  let link = unhex(seed);
  const links = [seed];
  for (let i = 0; i < LENGTH; i++) links.push(hex((link = await sha256(link))));
  return links.reverse();
}

/**
 * Check what the server says of both chains against what was kept, and what to keep from now on: the highest `next` of each seat, and for
 * each own role the other's heads, each with the last link that was shown against it. `renewed`: the other has committed anew, which makes
 * void what was shown and not used.
 * @param {Kept} kept @param {Pick<Told, "mine" | "theirs" | "next">} told @returns {Required<Pick<Kept, "next" | "against">> & { renewed: boolean }}
 */
export function checkedShares(kept, { mine, theirs, next }) {
  /** @type {NonNullable<Kept["against"]>} */
  const against = structuredClone(kept.against ?? {});
  const [seat] = Object.keys(mine);
  const [other] = Object.keys(theirs);
  let renewed = false;
  for (const each of [seat, other]) if (next[each] < (kept.next?.[each] ?? 0)) throw new Error(t("shares.went-back"));
  for (const role of ROLES) {
    const { head } = theirs[other][PARTNER[role]];
    const known = (against[role] ??= []);
    const last = known[known.length - 1];
    if (!head || last?.head === head) continue;
    const decider = role === "active" ? seat : other;
    if (last && last.shown >= next[decider]) throw new Error(t("shares.committed-late"));
    if (last && last.shown >= (kept.next?.[decider] ?? 0)) renewed = true;
    known.push({ head, shown: 0 });
  }
  return { next, against, renewed };
}

/** At the end: every cast used links of the very chains that were promised when this browser showed its own. @param {Kept} kept @param {string} seat @param {string} other @param {string} record */
export function checkRecord(kept, seat, other, record) {
  const line = (/** @type {string} */ name) => record.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1].split(" ") ?? [];
  /** @type {Record<string, string>} */
  const chains = Object.fromEntries(line("chains").map((word) => word.split("=")));
  for (const cast of line("casts")) {
    const [, decider, number] = cast.split(":");
    /** @type {Role} */
    const role = decider === seat ? "active" : "passive";
    const promised = kept.against?.[role]?.find(({ shown }) => shown >= Number(number));
    const segments = (chains[`${other}.${PARTNER[role]}`] ?? "").split(",").map((segment) => segment.split(":"));
    const [, head] = segments.find(([first, , last]) => Number(first) < Number(number) && Number(number) <= Number(last)) ?? [];
    if (promised && promised.head !== head) throw new Error(t("shares.committed-late"));
  }
}

export class DiceShares {
  /** @param {GameClient} game */
  constructor(game) {
    this.game = game;
    /** @type {Map<string, string[]>} links by seed */
    this.chains = new Map();
    this.busy = false;
    this.again = false;
    this.checked = false;
    /** @type {Map<string, [number, number]>} by role, the link that another device may show, and since when it is waited for */
    this.asked = new Map();
    for (const type of ["shown", "snapshot"]) game.addEventListener(type, () => this.look());
    this.look();
  }

  /** @returns {Kept & Record<string, any>} */
  get kept() {
    return JSON.parse(localStorage.getItem(`salient-shares-${this.game.id}`) ?? "{}");
  }

  /** @param {Record<string, unknown>} values */
  keep(values) {
    localStorage.setItem(`salient-shares-${this.game.id}`, JSON.stringify({ ...this.kept, ...values }));
  }

  /** What the server tells now; a game of shared dice always has it. */
  get told() {
    return /** @type {Told} */ (this.game.snapshot.dice.shares);
  }

  async look() {
    if (this.busy) this.again = true;
    else await this.lookOnce();
  }

  async lookOnce() {
    this.busy = true;
    try {
      this.checkCommitment();
      const { renewed, ...checked } = checkedShares(this.kept, this.told);
      this.keep(checked);
      if (renewed) notice([t("shares.renewed")], "bad");
      const body = this.game.over ? null : await this.due();
      if (body) this.game.settle(await post(`games/${this.game.id}/shares`, body, { game: this.game.id }));
      if (this.game.over) await this.checkEnd();
    } catch (error) {
      failed(error);
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

  /** When the game is over the secret must fit the commitment kept here, and the casts what was promised. */
  async checkEnd() {
    if (this.checked) return;
    this.checked = true;
    const { secret } = await get(`games/${this.game.id}/dice`, { game: this.game.id });
    const { binding, mine, theirs } = this.told;
    const bound = new TextEncoder().encode(`salient-dice-2|${binding}|`);
    const found = hex(await sha256(new Uint8Array([...bound, ...unhex(secret ?? "")])));
    if (found !== this.kept.commitment) throw new Error(t("shares.commitment-changed"));
    const record = await get(`games/${this.game.id}/record`, { game: this.game.id, text: true });
    checkRecord(this.kept, Object.keys(mine)[0], Object.keys(theirs)[0], record);
  }

  /** What to send now: commitments where there are none or none that serves, and the links that are due. */
  async due() {
    const shares = this.told;
    const [seat, mine] = Object.entries(shares.mine)[0];
    const [other] = Object.keys(shares.theirs);
    const { against = {} } = this.kept;
    /** @type {Partial<Record<Role, string>>} */
    const commit = {};
    /** @type {Partial<Record<Role, import("./wire.d.ts").Link>>} */
    const show = {};
    for (const role of ROLES) {
      const { first, last, head } = mine[role];
      const number = this.wanted(seat, role, role === "active" ? seat : other, shares, last);
      const links = head && number ? await this.chain(`${seat}.${role}`, head) : null;
      const promised = against[role]?.at(-1);
      if (!head || (number && (links ? number - first > LENGTH : this.lost(role, number)))) commit[role] = await this.commit(`${seat}.${role}`);
      else if (links && promised) {
        show[role] = { number, link: links[number - first], against: promised.head };
        promised.shown = number;
      }
    }
    this.keep({ against });
    return Object.keys(commit).length || Object.keys(show).length ? { commit, show } : null;
  }

  /** The chain that the server knows, if its seed is here. @param {string} name @param {string} head @returns {Promise<string[] | null>} */
  async chain(name, head) {
    const seed = this.kept[name];
    const links = seed && (this.chains.get(seed) ?? (await chainOf(seed)));
    if (seed) this.chains.set(seed, links);
    return links?.[0] === head ? links : null;
  }

  /** A new chain to commit to: its head. @param {string} name */
  async commit(name) {
    const seed = hex(crypto.getRandomValues(new Uint8Array(32)));
    const links = await chainOf(seed);
    this.keep({ [name]: seed });
    this.chains.set(seed, links);
    return links[0];
  }

  /** Whether the seed is lost: no other device of this person has shown the link for a while. @param {Role} role @param {number} number */
  lost(role, number) {
    const [asked, since = 0] = this.asked.get(role) ?? [];
    if (asked === number) return Date.now() - since >= PATIENCE;
    this.asked.set(role, [number, Date.now()]);
    setTimeout(() => this.look(), PATIENCE + 100);
    return false;
  }

  /**
   * The number of the link to show, or 0. For one's own casts one at a time, when the dice are due and never before;
   * for the other's some ahead where nobody waits for another, but in live play one at a time too, after the caster's.
   * @param {string} seat @param {Role} role @param {string} decider @param {Told} told @param {number} last
   */
  wanted(seat, role, decider, { due, caster, next, theirs }, last) {
    const number = next[decider];
    const ahead = role === "passive" && this.game.snapshot.between?.terms.pace !== "live";
    if (ahead) return last - number + 1 < LOW ? number - 1 + AHEAD : 0;
    if (role === "passive" && theirs[decider].active.last < number) return 0;
    return due.includes(seat) && caster === decider && last < number ? number : 0;
  }
}
