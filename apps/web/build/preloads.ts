import type { HtmlTagDescriptor, Plugin, Rollup } from 'vite'
import { firstQueryUrls } from '../src/lib/first-queries.ts'

const FONTS = {
  latin: ['bricolage-grotesque-en-fr', 'figtree-en-fr'],
  arabic: ['reem-kufi-arabic-700-normal', 'readex-pro-arabic-wght-normal', 'figtree-en-fr'],
}
const PRELOADS = { en: FONTS.latin, fr: FONTS.latin, ar: FONTS.arabic }

type Files = readonly (Rollup.OutputAsset | Rollup.OutputChunk)[]

const chunksOf = (files: Files) => files.filter((file) => file.type === 'chunk')

/** Throws if the build has no such file. */
function required(file: { fileName: string } | undefined, name: string): string {
  if (!file) throw new Error(`The build has no ${name} to preload`)
  return `/${file.fileName}`
}

/** The catalog and the fonts of a language. */
function filesOfLanguage(files: Files, language: keyof typeof PRELOADS): string[] {
  const catalog = chunksOf(files).find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/locales/${language}.po`))
  const fonts = PRELOADS[language].map((font) =>
    required(
      files.find((file) => file.fileName.includes(`/${font}-`)),
      font,
    ),
  )
  return [required(catalog, `catalog of ${language}`), ...fonts]
}

/** The catalog of the admin area in a language. */
const adminTexts = (files: Files, language: keyof typeof PRELOADS): string =>
  required(
    chunksOf(files).find(({ facadeModuleId }) => facadeModuleId?.includes(`/locales/${language}.po?admin`)),
    `admin catalog of ${language}`,
  )

/** The scripts and styles of a route that the page does not load anyway. */
function filesOfRoute(files: Files, route: string): string[] {
  const chunks = new Map(chunksOf(files).map((chunk) => [chunk.fileName, chunk]))
  const withImports = (name: string, seen: Set<string>): Set<string> => {
    if (seen.has(name)) return seen
    seen.add(name)
    for (const imported of chunks.get(name)?.imports ?? []) withImports(imported, seen)
    return seen
  }
  const initial = new Set<string>()
  for (const { isEntry, fileName } of chunks.values()) if (isEntry) withImports(fileName, initial)
  const module = new RegExp(`/src/features/${route}/index\\.tsx$`)
  const own = [...chunks.values()].find(({ moduleIds }) => moduleIds.some((id) => module.test(id)))
  const scripts = [...withImports(required(own, route).slice(1), new Set())].filter((name) => !initial.has(name))
  const styles = scripts.flatMap((name) => [...(chunks.get(name)?.viteMetadata?.importedCss ?? [])])
  return [...scripts, ...new Set(styles)].map((name) => `/${name}`)
}

/**
 * Names in <meta> elements what boot.js preloads: a language's catalog and fonts; the first query, scripts and styles of a route
 * that a hash leads to.
 */
export function preloads(): Plugin {
  return {
    name: 'preloads',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        if (!bundle) return []
        const files = Object.values(bundle)
        const meta = (name: string, values: string[]): HtmlTagDescriptor => ({
          tag: 'meta',
          attrs: { name, content: values.join(' ') },
          injectTo: 'head-prepend',
        })
        return [
          ...(['en', 'fr', 'ar'] as const).map((language) =>
            meta(`preload-${language}`, filesOfLanguage(files, language)),
          ),
          ...(['en', 'fr', 'ar'] as const).map((language) => meta(`admin-${language}`, [adminTexts(files, language)])),
          ...Object.entries(firstQueryUrls()).map(([route, url]) =>
            meta(`route-${route}`, [url, ...filesOfRoute(files, route)]),
          ),
        ]
      },
    },
  }
}
