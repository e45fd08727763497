import type { AuditEntry } from '@community/contract'
import { formatDateTime } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { AuditAction, AuditResult } from '../audit-cells.tsx'

/** The newest entries of the audit log. */
export function RecentActivity({ entries, onAudit }: { entries: readonly AuditEntry[]; onAudit: () => void }) {
  const t = useT()
  return (
    <section>
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-3">
        <h2 className="text-xl">{t('Recent activity')}</h2>
        <Button size="sm" onClick={onAudit}>
          {t('See the audit log')}
        </Button>
      </div>
      {entries.length === 0 && <p className="text-ink-2">{t('No activity yet.')}</p>}
      <ol className="divide-y divide-line rounded-card border border-line bg-surface empty:hidden">
        {entries.map((entry) => (
          <li key={entry.id} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 px-4 py-2">
            <bdi className="font-semibold">{entry.actor.name}</bdi>
            <span className="min-w-40 grow basis-0 wrap-anywhere">
              <AuditAction entry={entry} />
            </span>
            <AuditResult entry={entry} />
            <time dateTime={entry.createdAt} className="text-sm text-muted">
              {formatDateTime(entry.createdAt)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  )
}
