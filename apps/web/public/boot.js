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
    var wanted = navigator.languages || [navigator.language]
    for (var i = 0; i < wanted.length; i += 1) {
      var short = wanted[i].slice(0, 2).toLowerCase()
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

  var preload = document.querySelector('meta[name="preload-' + language + '"]')
  var files = preload ? preload.content.split(' ') : []
  files.forEach(function (file) {
    var link = document.createElement('link')
    var isFont = file.endsWith('.woff2')
    link.rel = isFont ? 'preload' : 'modulepreload'
    if (isFont) link.as = 'font'
    link.crossOrigin = 'anonymous'
    link.href = file
    document.head.append(link)
  })

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
