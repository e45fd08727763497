import type { AuditEntry } from '@community/contract'
import { Fragment } from 'react'
import { useT } from '../../lib/i18n.ts'
import { Badge } from '../../ui/badge.tsx'
import { AUDIT_LABELS, RESULT_LABELS, subjectOf } from './audit-labels.ts'

/** The action, and its target or reason if known. */
export function AuditAction({ entry }: { entry: Pick<AuditEntry, 'action' | 'details' | 'targetName' | 'uses'> }) {
  const t = useT()
  const messageId = AUDIT_LABELS[entry.action]
  const label = messageId ? t(messageId) : entry.action
  const subjects = new Set([entry.targetName, subjectOf(entry.details)].filter((subject) => subject !== null))
  return (
    <>
      <bdi>{subjects.size > 0 ? t('{label}:', { label }) : label}</bdi>
      {[...subjects].map((subject, index) => (
        <Fragment key={subject}>
          {index === 0 ? ' ' : ' · '}
          <bdi className="text-ink-2">{subject}</bdi>
        </Fragment>
      ))}
      {entry.uses > 1 && (
        <>
          {' '}
          <Badge>{t('{count, plural, one {# time} other {# times}}', { count: entry.uses })}</Badge>
        </>
      )}
    </>
  )
}

/** Why an action failed; nothing for a successful one. */
export function AuditResult({ entry }: { entry: Pick<AuditEntry, 'result'> }) {
  const t = useT()
  return entry.result === 'done' ? null : (
    <Badge tone="bad">
      <bdi>{t(RESULT_LABELS[entry.result] ?? entry.result)}</bdi>
    </Badge>
  )
}
