/** People: who is signed in, the dialogs to come in, the account, and `<salient-profile>`. */

import { get, post, request } from "./api.js";
import { confirmed, failed, messageOf, notice, openDialog } from "./dialogs.js";
import { fill, h, icon } from "./dom.js";
import { date, lang, t } from "./i18n.js";
import { noticeBell } from "./notices.js";

/** @import { Child } from "./dom.js" */
/** @import { Account, Me, Profile } from "./wire.d.ts" */

/** @type {Account | null} the person who is signed in */
let me = null;

/** Asks who is signed in. @returns {Promise<Account | null>} */
export async function whoAmI() {
  me = await get("people/me").catch((error) => {
    if (error.passing) throw error;
    return null;
  });
  return me;
}

/** What the head of a page shows on a server for people: the waiting room, notices, the account. @param {() => void} changed */
export function accountNav(changed) {
  const link = (/** @type {string} */ href, /** @type {string} */ key, /** @type {string} */ name) => h("a", { class: "quiet", href, "data-nav": name }, h("span", {}, t(key)));
  if (!me) {
    return [
      h("button", { class: "quiet", type: "button", "data-nav": "sign-in", onclick: () => openSignIn(changed) }, t("people.sign-in")),
      h("button", { class: "quiet", type: "button", "data-nav": "register", onclick: () => openRegister(changed) }, t("people.register")),
    ];
  }
  const leave = async () => {
    await post("people/sign-out", {});
    await whoAmI();
    changed();
  };
  return [
    link("#room", "room.title", "room"),
    noticeBell(),
    link(`#profile/${encodeURIComponent(me.name)}`, "people.profile", "profile"),
    h("button", { class: "quiet", type: "button", "data-nav": "sign-out", onclick: leave }, t("people.sign-out")),
  ];
}

const field = (/** @type {string} */ label, /** @type {Record<string, any>} */ props) => h("label", { class: "field" }, h("span", {}, label), h("input", { required: true, ...props }));

/** A dialog with a form; `send` gets its values and throws what the server refuses. @param {string} name @param {string} title @param {Child[]} fields @param {string} label @param {(values: any) => Promise<unknown>} send */
function openForm(name, title, fields, label, send) {
  const trouble = h("p", { class: "trouble", role: "alert" });
  const form = /** @type {HTMLFormElement} */ (h("form", { class: "stack-form" }, ...fields, trouble, h("div", { class: "row end" }, h("button", { class: "action primary", type: "submit" }, label))));
  const dialog = openDialog(title, [form], { name });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await send(Object.fromEntries(new FormData(form)));
      dialog.close();
    } catch (error) {
      fill(trouble, messageOf(error));
    }
  });
  return dialog;
}

/** @param {() => void} changed */
function openSignIn(changed) {
  const forgot = h("button", { class: "quiet", type: "button", onclick: () => openForgot() }, t("people.forgot"));
  openForm("sign-in", t("people.sign-in"), [field(t("people.name"), { name: "name", autocomplete: "username" }), field(t("people.password"), { name: "password", type: "password", autocomplete: "current-password" }), forgot], t("people.sign-in"), async (values) => {
    await post("people/sign-in", values);
    await whoAmI();
    changed();
  });
}

/** @param {() => void} changed */
function openRegister(changed) {
  openForm(
    "register",
    t("people.register"),
    [
      field(t("people.name"), { name: "name", autocomplete: "username", minlength: 3, maxlength: 20 }),
      field(t("people.password"), { name: "password", type: "password", autocomplete: "new-password", minlength: 8 }),
      field(t("people.mail"), { name: "mail", type: "email", autocomplete: "email", required: false }),
      h("p", { class: "muted" }, t("people.mail-help")),
    ],
    t("people.register"),
    async ({ mail, ...values }) => {
      await post("people/register", mail ? { ...values, mail } : values);
      await whoAmI();
      changed();
    },
  );
}

function openForgot() {
  openForm("forgot", t("people.forgot"), [field(t("people.mail"), { name: "mail", type: "email" })], t("people.send"), async (values) => {
    await post("people/forgot", values);
    notice([t("people.letter-sent")]);
  });
}

/** The link of a letter: confirms the address. @param {string} code */
export async function confirmMail(code) {
  await post("people/confirm", { code });
  notice([t("people.confirmed")]);
}

/** The link of a letter: asks for another password. @param {string} code */
export function openReset(code) {
  openForm("reset", t("people.new-password"), [field(t("people.password"), { name: "password", type: "password", autocomplete: "new-password", minlength: 8 })], t("people.send"), async (values) => {
    await post("people/reset", { code, ...values });
    notice([t("people.password-changed")]);
  });
}

/** A person's page: ratings, results, reliability; one's own with the account. */
export class SalientProfile extends HTMLElement {
  /** @type {Record<string, string>} the names of games */
  titles = {};
  /** @type {Record<string, string>} the names of sides, by game and seat */
  seats = {};

  /** @param {string} name */
  async open(name) {
    await whoAmI();
    const [profile, library] = await Promise.all([get(`people/${encodeURIComponent(name)}`), get("library")]);
    this.titles = Object.fromEntries(library.map(({ id, title }) => [id, title]));
    this.seats = Object.fromEntries(library.flatMap((game) => game.seats.map((seat) => [`${game.id} ${seat.id}`, seat.name])));
    document.title = `${profile.name} – Salient`;
    const own = me?.name === profile.name;
    fill(
      this,
      h("header", { class: "masthead" }, h("a", { class: "quiet", href: "#" }, icon("back"), h("span", {}, t("people.back"))), h("h1", {}, profile.name)),
      h(
        "main",
        { class: "online" },
        h("section", {}, profile.kind === "bot" ? h("p", { class: "badge" }, t("people.bot", { keeper: profile.keeper ?? "" })) : null, profile.suspended ? h("p", { class: "trouble" }, t("people.suspended")) : null, h("p", {}, profile.about), h("p", { class: "muted" }, t("people.since", { date: date(profile.since) }))),
        this.ratings(profile),
        this.results(profile),
        h("section", {}, h("h2", {}, t("people.reliability")), h("p", {}, t("people.moves", { n: profile.moves_in_time }), " · ", t("people.left", { n: profile.games_left }))),
        me && own ? this.account(me) : me ? this.others(profile) : null,
      ),
    );
  }

  /** @param {Profile} profile */
  ratings({ ratings }) {
    const rows = Object.entries(ratings).map(([game, { rating, deviation, games }]) => h("tr", {}, h("td", {}, this.titles[game] ?? game), h("td", {}, `${rating} ± ${deviation}`), h("td", {}, String(games))));
    return h("section", {}, h("h2", {}, t("people.ratings")), rows.length ? h("table", { class: "plain" }, h("tbody", {}, ...rows)) : h("p", { class: "muted" }, t("people.no-ratings")));
  }

  /** @param {Profile} profile */
  results({ results }) {
    const rows = results.map(({ game, seat, won, drawn, lost }) => h("tr", {}, h("td", {}, this.titles[game] ?? game), h("td", {}, this.seats[`${game} ${seat}`] ?? seat), h("td", {}, `${won} – ${drawn} – ${lost}`)));
    return rows.length ? h("section", {}, h("h2", {}, t("people.results")), h("table", { class: "plain" }, h("tbody", {}, ...rows))) : null;
  }

  /** @param {Profile} profile */
  others(profile) {
    const bind = (/** @type {string} */ method, /** @type {string} */ kind) => async () => {
      await request(method, `people/${encodeURIComponent(profile.name)}/${kind}`).catch(failed);
      notice([t("people.done")]);
    };
    const report = () => openForm("report", t("people.report"), [field(t("people.report-text"), { name: "text", maxlength: 2000 })], t("people.send"), (values) => post(`people/${encodeURIComponent(profile.name)}/report`, values));
    const button = (/** @type {string} */ key, /** @type {() => void} */ run) => h("button", { class: "action", type: "button", onclick: run }, t(key));
    return h("section", { class: "row" }, button("people.block", bind("PUT", "block")), button("people.unblock", bind("DELETE", "block")), button("people.mute", bind("PUT", "mute")), button("people.unmute", bind("DELETE", "mute")), button("people.report", report));
  }

  /** @param {Account} me */
  account(me) {
    const wish = (/** @type {"mail" | "push"} */ name, /** @type {string} */ label) => {
      const box = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", name, checked: me.wishes?.[name] ?? false, onchange: () => this.change({ [name]: box.checked }) }));
      return h("label", { class: "row" }, box, h("span", {}, label));
    };
    const about = /** @type {HTMLTextAreaElement} */ (h("textarea", { rows: "3", name: "about", "aria-label": t("people.about") }, me.about));
    const hook = /** @type {HTMLInputElement} */ (h("input", { type: "url", name: "hook", value: me.wishes?.hook ?? "", placeholder: "https://…", "aria-label": t("people.hook") }));
    const mail = () => openForm("mail", t("people.mail"), [field(t("people.mail"), { name: "mail", type: "email", value: me.mail ?? "" })], t("people.send"), async (values) => (await post("people/me/mail", values), notice([t("people.letter-sent")])));
    const password = () => openForm("password", t("people.new-password"), [field(t("people.password"), { name: "old", type: "password" }), field(t("people.new-password"), { name: "new", type: "password", minlength: 8 })], t("people.send"), (values) => post("people/me/password", values).then(() => location.reload()));
    const key = () => openForm("key", t("people.key"), [field(t("people.name"), { name: "name" })], t("people.send"), async (values) => openDialog(t("people.key"), [h("p", {}, t("people.key-help")), h("code", { class: "key" }, (await post("people/me/keys", values)).key)], { name: "key-shown" }));
    const leave = async () => {
      if (!(await confirmed(t("people.delete-question"), t("people.delete")))) return;
      openForm("delete", t("people.delete"), [field(t("people.password"), { name: "password", type: "password" })], t("people.delete"), (values) => request("DELETE", "people/me", { body: values }).then(() => (location.hash = "")));
    };
    const button = (/** @type {string} */ label, /** @type {() => void} */ run, kind = "action") => h("button", { class: kind, type: "button", onclick: run }, label);
    return h(
      "section",
      {},
      h("h2", {}, t("people.account")),
      h("label", { class: "field" }, h("span", {}, t("people.about")), about),
      button(t("people.save"), () => this.change({ about: about.value, hook: hook.value, lang: lang() })),
      h("h3", {}, t("people.notify")),
      wish("mail", t("people.by-mail")),
      wish("push", t("people.by-push")),
      h("label", { class: "field" }, h("span", {}, t("people.hook")), hook),
      h("p", { class: "row" }, button(t("people.mail"), mail), button(t("people.new-password"), password), button(t("people.key"), key), h("a", { class: "action", href: "/api/people/me/export", download: "salient.json" }, t("people.export")), button(t("people.delete"), leave, "action danger")),
    );
  }

  /** @param {Me} values */
  async change(values) {
    await request("PATCH", "people/me", { body: values }).catch(failed);
    await whoAmI();
    notice([t("people.done")]);
  }
}

customElements.define("salient-profile", SalientProfile);
