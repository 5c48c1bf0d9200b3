/** The service worker: shows pushes and opens the game that they tell of. */

const worker = /** @type {any} */ (self); // the types of a page know no service worker

worker.addEventListener("push", (/** @type {any} */ event) => {
  const { text, link } = event.data.json();
  const shown = { body: text, icon: "/icon.svg", data: link, tag: link, renotify: true }; // one for each place, the last
  event.waitUntil(worker.registration.showNotification("Salient", shown));
});

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  event.waitUntil(worker.clients.openWindow(event.notification.data));
});
