import type { PersonalToken, TokenScope } from '@community/contract'
import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useRef, useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { formatDate, formatDateTime } from '../../lib/format.ts'
import { type Translate, useT } from '../../lib/i18n.ts'
import type { CurrentUser } from '../../lib/session.ts'
import { trpc, trpcClient } from '../../lib/trpc.ts'
import { useNow } from '../../lib/use-now.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { QueryError } from '../../ui/query-error.tsx'
import { Skeletons } from '../../ui/states.tsx'
import { CreateTokenForm } from './create-token-form.tsx'
import { NewSecret } from '../../components/new-secret.tsx'

const scopeName = (scope: TokenScope, t: Translate): string =>
  ({ read: t('Read'), write: t('Write'), admin: t('Administration') })[scope]

/** The user's access tokens for scripts: creates, lists and revokes them. */
export function TokensPanel({ user }: { user: CurrentUser }) {
  const t = useT()
  const [isCreating, setIsCreating] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const panel = useRef<HTMLDivElement>(null)
  // The pressed button disappears: move the focus to the panel.
  const focusPanel = () => panel.current?.focus()
  const closeForm = () => {
    setIsCreating(false)
    setSecret(null)
    focusPanel()
  }
  return (
    <div ref={panel} tabIndex={-1} className="grid gap-4 focus:outline-none">
      <p className="text-ink-2">
        {t('Scripts use access tokens instead of your password. Create one for each script.')}
      </p>
      {secret !== null ? (
        <NewSecret
          secret={secret}
          texts={{
            notice: t('Copy the token now. It will not be shown again.'),
            label: t('Your new access token'),
          }}
          onDone={closeForm}
        />
      ) : isCreating ? (
        <CreateTokenForm user={user} onCreated={setSecret} onCancel={closeForm} />
      ) : (
        <Button variant="primary" className="justify-self-start" onClick={() => setIsCreating(true)}>
          {t('New access token')}
        </Button>
      )}
      <TokenList onRevoked={focusPanel} />
    </div>
  )
}

function TokenList({ onRevoked }: { onRevoked: () => void }) {
  const t = useT()
  const query = useQuery(trpc.users.tokens.queryOptions(undefined, { staleTime: 0 }))
  if (query.isPending) return <Skeletons count={2} className="h-20" />
  if (!query.data) return <QueryError query={query} title={t('Failed to load access tokens')} />
  const { tokens } = query.data
  if (tokens.length === 0) return <p className="text-muted">{t('You have no access tokens.')}</p>
  return (
    <ul aria-label={t('Access tokens')} className="grid gap-3">
      {tokens.map((token) => (
        <TokenRow key={token.id} token={token} onRevoked={onRevoked} />
      ))}
    </ul>
  )
}

function TokenRow({ token, onRevoked }: { token: PersonalToken; onRevoked: () => void }) {
  const t = useT()
  const now = useNow(60_000)
  const { name, expiresAt, lastUsedAt } = token
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= now
  const revoke = useAction(trpcClient.users.revokeToken, {
    input: ({ id }: PersonalToken) => ({ id }),
    confirm: {
      title: t('Revoke “{name}”?', { name }),
      message: t('Scripts that use this token will stop working immediately. This cannot be undone.'),
      confirmLabel: t('Revoke'),
      danger: true,
    },
    success: t('Access token revoked'),
    failure: t('Failed to revoke the access token'),
    onSuccess: onRevoked,
    invalidates: ['users.tokens'],
  })
  return (
    <li className="flex flex-wrap items-center gap-3 rounded-card border border-line p-3">
      <KeyRound aria-hidden="true" className="size-6 shrink-0 text-muted" />
      <div className="min-w-0 grow basis-52">
        <p className="flex flex-wrap items-center gap-2 font-semibold wrap-anywhere">
          <bdi>{name}</bdi>
          {token.scopes.map((scope) => (
            <Badge key={scope}>{scopeName(scope, t)}</Badge>
          ))}
          {isExpired && <Badge tone="bad">{t('{token, select, other {Expired}}')}</Badge>}
        </p>
        <p className="text-sm text-muted">
          {t('{token, select, other {Created {date}}}', { date: formatDate(token.createdAt) })}
          {' · '}
          {expiresAt === null ? t('No expiration') : t('Expires {date}', { date: formatDate(expiresAt) })}
        </p>
        <p className="text-sm text-muted">
          {lastUsedAt === null ? t('Never used') : t('Last used {time}', { time: formatDateTime(lastUsedAt) })}
        </p>
      </div>
      <Button
        size="sm"
        busy={revoke.isPending}
        onClick={() => void revoke.run(token)}
        aria-label={t('Revoke {name}', { name })}
      >
        {t('Revoke')}
      </Button>
    </li>
  )
}
