/** The service worker: shows pushes and opens the game that they tell of. */

self.addEventListener("push", (event) => {
  const { text, link } = event.data.json();
  event.waitUntil(self.registration.showNotification("Salient", { body: text, icon: "/icon.svg", data: link }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data));
});
