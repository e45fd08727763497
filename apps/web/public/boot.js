// Runs before the first paint: language, direction and theme must not flash. No modules here, so that it blocks.
;(function () {
  var root = document.documentElement
  var languages = ['en', 'fr', 'ar']

  function stored(key, allowed) {
    try {
      var value = localStorage.getItem(key)
      return allowed.indexOf(value) >= 0 ? value : null
    } catch {
      return null
    }
  }

  function fromBrowser() {
    var preferred = navigator.languages || [navigator.language]
    for (var i = 0; i < preferred.length; i += 1) {
      var short = preferred[i].slice(0, 2).toLowerCase()
      if (languages.indexOf(short) >= 0) return short
    }
    return 'en'
  }

  var language = stored('language', languages) || fromBrowser()
  root.lang = language
  root.dir = language === 'ar' ? 'rtl' : 'ltr'

  var theme = stored('theme', ['light', 'dark', 'system']) || 'system'
  var dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.dataset.theme = dark ? 'dark' : 'light'
  document.querySelector('meta[name="theme-color"]').content = dark ? '#0E1421' : '#FBF8F3'

  function preload(file) {
    var link = document.createElement('link')
    var kind = { woff2: 'font', css: 'style' }[file.split('.').pop()]
    link.rel = kind ? 'preload' : 'modulepreload'
    if (kind) link.as = kind
    link.crossOrigin = 'anonymous'
    link.href = file
    document.head.append(link)
  }

  /** The URLs in a <meta> that the build wrote. */
  function urlsIn(name) {
    var meta = document.getElementsByName(name)[0]
    return meta ? meta.content.split(' ') : []
  }

  urlsIn('preload-' + language).forEach(preload)

  function isAdmin() {
    return JSON.parse(localStorage.getItem('currentUser')).role === 'admin'
  }

  /** Whether a route's first query returns the same to this user as to a visitor. */
  function hasVisitorData(route) {
    return /^(works|leaderboard|contact)$/.test(route) || (route === 'challenges' && !isAdmin())
  }

  /** The headers of a route's first query; null if it requires a token and that has expired. The app refreshes it first. */
  function requestHeaders(route) {
    var headers = { 'accept-language': language }
    var token = localStorage.getItem('authToken')
    if (!token || hasVisitorData(route)) return headers
    headers.authorization = 'Bearer ' + token
    return Date.now() < Number(localStorage.getItem('authTokenFreshUntil')) ? headers : null
  }

  /** Requests a route's first query at once, and its files after those of the first paint. */
  function requestRoute(route) {
    var files = urlsIn('route-' + route)
    var url = files.shift()
    var headers = requestHeaders(route)
    if (!url || (/^(dashboard|admin)$/.test(route) && !localStorage.getItem('authToken'))) return
    if (route === 'admin' && !isAdmin()) return
    files = files.concat(urlsIn(route + '-' + language))
    document.addEventListener('DOMContentLoaded', function () {
      files.forEach(preload)
    })
    if (!headers) return
    window.earlyResponses = {}
    window.earlyResponses[url] = fetch(url, {
      headers: headers,
      // Behind what the first paint needs.
      priority: 'low',
      signal: AbortSignal.timeout(10000),
    })
    setTimeout(function () {
      // A response that nothing has used by now is outdated.
      delete window.earlyResponses
    }, 8000)
    // Avoids an unhandled rejection if nothing uses the response.
    window.earlyResponses[url].catch(function () {})
  }

  try {
    requestRoute(location.hash.slice(1).replace(/^(challenge|team)-.*/, '$1s'))
  } catch {
    // Without Web Storage, or with a damaged one, nothing is requested early.
  }

  window.showStartError = function () {
    var error = document.querySelector('.boot-error')
    if (!error || !error.hidden) return
    document.querySelector('.boot-status').hidden = true
    error.hidden = false
    var timer
    function reloadIfReachable() {
      clearTimeout(timer)
      fetch('/api/health', { signal: AbortSignal.timeout(10000) }).then(
        function () {
          // Once the app has drawn, a reload would lose what was typed.
          if (error.isConnected) location.reload()
        },
        // Reloading now would lead to the browser's own error page. At `online` a connection often works only seconds later.
        function () {
          timer = setTimeout(reloadIfReachable, 5000)
        },
      )
    }
    error.querySelector('button').addEventListener('click', reloadIfReachable)
    addEventListener('online', reloadIfReachable)
  }

  document.addEventListener(
    'error',
    function (event) {
      // The app's script, or one that it imports.
      if (event.target.localName === 'script') window.showStartError()
    },
    true,
  )

  // The availability check starts here, beside the download of the program that waits for it.
  window.availability = fetch('/api/health', { signal: AbortSignal.timeout(10000) }).then(
    function (answer) {
      return answer.ok
    },
    function () {
      return false
    },
  )
})()
