import type { Message } from '@community/contract'
import { i18n, type Messages } from '@lingui/core'
import { browserStore } from './storage.ts'
import { createSignal } from './store.ts'

export { msg } from './msg.ts'

export const LANGUAGES = ['en', 'fr', 'ar'] as const
export type Language = (typeof LANGUAGES)[number]
export type Values = Record<string, unknown>
/**
 * A message's id is its exact English text: `t('Sign In')`, `t('{count, plural, one {# member} other {# members}}', { count })`.
 * `lingui extract` adds it to src/locales; the build fails while it lacks a translation.
 */
export type Translate = (id: string, values?: Values) => string

/** Each language's name in itself. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', fr: 'Français', ar: 'العربية' }

// ar-MA prints Latin digits, as Morocco writes them. fr-MA would print 1.240, mails in French write 1 240.
const NUMBER_LOCALES: Record<Language, string> = { en: 'en-GB', fr: 'fr-FR', ar: 'ar-MA' }

const STORAGE_KEY = 'language'

type Catalog = Record<Language, () => Promise<{ messages: Messages }>>

const EVERYBODY: Catalog = {
  en: () => import('../locales/en.po'),
  fr: () => import('../locales/fr.po'),
  ar: () => import('../locales/ar.po'),
}
const ADMIN: Catalog = {
  en: () => import('../locales/en.po?admin?lingui'),
  fr: () => import('../locales/fr.po?admin?lingui'),
  ar: () => import('../locales/ar.po?admin?lingui'),
}
const openCatalogs = new Set([EVERYBODY])

/** Compiles a message without plurals and selects: 'Hi {name}' to ['Hi ', ['name'], '']. */
export const compilePlaceholders = (message: string): (string | [string])[] =>
  message.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 0 ? part : [part]))

// The build compiles the catalogs. English texts without plurals are in none, to keep the first load small.
if (import.meta.env.PROD) i18n.setMessagesCompiler(compilePlaceholders)

const isLanguage = (value: string): value is Language => (LANGUAGES as readonly string[]).includes(value)

/** The language of the page, as boot.js or the last switch set it. */
export function currentLanguage(): Language {
  const { lang } = document.documentElement
  return isLanguage(lang) ? lang : 'en'
}

/** Sends the language of the page, not of the browser: mails and new accounts get it. */
export const languageHeader = () => ({ 'accept-language': currentLanguage() })

/** The messages of all open catalogs, also of those that are opened meanwhile. */
async function loadMessages(language: Language): Promise<Messages> {
  const catalogs = [...openCatalogs]
  const parts = await Promise.all(catalogs.map((catalog) => catalog[language]()))
  if (catalogs.length < openCatalogs.size) return loadMessages(language)
  return Object.assign({}, ...parts.map(({ messages }) => messages)) as Messages
}

let latest: object | undefined

/**
 * Loads the messages of a language, then changes the page's texts and direction without a reload. Resolves to false if a
 * later call has chosen another language meanwhile.
 */
export async function activateLanguage(language: Language): Promise<boolean> {
  const loading = loadMessages(language)
  latest = loading
  const messages = await loading.catch((error: unknown) => {
    if (latest === loading) throw error
    return null
  })
  if (!messages || latest !== loading) return false
  i18n.load(language, messages)
  document.documentElement.lang = language
  document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr'
  i18n.activate(language, NUMBER_LOCALES[language])
  return true
}

/** Resolves to the part of the admin area once its messages are loaded too. */
export async function withAdminMessages<T>(part: Promise<T>): Promise<T> {
  openCatalogs.add(ADMIN)
  const language = currentLanguage()
  const [loaded, messages] = await Promise.all([part, loadMessages(language)])
  i18n.load(language, messages)
  // The language may have been switched meanwhile.
  return currentLanguage() === language ? loaded : withAdminMessages(part)
}

/** Activates a language and stores it for the next visit. Resolves to false as `activateLanguage`. */
export async function switchLanguage(language: Language): Promise<boolean> {
  const isShown = await activateLanguage(language)
  if (isShown) browserStore.write(STORAGE_KEY, language)
  return isShown
}

const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/
const isolate = (text: string) => `\u2068${text}\u2069`
const isolateFromRight = (value: unknown) =>
  typeof value === 'string' && FROM_RIGHT.test(value) ? isolate(value) : value

/** For code outside components; inside one, use `useT`. */
export const t: Translate = (id, values) => {
  // Two Arabic names in an English sentence would swap places; Arabic messages isolate their values themselves.
  if (!values || i18n.locale === 'ar') return i18n._(id, values)
  const isolated = Object.entries(values).map(([name, value]) => [name, isolateFromRight(value)])
  return i18n._(id, Object.fromEntries(isolated) as Values)
}

interface TranslateHook extends Translate {
  language: Language
  dir: 'ltr' | 'rtl'
}

const hooks = new Map<Language, TranslateHook>()

// One function per language and load: its identity changes exactly when texts do.
function hookOf(language: Language): TranslateHook {
  const known = hooks.get(language)
  if (known) return known
  const translate: Translate = (id, values) => t(id, values)
  const hook = Object.assign(translate, { language, dir: language === 'ar' ? ('rtl' as const) : ('ltr' as const) })
  hooks.set(language, hook)
  return hook
}

const languageChange = createSignal()
i18n.on('change', languageChange.emit)
const currentHook = () => hookOf(isLanguage(i18n.locale) ? i18n.locale : 'en')

/** `const t = useT()`; renders the component again when the language changes. Also `t.language` and `t.dir`. */
export const useT = (): TranslateHook => languageChange.use(currentHook)

/** The translation of a text that is not in the source code; null if the catalog has none. */
export const catalogText = (id: string, values?: Values): string | null =>
  Object.hasOwn(i18n.messages, id) ? t(id, values) : null

/** A message of the server or a schema, translated by its template and params; unchanged and isolated if it has no translation. */
export const serverText = ({ message, template = message, params }: Message): string => {
  // A newer server's plural is not in the catalog and cannot be compiled here.
  if (i18n.locale === 'en')
    return params && !/\{\w+,/.test(template) ? t(template, params) : (catalogText(template, params) ?? message)
  return catalogText(template, params) ?? isolate(message)
}

/** Joins names with the language's comma, each in its own text direction. */
export const listText = (things: readonly string[]): string =>
  things.map((thing) => (i18n.locale === 'ar' ? isolate(thing) : isolateFromRight(thing))).join(t(', '))
