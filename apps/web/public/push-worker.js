// Shows push messages and follows a click on one. Answers no requests and caches nothing.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('push', (event) => {
  const { title, body, language, href } = event.data.json()
  const dir = language === 'ar' ? 'rtl' : 'ltr'
  event.waitUntil(
    self.registration.showNotification(title, { body, lang: language, dir, icon: '/icon.svg', data: { href } }),
  )
})

/** Shows the place in an open window, or in a new one. */
async function show(href) {
  const url = new URL(`/${href}`, self.location.origin).href
  const [open] = await self.clients.matchAll({ type: 'window' })
  if (!open) return self.clients.openWindow(url)
  await open.focus()
  return open.navigate(url)
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(show(event.notification.data.href))
})
