import { useQuery } from '@tanstack/react-query'
import { AFTER_ADMIN_ACTION } from '../../components/after-admin-action.ts'
import { useAction } from '../../lib/action.ts'
import { useT } from '../../lib/i18n.ts'
import { trpc, trpcClient } from '../../lib/trpc.ts'
import { Badge } from '../../ui/badge.tsx'
import { Switch } from '../../ui/checkbox.tsx'
import { Skeletons } from '../../ui/states.tsx'
import { ArchiveImport } from './archive-import.tsx'
import { Exports } from './exports.tsx'
import { LoadFailure } from './load-failure.tsx'
import { PagesForm } from './pages-form.tsx'
import { UnsentMails } from './unsent-mails.tsx'

/** Settings of the whole community. */
export function SettingsTab() {
  const t = useT()
  const settings = useQuery(trpc.admin.settings.queryOptions())
  return (
    <div className="grid grid-cols-1 gap-8">
      <div className="grid max-w-2xl gap-4">
        {settings.isPending && <Skeletons className="h-24" />}
        <LoadFailure query={settings} />
        {settings.data && <TeamCreationSwitch enabled={settings.data.settings.teamCreationEnabled} />}
        <p className="px-1 text-sm text-muted">{t('More settings will appear here.')}</p>
      </div>
      <PagesForm />
      <Exports />
      <ArchiveImport />
      <UnsentMails />
    </div>
  )
}

function TeamCreationSwitch({ enabled }: { enabled: boolean }) {
  const t = useT()
  const toggle = useAction(trpcClient.admin.setTeamCreation, {
    input: (next: boolean, { password }) => ({ enabled: next, password }),
    password: {
      title: enabled ? t('Disable Team Creation') : t('Enable Team Creation'),
      message: enabled
        ? t('No one will be able to create a team until you enable this again. Existing teams are not affected.')
        : t('Every member will be able to create a team.'),
      confirmLabel: enabled ? t('Disable') : t('Enable'),
    },
    success: (_output, next) =>
      next ? t('Team creation enabled successfully') : t('Team creation disabled successfully'),
    failure: t('Failed to toggle team creation'),
    invalidates: ['admin.settings', 'system'],
    ...AFTER_ADMIN_ACTION,
  })
  return (
    <div className="rounded-card border border-line bg-surface px-4 py-3">
      <Switch
        label={t('Team Creation')}
        hint={t('When disabled, the Create Team button is hidden on the site.')}
        checked={enabled}
        onChange={() => void toggle.run(!enabled)}
      />
      <p className="mt-1">
        {enabled ? <Badge tone="ok">{t('Enabled')}</Badge> : <Badge tone="bad">{t('Disabled')}</Badge>}
      </p>
    </div>
  )
}
