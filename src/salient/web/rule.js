/** Rule numbers as buttons that open the digest at that rule. */

import { h } from "./dom.js";
import { t } from "./i18n.js";

/** @param {string} rule @returns {HTMLElement | null} */
export function ruleButton(rule) {
  if (!rule) return null;
  return h(
    "button",
    {
      class: "rule",
      type: "button",
      "aria-label": t("rule.open", { rule }),
      onclick: (/** @type {Event} */ event) => {
        event.stopPropagation();
        document.dispatchEvent(new CustomEvent("open-rule", { detail: rule }));
      },
    },
    `[${rule}]`,
  );
}

/** A message with its rule number. @param {import("./api.js").Message} message @param {string} [tag] */
export function sentence(message, tag = "p") {
  return h(tag, { class: "sentence" }, message.text || message.key, " ", ruleButton(message.rule));
}
