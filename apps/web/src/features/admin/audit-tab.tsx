import type { AuditEntry } from '@community/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import { trpc } from '../../lib/trpc.ts'
import { Badge } from '../../ui/badge.tsx'
import { ClearButton } from '../../ui/clear-button.tsx'
import type { Column } from '../../ui/data-table.tsx'
import { AdminList } from './admin-list.tsx'
import { AuditAction, AuditResult } from './audit-cells.tsx'
import { AUDIT_ACTIONS, AUDIT_LABELS, TARGET_LABELS } from './audit-labels.ts'
import { detailLabel, detailText } from './detail-text.ts'
import { FilterSelect } from './filter-select.tsx'
import { useAdminSearch } from './use-admin-search.ts'

const CHOICES = { action: ['', ...AUDIT_ACTIONS] } as const

interface Actor {
  id: string
  name: string
}

/** The actions of administrators, newest first; filtered by kind or by administrator. */
export function AuditTab() {
  const t = useT()
  const listState = useAdminSearch('audit', CHOICES)
  const { input, update } = listState
  const { action } = listState.filters
  const [actor, setActor] = useState<Actor | null>(null)
  const list = useQuery(
    trpc.admin.audit.queryOptions(
      {
        ...input,
        ...(action !== '' && { action }),
        ...(actor && { actorId: actor.id }),
      },
      { placeholderData: keepPreviousData },
    ),
  )
  const filterByActor = (next: Actor | null) => {
    setActor(next)
    update({})
  }
  const clear = () => {
    setActor(null)
    listState.clear()
  }
  const columns = useColumns(filterByActor)
  const options = [
    { value: '', label: t('All actions') },
    ...AUDIT_ACTIONS.map((value) => ({ value, label: t(AUDIT_LABELS[value] ?? value) })),
  ]
  return (
    <div className="grid grid-cols-1 gap-5">
      <AdminList
        listState={{ ...listState, isFiltered: listState.isFiltered || actor !== null, clear }}
        searchLabel={t('Search the audit log')}
        searchPlaceholder={t('Name, reason, email...')}
        toolbar={
          <>
            <FilterSelect
              label={t('Action')}
              value={action}
              onChange={(value) => update({ action: value })}
              options={options}
              className="max-sm:w-full"
            />
            {actor && (
              <ClearButton onClear={() => filterByActor(null)}>
                {t('Clear filter: {name}', { name: actor.name })}
              </ClearButton>
            )}
          </>
        }
        query={list}
        rows={list.data?.entries ?? []}
        columns={columns}
        caption={t('Audit log')}
        pagesLabel={t('Pages of the audit log')}
        empty={t('No entries found')}
      />
    </div>
  )
}

const titleIdOf = ({ id }: AuditEntry): string => `audit-${id}`

function useColumns(onActor: (actor: Actor) => void): Column<AuditEntry>[] {
  const t = useT()
  return [
    {
      key: 'action',
      header: t('Action'),
      onCard: 'title',
      className: 'wrap-anywhere',
      cell: (entry) => (
        <span id={titleIdOf(entry)}>
          <AuditAction entry={entry} />
        </span>
      ),
    },
    {
      key: 'actor',
      header: t('Administrator'),
      cell: ({ actor: { id, name } }) =>
        id === null ? (
          <bdi>{name}</bdi>
        ) : (
          <button
            type="button"
            className="min-h-11 text-start pointer-fine:min-h-6 text-primary underline"
            onClick={() => onActor({ id, name })}
          >
            <bdi>{name}</bdi>
          </button>
        ),
    },
    {
      key: 'result',
      header: t('Result'),
      cell: (entry) => (entry.result === 'done' ? <Badge tone="ok">{t('Done')}</Badge> : <AuditResult entry={entry} />),
    },
    {
      key: 'when',
      header: t('When'),
      cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDateTime(createdAt)}</time>,
    },
    { key: 'more', header: t('Details'), cell: (entry) => <EntryDetails entry={entry} /> },
  ]
}

/** Every field of an entry. */
function EntryDetails({ entry }: { entry: AuditEntry }) {
  const t = useT()
  const type = entry.targetType ?? ''
  const facts = {
    [t('IP address')]: entry.address,
    [t('Request ID')]: entry.requestId,
    [t('Access token')]: entry.tokenName,
    [t('Last used')]: entry.lastUsedAt && formatDateTime(entry.lastUsedAt),
    [t('Target')]: entry.targetId && `${t(TARGET_LABELS[type] ?? type)} ${entry.targetId}`,
    ...Object.fromEntries(
      Object.entries(entry.details).map(([key, value]) => [
        detailLabel(key, t),
        value === null ? null : detailText(key, value, t),
      ]),
    ),
  }
  return (
    <details className="text-start text-sm">
      <summary
        aria-describedby={titleIdOf(entry)}
        className="inline-flex min-h-11 min-w-11 cursor-pointer pointer-fine:min-h-6 items-center text-primary"
      >
        {t('Show')}
      </summary>
      <dl className="mt-1 grid max-w-80 gap-0.5">
        {Object.entries(facts).map(([name, value]) =>
          value === null || value === undefined ? null : (
            <div key={name} className="wrap-anywhere">
              <dt className="inline text-muted">
                <bdi>{t('{label}:', { label: name })}</bdi>{' '}
              </dt>
              <dd className="inline">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ),
        )}
      </dl>
    </details>
  )
}
