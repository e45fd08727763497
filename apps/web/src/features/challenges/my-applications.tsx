import { OwnApplications } from '../../components/own-applications.tsx'
import { PleaseSignIn } from '../../components/please-sign-in.tsx'
import { useT } from '../../lib/i18n.ts'
import { useUser } from '../../lib/session.ts'

/** The applications of the user's teams; visitors are asked to sign in. */
export function MyApplications({ onBrowse }: { onBrowse: () => void }) {
  const t = useT()
  const user = useUser()
  if (user) return <OwnApplications onBrowse={onBrowse} />
  return <PleaseSignIn text={t('Applications from your teams appear here.')} />
}
