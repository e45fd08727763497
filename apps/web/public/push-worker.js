// Shows push messages and follows a click on one. Answers no requests and caches nothing.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('push', (event) => {
  const { title, body, language, href } = event.data.json()
  const dir = language === 'ar' ? 'rtl' : 'ltr'
  event.waitUntil(
    self.registration.showNotification(title, { body, lang: language, dir, icon: '/icon.svg', data: { href } }),
  )
})

/** Shows the place in a window that has the app open, or in a new one. Another may show a file or the API's documentation. */
async function show(href) {
  const url = new URL(`/${href}`, self.location.origin).href
  const windows = await self.clients.matchAll({ type: 'window' })
  const open = windows.find((client) => new URL(client.url).pathname === '/')
  if (!open) return self.clients.openWindow(url)
  try {
    await open.focus()
    return await open.navigate(url)
  } catch {
    // Closed meanwhile, or not under the control of this worker.
    return self.clients.openWindow(url)
  }
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(show(event.notification.data.href))
})
