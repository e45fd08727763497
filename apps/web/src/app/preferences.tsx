import { clsx } from 'clsx'
import { ChevronDown, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { LANGUAGE_NAMES, LANGUAGES, type Language, switchLanguage, useT } from '../lib/i18n.ts'
import { lazyWithRetry } from '../lib/lazy-with-retry.tsx'
import { currentUser } from '../lib/session.ts'
import { setTheme, systemTheme, THEMES, useTheme } from '../lib/theme.ts'
import { toast } from '../lib/toasts.ts'
import { IconButton } from '../ui/button.tsx'
import { SilentErrorBoundary } from '../ui/error-boundary.tsx'

const StoreLanguage = lazyWithRetry(() => import('./store-language.tsx').then((part) => part.StoreLanguage))

const SHORT_NAMES = { en: 'EN', fr: 'FR', ar: 'عربية' }

/**
 * Switches the language of the page, and of the signed-in user's mails. It uses a system font: "عربية" must not load the
 * Arabic font on a Latin page.
 */
export function LanguageSelect({ long = false }: { long?: boolean }) {
  const t = useT()
  const names = long ? LANGUAGE_NAMES : SHORT_NAMES
  // An object: the same language chosen again is stored again, as it may have changed elsewhere.
  const [toStore, setToStore] = useState<{ language: Language }>()
  const choose = async (language: Language) => {
    const isShown = await switchLanguage(language)
    if (isShown && currentUser()) setToStore({ language })
  }
  return (
    <span className="relative inline-flex items-center">
      <select
        aria-label={t('Language')}
        value={t.language}
        onChange={(event) => {
          const chosen = LANGUAGES.find((language) => language === event.target.value)
          if (chosen)
            choose(chosen).catch(() =>
              toast.error(t('Error'), t('The language could not be loaded. Please try again.')),
            )
        }}
        className={clsx(
          'min-h-11 w-full min-w-11 appearance-none rounded-control bg-transparent text-sm font-medium text-ink [font-family:system-ui] hover:bg-sunken',
          // The narrowest phones have no room for the arrow.
          long ? 'ps-2.5 pe-8' : 'ps-2.5 min-[22.5rem]:pe-8',
        )}
      >
        {LANGUAGES.map((language) => (
          <option key={language} value={language} lang={language} className="bg-surface text-ink">
            {names[language]}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        className={clsx('pointer-events-none absolute end-2 size-4', long || 'hidden min-[22.5rem]:block')}
      />
      {toStore && (
        <SilentErrorBoundary>
          <StoreLanguage choice={toStore} />
        </SilentErrorBoundary>
      )}
    </span>
  )
}

/** Switches between light and dark. Choosing the device's own theme selects `system`. */
export function ThemeToggle() {
  const t = useT()
  const { drawn } = useTheme()
  const next = drawn === 'dark' ? 'light' : 'dark'
  const Icon = next === 'dark' ? Moon : Sun
  return (
    <IconButton
      label={next === 'dark' ? t('Switch to dark theme') : t('Switch to light theme')}
      onClick={() => setTheme(next === systemTheme() ? 'system' : next)}
    >
      <Icon aria-hidden="true" />
    </IconButton>
  )
}

/** Light, dark or system. */
export function ThemeSelect() {
  const t = useT()
  const { theme } = useTheme()
  const names = { light: t('Light theme'), dark: t('Dark theme'), system: t('System theme') }
  return (
    <span className="relative inline-flex items-center">
      <select
        aria-label={t('Theme')}
        value={theme}
        onChange={(event) => setTheme(THEMES.find((one) => one === event.target.value) ?? 'system')}
        className="min-h-11 w-full appearance-none rounded-control bg-transparent ps-2.5 pe-8 text-sm font-medium text-ink hover:bg-sunken"
      >
        {THEMES.map((one) => (
          <option key={one} value={one} className="bg-surface text-ink">
            {names[one]}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden="true" className="pointer-events-none absolute end-2 size-4" />
    </span>
  )
}
