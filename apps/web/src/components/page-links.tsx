import { useT } from '../lib/i18n.ts'
import { goToView } from '../lib/navigation/navigation.ts'
import { onPlainClick } from '../lib/navigation/on-plain-click.ts'

const LINK =
  'inline-flex min-h-11 items-center px-2 underline underline-offset-2 pointer-fine:min-h-6 hover:text-primary'

/** Links to the privacy and terms pages. In a dialog they open in a new tab, so that the form stays. */
export function PageLinks({ inNewTab = false }: { inNewTab?: boolean }) {
  const t = useT()
  const pages = [
    { view: 'privacy', label: t('Privacy') },
    { view: 'terms', label: t('Terms') },
  ] as const
  return pages.map(({ view, label }) => (
    <a
      key={view}
      href={`/#${view}`}
      {...(inNewTab ? { target: '_blank', rel: 'noopener' } : { onClick: onPlainClick(() => goToView(view)) })}
      className={LINK}
    >
      {label}
    </a>
  ))
}
