/** What the lobby tells of a game before it begins: a sentence of story, minutes, weight, who begins, a good first choice. */

import { h } from "./dom.js";
import { lang, t } from "./i18n.js";

/**
 * Minutes of a first scenario against the computer, weight from 1 (light) to 4 (heavy), who moves first, and what suits a beginner.
 * @type {Record<string, { minutes: [number, number], weight: number, first: string, lesson?: true, scenario?: string, side: string, options: Record<string, string> }>}
 */
const FACTS = {
  "target-arnhem": { minutes: [30, 60], weight: 1, first: "allied", lesson: true, side: "allied", options: { "supply-zones": "historical" } },
  bulge: { minutes: [60, 120], weight: 2, first: "axis", lesson: true, side: "axis", options: {} },
  "deadly-woods": { minutes: [120, 240], weight: 3, first: "german", lesson: true, scenario: "attack", side: "german", options: {} },
  ardennes44: { minutes: [240, 480], weight: 4, first: "german", lesson: true, scenario: "six-turns", side: "german", options: {} },
};

/** What a beginner had best choose; undefined for a game that says nothing of it. @param {string} game */
export function beginnerChoice(game) {
  return FACTS[game];
}

/** Minutes and weight in small, for the box of a game. @param {{ id: string }} game */
export function factsLine(game) {
  const facts = FACTS[game.id];
  if (!facts) return null;
  const [from, to] = facts.minutes;
  const long = from >= 120;
  const time = t(long ? "story.hours" : "story.minutes", { from: long ? from / 60 : from, to: long ? to / 60 : to });
  return h("small", {}, `${time} · ${t(`story.weight-${facts.weight}`)}`);
}

/** The story of a game and who begins. @param {{ id: string, seats: { id: string, name: string }[] }} game */
export function storyOf(game) {
  const facts = FACTS[game.id];
  if (!facts) return null;
  const first = game.seats.find(({ id }) => id === facts.first)?.name ?? facts.first;
  return h("p", { class: "story" }, t(`story.${game.id}`), " ", h("span", { class: "muted" }, t("story.first", { side: first })));
}

/** A small picture of the map; the server draws one for a game that has none. @param {{ id: string }} game */
export function cover(game) {
  const image = /** @type {HTMLImageElement} */ (h("img", { alt: "", loading: "lazy" }));
  image.addEventListener("error", () => (image.src = `/api/library/${game.id}/map.png?lang=${lang()}`), { once: true });
  image.src = new URL(`./thumbs/${game.id}.png`, import.meta.url).href;
  return image;
}
