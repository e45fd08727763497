import type { Plugin } from 'vite'

const FONTS = {
  latin: ['figtree-latin-wght-normal', 'bricolage-grotesque-latin-700-normal'],
  arabic: ['figtree-latin-wght-normal', 'readex-pro-arabic-wght-normal', 'reem-kufi-arabic-700-normal'],
}
const PRELOADS = { en: FONTS.latin, fr: FONTS.latin, ar: FONTS.arabic }

/** Names each language's fonts and catalog in a <meta>, for boot.js to preload once it knows the language. */
export function preloads(): Plugin {
  return {
    name: 'preloads',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        if (!bundle) return []
        const files = Object.values(bundle)
        const fontFile = (font: string) => files.find((file) => file.fileName.includes(`/${font}-`))?.fileName
        const catalogFile = (language: string) =>
          files.find((file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(`/locales/${language}.po`))
            ?.fileName
        return Object.entries(PRELOADS).map(([language, fonts]) => {
          const paths = [...fonts.map(fontFile), catalogFile(language)].map((path) => {
            if (!path) throw new Error(`A file to preload for "${language}" is not in the build`)
            return `/${path}`
          })
          return {
            tag: 'meta',
            attrs: { name: `preload-${language}`, content: paths.join(' ') },
            injectTo: 'head-prepend',
          }
        })
      },
    },
  }
}
