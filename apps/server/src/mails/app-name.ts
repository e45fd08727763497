import type { Language } from '@community/contract'
import { escapeHtml } from './escape-html.ts'

/** The name without APP_NAME; the web app translates it. */
export const DEFAULT_APP_NAME = 'Community'

const DEFAULT_NAMES: Record<Language, string> = { en: 'the community', fr: 'la communauté', ar: 'المجتمع' }
const DEFAULT_TITLES: Record<Language, string> = { en: DEFAULT_APP_NAME, fr: 'Communauté', ar: 'المجتمع' }

/** The name as used in a sentence; a configured APP_NAME is not translated. */
export const appNameIn = (language: Language, appName: string): string =>
  appName === DEFAULT_APP_NAME ? DEFAULT_NAMES[language] : appName

/** The name as a title; a configured APP_NAME is not translated. */
export const appTitleIn = (language: Language, appName: string): string =>
  appName === DEFAULT_APP_NAME ? DEFAULT_TITLES[language] : appName

export interface Product {
  appName: string
  appUrl: string
}

/**
 * The web app's index.html with the product's name in the title, in the name on the home screen of iOS, and in the Open Graph tags that
 * other sites show for a link (https://ogp.me; their image needs an absolute URL). The web app reads a name other than the default from
 * `application-name`.
 */
export function withProduct(html: string, { appName, appUrl }: Product): string {
  const name = escapeHtml(appName)
  const tags = [
    `<title>${name}</title>`,
    ...(appName === DEFAULT_APP_NAME ? [] : [`<meta name="application-name" content="${name}">`]),
    `<meta name="apple-mobile-web-app-title" content="${name}">`,
    `<meta property="og:title" content="${name}">`,
    `<meta property="og:site_name" content="${name}">`,
    `<meta property="og:image" content="${escapeHtml(`${appUrl}/icon-512.png`)}">`,
  ]
  return html.replace(/<title>[^<]*<\/title>/, () => tags.join(''))
}

/** The web app's manifest with the product's name. */
export const withName = (manifest: string, { appName }: Product): string =>
  JSON.stringify({ ...JSON.parse(manifest), name: appName, short_name: appName })
