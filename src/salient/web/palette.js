/** Colours of counters and highlights. Meaning is never carried by colour alone: shapes and texts say the same. */

/** @typedef {{ body: string, edge: string, ink: string, box: string, stripe?: string }} Colours */

/** @type {Record<string, Colours>} the `colour` of a unit */
const COUNTERS = {
  german: { body: "#8d9683", edge: "#5e6657", ink: "#141812", box: "#c3cab9" },
  wehrmacht: { body: "#8d9683", edge: "#5e6657", ink: "#141812", box: "#c3cab9" },
  feldgrau: { body: "#8d9683", edge: "#5e6657", ink: "#141812", box: "#c3cab9" },
  axis: { body: "#8d9683", edge: "#5e6657", ink: "#141812", box: "#c3cab9" },
  ss: { body: "#33363a", edge: "#0f1113", ink: "#f4f1ea", box: "#55595f", stripe: "#e8862e" },
  luftwaffe: { body: "#8fa6b5", edge: "#5f7787", ink: "#10181e", box: "#c5d5de" },
  volksgrenadier: { body: "#9da58f", edge: "#6c735f", ink: "#141812", box: "#cfd5c4" },
  us: { body: "#8f8f52", edge: "#62622f", ink: "#15150a", box: "#cdcd9a" },
  american: { body: "#8f8f52", edge: "#62622f", ink: "#15150a", box: "#cdcd9a" },
  olive: { body: "#8f8f52", edge: "#62622f", ink: "#15150a", box: "#cdcd9a" },
  "us-82": { body: "#8f8f52", edge: "#62622f", ink: "#15150a", box: "#cdcd9a", stripe: "#2f6da8" },
  "us-101": { body: "#8f8f52", edge: "#62622f", ink: "#15150a", box: "#cdcd9a", stripe: "#f4f1ea" },
  "us-airborne": { body: "#8f8f52", edge: "#62622f", ink: "#15150a", box: "#cdcd9a", stripe: "#f4f1ea" },
  allied: { body: "#c4ab73", edge: "#8f783f", ink: "#1d160a", box: "#eadcb5" },
  british: { body: "#c4ab73", edge: "#8f783f", ink: "#1d160a", box: "#eadcb5" },
  khaki: { body: "#c4ab73", edge: "#8f783f", ink: "#1d160a", box: "#eadcb5" },
  "british-airborne": { body: "#c4ab73", edge: "#8f783f", ink: "#1d160a", box: "#eadcb5", stripe: "#a5273f" },
  polish: { body: "#c98f80", edge: "#92594b", ink: "#200d08", box: "#ecc9bf", stripe: "#a5273f" },
  french: { body: "#8ba2c4", edge: "#5d7497", ink: "#0c1524", box: "#c5d3e8" },
  neutral: { body: "#b8b5ac", edge: "#827f76", ink: "#1a1916", box: "#dedbd2" },
};

/** @param {{ colour?: string, side?: string }} unit */
export function coloursOf(unit) {
  return COUNTERS[unit.colour ?? ""] ?? COUNTERS[unit.side ?? ""] ?? COUNTERS.neutral;
}

/** The colour that stands for a side in bars and charts. @param {string} side */
export function sideColour(side) {
  return { german: "#5b6b4e", axis: "#5b6b4e", allied: "#b07a1e" }[side] ?? "#5f7787";
}

/** Okabe and Ito's colours, told apart by all common kinds of colour vision. */
export const SAFE = {
  orange: "#e69f00",
  sky: "#56b4e9",
  green: "#009e73",
  yellow: "#f0e442",
  blue: "#0072b2",
  vermilion: "#d55e00",
  purple: "#cc79a7",
};

/** Overlay values: small numbers from light to strong, named values by their own colour. */
const SCALE = ["#56b4e9", "#0072b2", "#cc79a7", "#d55e00", "#7a2d00"];
/** One family of colours a side, in all overlays: blues are Allied, oranges German. */
const FAMILY = { allied: ["#0072b2", "#56b4e9", "#003e66"], german: ["#d55e00", "#e69f00", "#7a2d00"] };
const NAMED = {
  allied: FAMILY.allied[0],
  german: FAMILY.german[0],
  axis: FAMILY.german[0],
  both: SAFE.purple,
  contested: SAFE.purple,
  supplied: SAFE.green,
  cut: SAFE.vermilion,
  bridge: "#7a2d00",
  "out-of-supply": SAFE.vermilion,
};

/** The side that an overlay, or a value of one, is about. @param {string} text @returns {"allied" | "german" | null} */
export function sideOfOverlay(text) {
  if (/^allied(-|$)/.test(text)) return "allied";
  return /^(german|axis)(-|$)/.test(text) ? "german" : null;
}

/**
 * @param {string | number | boolean} value
 * @param {number} index place of the value in the legend
 * @param {string} [name] the overlay
 */
export function overlayColour(value, index, name = "") {
  const side = sideOfOverlay(name) ?? sideOfOverlay(String(value));
  if (side) return FAMILY[side][Math.abs(index) % FAMILY[side].length];
  if (typeof value === "string" && value in NAMED) return NAMED[/** @type {keyof typeof NAMED} */ (value)];
  return SCALE[Math.abs(index) % SCALE.length];
}
