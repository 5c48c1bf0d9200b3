/** Search by meaning: every word of the question, its relatives and its stem, titles first. */

import { lang } from "./i18n.js";

/** Words that mean the same to somebody who asks, by language; each line is one meaning. */
const MEANINGS = {
  en: ["win wins winner winning victory victorious score", "crt combat table odds result attack", "terrain tec effects hex ground", "zoc zone control zones", "supply supplied fuel out isolated", "reinforcement reinforcements arrive arrival arrivals enter entry", "move movement march road", "retreat retreats withdraw", "stack stacking limit", "bridge bridges river blow demolition", "air plane aircraft bomber fighter bombardment", "weather sky mud frost"],
  it: ["vincere vince vincitore vittoria", "crt combattimento tabella rapporto attacco risultato", "terreno effetti esagono", "zoc zona zone controllo", "rifornimento rifornimenti carburante isolata", "rinforzi rinforzo arrivo arriva entrata", "muovere movimento marcia strada", "ritirata ritirarsi ripiegare", "pila impilamento limite", "ponte ponti fiume demolizione", "aria aereo aerei bombardamento caccia", "meteo cielo fango gelo"],
  fr: ["gagner gagne vainqueur victoire", "crt combat table rapport attaque résultat", "terrain effets hexagone", "zoc zone zones contrôle", "ravitaillement ravitaillée carburant isolée", "renfort renforts arrivée arrive entrée", "mouvement bouger marche route", "retraite retraiter repli", "pile empilement limite", "pont ponts rivière démolition", "air avion avions bombardement chasseur", "météo ciel boue gel"],
  de: ["gewinnen gewinnt sieger sieg", "crt kampf tabelle kampftabelle verhältnis angriff ergebnis", "gelände geländewirkung feld", "zoc kontrollzone zone kontrolle", "versorgung versorgt treibstoff abgeschnitten", "verstärkung verstärkungen ankunft kommt eintritt", "bewegen bewegung marsch straße", "rückzug zurückziehen weichen", "stapel stapeln grenze", "brücke brücken fluss sprengung", "luft flugzeug flugzeuge bomber jäger", "wetter himmel schlamm frost"],
};
const EMPTY = new Set("who what how do does is are the a an i of in to chi che cosa come il la lo un una di a qui que quoi comment le la les un une de à wer was wie die der das ein eine zu".split(" "));
const LEAST_STEM = 4;

/** A text as people type it: small letters, straight apostrophes, common spaces. @param {string} text */
const plain = (text) => text.toLocaleLowerCase().replaceAll("’", "'").replace(/\s/g, " ");

/** A word without its ending. @param {string} word */
const stem = (word) => (word.length > LEAST_STEM ? word.slice(0, Math.max(LEAST_STEM, word.length - 2)) : word);

/** All stems that would answer a word. @param {string} word */
function relatives(word) {
  const meanings = (MEANINGS[/** @type {keyof typeof MEANINGS} */ (lang())] ?? []).map((line) => line.split(" ")).filter((words) => words.includes(word));
  return [word, ...meanings.flat()].map(stem);
}

/**
 * The items that answer a question, the best first; all of them for an empty one.
 * @template {{ element: any, text: string, title: string }} Item
 * @param {Item[]} items @param {string} question
 */
export function ranked(items, question) {
  const whole = plain(question.trim());
  const words = whole.split(/[^\p{L}\p{N}.']+/u).filter((word) => word && !EMPTY.has(word));
  if (!whole) return items.map(({ element }) => element);
  const asked = words.map(relatives);
  const score = (/** @type {{ text: string, title: string }} */ { text, title }) => {
    const [body, head] = [plain(text), plain(title)];
    if (body.includes(whole)) return 100 + (head.includes(whole) ? 50 : 0);
    /** @type {number[]} */
    const hits = asked.map((stems) => (stems.some((one) => head.includes(one)) ? 3 : stems.some((one) => body.includes(one)) ? 1 : 0));
    return hits.length && hits.every(Boolean) ? hits.reduce((sum, hit) => sum + hit, 0) : 0;
  };
  return items
    .map((item) => ({ item, points: score(item) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .map(({ item }) => item.element);
}
