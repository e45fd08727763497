import type { TeamMember } from '@community/contract'
import { useT } from '../lib/i18n.ts'

type Member = Pick<TeamMember, 'name' | 'accountName' | 'isAccountEmail'>

/** Notes for when the name or email given on joining differs from the account's. */
export function AccountNotes({ member: { name, accountName, isAccountEmail } }: { member: Member }) {
  const t = useT()
  return (
    <>
      {name !== accountName && (
        <span className="block text-sm text-ink-2">
          {t('Account name:')} <bdi className="font-medium wrap-anywhere text-ink">{accountName}</bdi>
        </span>
      )}
      {!isAccountEmail && (
        <span className="block text-sm text-muted">{t('Contact email differs from the account email')}</span>
      )}
    </>
  )
}
