import type { Plugin } from 'vite'
import { openCatalog } from './complete-catalogs.ts'

/** Replaces `{{text}}` in index.html by the text in every language; boot.css shows that of the page. */
export function translatedHtml(): Plugin {
  return {
    name: 'translated-html',
    async transformIndexHtml(html) {
      const { fr, ar } = await (await openCatalog()).readAll()
      const translationOf = (id: string, messages: typeof fr): string => {
        const text = messages?.[id]?.translation
        if (!text) throw new Error(`index.html: no translation of "${id}"`)
        return text
      }
      return html.replaceAll(/\{\{(.+?)\}\}/g, (_, id: string) => {
        const texts = { en: id, fr: translationOf(id, fr), ar: translationOf(id, ar) }
        return Object.entries(texts)
          .map(([language, text]) => `<span lang="${language}">${text}</span>`)
          .join('')
      })
    },
  }
}
