/** What this browser remembers: language, look, pace, and the tokens of games joined or started. */

const KEY = "salient";

const DEFAULTS = {
  lang: "",
  theme: "system",
  textSize: 100,
  contrast: false,
  pace: 0.9,
  combatsOnly: false,
  confirmEnd: true,
  hoverFan: true,
  guideDone: false,
  sound: true,
  minimap: true,
  tab: "situation",
  // Sizes of parts of the table, in letters; 0 leaves them as they are.
  column: 0,
  shelf: 0,
  decision: 0,
  /** @type {Record<string, string>} */
  tokens: {},
};

/** @typedef {typeof DEFAULTS} Settings */

/** @type {Settings} */
export const settings = { ...DEFAULTS, ...read() };

/** @param {Partial<Settings>} changes */
export function change(changes) {
  Object.assign(settings, changes);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing still plays.
  }
  applyLook();
}

/** Puts theme, text size and contrast on the page. */
export function applyLook() {
  const root = document.documentElement;
  const dark = settings.theme === "dark" || (settings.theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.theme = dark ? "dark" : "light";
  root.dataset.contrast = settings.contrast ? "more" : "normal";
  root.style.fontSize = `${settings.textSize}%`;
}

/** @param {string} game @param {string} token */
export function keepToken(game, token) {
  change({ tokens: { ...settings.tokens, [game]: token } });
}

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}
