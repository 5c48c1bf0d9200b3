/** The settings dialog: language, look, pace, habits. */

import { openDialog } from "./dialogs.js";
import { h } from "./dom.js";
import { chooseLanguage, lang, LANGUAGES, t } from "./i18n.js";
import { change, settings } from "./settings.js";

export function openPreferences() {
  const dialog = openDialog(
    t("settings.title"),
    [
      choice("settings.language", Object.entries(LANGUAGES), lang(), async (value) => {
        await chooseLanguage(value);
        dialog.close();
        openPreferences();
      }),
      choice("settings.theme", ["system", "light", "dark"].map((key) => [key, t(`theme.${key}`)]), settings.theme, (theme) => change({ theme })),
      choice("settings.text-size", [100, 125, 150, 175, 200].map((size) => [String(size), `${size} %`]), String(settings.textSize), (size) => change({ textSize: Number(size) })),
      choice("settings.pace", [["0", t("showing.at-once")], ["0.4", t("showing.quick")], ["0.9", t("showing.normal")], ["1.8", t("showing.slow")]], String(settings.pace), (pace) => change({ pace: Number(pace) })),
      check("settings.contrast", settings.contrast, (contrast) => change({ contrast })),
      check("settings.confirm-end", settings.confirmEnd, (confirmEnd) => change({ confirmEnd })),
      check("settings.hover-fan", settings.hoverFan, (hoverFan) => change({ hoverFan })),
    ],
    { name: "preferences" },
  );
}

/** @param {string} key @param {string[][]} options @param {string} value @param {(value: string) => void} onChange */
export function choice(key, options, value, onChange) {
  const select = /** @type {HTMLSelectElement} */ (
    h("select", { onchange: () => onChange(select.value), name: key }, ...options.map(([id, name]) => h("option", { value: id, selected: id === value }, name)))
  );
  return h("label", { class: "field" }, h("span", {}, t(key)), select);
}

/** @param {string} key @param {boolean} value @param {(value: boolean) => void} onChange */
function check(key, value, onChange) {
  return h("label", { class: "check" }, h("input", { type: "checkbox", checked: value, onchange: (/** @type {{ target: HTMLInputElement }} */ event) => onChange(event.target.checked) }), h("span", {}, t(key)));
}
