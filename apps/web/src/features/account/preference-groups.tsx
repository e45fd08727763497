import type { NotificationPreference } from '@community/contract'
import { useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { useMediaQuery } from '../../ui/media-query.ts'
import { groupByKind } from './notification-kinds.ts'
import { PreferenceList, type PreferenceProps, PreferenceTable } from './preference-rows.tsx'
import type { SavePreferences } from './save-preferences.ts'

interface PreferenceGroupsProps {
  preferences: readonly NotificationPreference[]
  hasPush: boolean
  procedure: SavePreferences
}

/** The channels of every kind of notification. */
export function PreferenceGroups({ preferences, hasPush, procedure }: PreferenceGroupsProps) {
  const t = useT()
  const change = useChangePreference(procedure)
  const Rows = useMediaQuery('(min-width: 40rem)') ? PreferenceTable : PreferenceList
  return groupByKind(preferences).map((group) => (
    <Rows
      key={group.title}
      title={t(group.title)}
      preferences={group.preferences.map(change.latest)}
      hasPush={hasPush}
      onChange={change.run}
    />
  ))
}

/** Saves each change at once, and shows it until the server has answered. */
function useChangePreference(procedure: SavePreferences) {
  const t = useT()
  const [changes, setChanges] = useState<Partial<Record<string, NotificationPreference>>>({})
  const save = useAction(procedure, {
    input: ({ kind, app, mail, push }: NotificationPreference) => ({ preferences: [{ kind, app, mail, push }] }),
    success: t('Preferences saved'),
    failure: t('Failed to save your preferences'),
    invalidates: ['notifications'],
    scope: 'notification-preferences',
  })
  const run: PreferenceProps['onChange'] = async (next) => {
    setChanges((before) => ({ ...before, [next.kind]: next }))
    await save.run(next)
    // Unless it has changed again meanwhile.
    setChanges(({ [next.kind]: current, ...others }) =>
      current === next || current === undefined ? others : { ...others, [next.kind]: current },
    )
  }
  return { latest: (stored: NotificationPreference) => changes[stored.kind] ?? stored, run }
}
