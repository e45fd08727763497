import type { NotificationPreference } from '@community/contract'
import { MailX } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { useMediaQuery } from '../../ui/media-query.ts'
import { groupByKind } from './notification-kinds.ts'
import { PreferenceList, PreferenceTable } from './preference-rows.tsx'
import type { SavePreferences } from './save-preferences.ts'

interface PreferenceGroupsProps {
  preferences: readonly NotificationPreference[]
  hasPush: boolean
  procedure: SavePreferences
}

/**
 * What these settings showed last: rows may change between turning the emails off and undoing it, also after the user has left them and
 * come back.
 */
let lastShown: readonly NotificationPreference[] = []

/** For each kind of notification, its channels (in app, email, push); and a button that turns off all emails except those about safety. */
export function PreferenceGroups({ preferences, hasPush, procedure }: PreferenceGroupsProps) {
  const t = useT()
  const change = useChangePreferences(procedure)
  const Rows = useMediaQuery('(min-width: 40rem)') ? PreferenceTable : PreferenceList
  const latest = preferences.map(change.latest)
  const mailed = latest.filter(({ isSafety, mail }) => !isSafety && mail !== 'off')
  useEffect(() => {
    lastShown = latest
  })
  const turnOffMails = () => {
    const mailOf = new Map(mailed.map(({ kind, mail }) => [kind, mail]))
    const restored = () =>
      lastShown
        .filter(({ kind, mail }) => mail === 'off' && mailOf.has(kind))
        .map((one) => ({ ...one, mail: mailOf.get(one.kind) ?? 'off' }))
    return change.run(
      mailed.map((preference) => ({ ...preference, mail: 'off' })),
      () => void change.run(restored()),
    )
  }
  return (
    <>
      <Button className="justify-self-start" aria-disabled={mailed.length === 0} onClick={() => void turnOffMails()}>
        <MailX aria-hidden="true" />
        {t('Turn off all emails')}
      </Button>
      {groupByKind(latest).map((group) => (
        <Rows
          key={group.title}
          title={t(group.title)}
          preferences={group.preferences}
          hasPush={hasPush}
          onChange={(next) => change.run([next])}
        />
      ))}
    </>
  )
}

interface PreferencesChange {
  next: readonly NotificationPreference[]
  /** Restores the emails that were turned off. */
  undo?: (() => void) | undefined
}

/** Saves changes at once, and shows them until the server has answered. */
function useChangePreferences(procedure: SavePreferences) {
  const t = useT()
  const [changes, setChanges] = useState<Partial<Record<string, NotificationPreference>>>({})
  const save = useAction(procedure, {
    input: ({ next }: PreferencesChange) => ({
      preferences: next.map(({ kind, app, mail, push }) => ({ kind, app, mail, push })),
    }),
    success: (_output: unknown, { undo }: PreferencesChange) =>
      undo
        ? {
            title: t('Emails turned off'),
            message: t('Emails about the safety of your account are still sent.'),
            action: { label: t('Undo'), run: undo },
          }
        : t('Preferences saved'),
    failure: t('Failed to save your preferences'),
    invalidates: ['notifications'],
    scope: 'notification-preferences',
  })
  const run = async (next: PreferencesChange['next'], undo?: PreferencesChange['undo']): Promise<void> => {
    setChanges((shown) => ({ ...shown, ...Object.fromEntries(next.map((one) => [one.kind, one])) }))
    await save.run({ next, undo })
    // Those that changed again meanwhile stay until they are saved too.
    setChanges((shown) =>
      Object.fromEntries(Object.entries(shown).filter(([, one]) => one !== undefined && !next.includes(one))),
    )
  }
  return { latest: (stored: NotificationPreference) => changes[stored.kind] ?? stored, run }
}
