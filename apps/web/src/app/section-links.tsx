import { clsx } from 'clsx'
import { type Translate, useT } from '../lib/i18n.ts'
import { goToSection, useActiveSection } from '../lib/navigation/navigation.ts'
import { onPlainClick } from '../lib/navigation/on-plain-click.ts'
import { SECTIONS, type SectionId } from '../lib/navigation/route.ts'

/** The names of the sections; contact is labelled Community. */
export const sectionLabels = (t: Translate): Record<SectionId, string> => ({
  home: t('Home'),
  teams: t('Teams'),
  challenges: t('Challenges'),
  works: t('Works'),
  leaderboard: t('Leaderboard'),
  contact: t('Community'),
})

/** A click handler for a link to a section, which also works in other views. */
export const onSectionLink = (section: SectionId, before?: () => void) =>
  onPlainClick(() => {
    before?.()
    goToSection(section)
  })

export function SectionLinks({
  className,
  linkClassName,
  onGo,
}: {
  className?: string
  linkClassName: string
  onGo?: () => void
}) {
  const t = useT()
  const active = useActiveSection()
  const labels = sectionLabels(t)
  return (
    <ul className={className}>
      {SECTIONS.map((section) => (
        <li key={section}>
          <a
            href={`#${section}`}
            aria-current={active === section ? 'true' : undefined}
            onClick={onSectionLink(section, onGo)}
            className={clsx(linkClassName, 'aria-[current]:text-primary')}
          >
            {labels[section]}
          </a>
        </li>
      ))}
    </ul>
  )
}
